// Long runs of letters and digits: tokens without a prefix, and keys next to words that tell.
import { endOf, isEncodedUnit, type SecretRange } from './units.ts'
import { looksGenerated } from './values.ts'

interface RunShape {
  kind: string
  /** Sticky. */
  pattern: RegExp
}

const twilioKey = { kind: 'twilio-key', pattern: /(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])/y }
const twitterToken = { kind: 'twitter-token', pattern: /A{20,22}[A-Za-z0-9%_-]{30,200}/y }
const jwt = {
  kind: 'jwt',
  pattern:
    /eyJ(?:rIjoi[A-Za-z0-9]{60,2000}={0,2}|[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{8,4000}){0,3})/y,
}
/** DER of a private key: its version, then the numbers of RSA, or the algorithm; and the head of OpenSSH. */
const keyInDer =
  /M(?:II[A-Z][A-Za-z0-9+/]{2}IBA(?:A[JK]|DAN)|HcCAQEEI|I[GH][A-Za-z0-9+/]AgE[AB](?:MBAG|MBMG|BD|BE)|C4CAQAwBQYDK2Vw)[A-Za-z0-9+/]{20,8000}={0,2}/y
const openSshKey = { kind: 'private-key', pattern: /b3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/]{20,8000}={0,2}/y }
const intercomToken = { kind: 'intercom-token', pattern: /dG9r[A-Za-z0-9+/]{50,60}={0,2}/y }

/** By the first two letters of the run. */
function shapeOf(first: number, second: number): RunShape | undefined {
  if (first === 65) return second === 65 ? twitterToken : second === 67 ? twilioKey : undefined
  if (first === 83) return second === 75 ? twilioKey : undefined
  if (first === 98) return second === 51 ? openSshKey : undefined
  if (first === 101) return second === 121 ? jwt : undefined
  return first === 100 && second === 71 ? intercomToken : undefined
}

const discordToken = /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/y

interface EndingToken {
  kind: string
  sign: number
  /** Length of the part behind the sign. */
  min: number
  max: number
  pattern: RegExp
}

/** Tokens whose long part follows a sign. */
const endings: EndingToken[] = [
  { kind: 'airtable-token', sign: 46, min: 64, max: 64, pattern: /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}$/ },
  { kind: 'ghost-key', sign: 58, min: 64, max: 64, pattern: /(?<![A-Za-z0-9])[0-9a-f]{24}:[0-9a-f]{64}$/ },
  {
    kind: 'asana-token',
    sign: 58,
    min: 32,
    max: 32,
    pattern: /(?<!\d)\d{1,2}\/\d{10,20}(?:\/\d{10,20})?:[a-z0-9]{32}$/,
  },
  { kind: 'facebook-token', sign: 124, min: 27, max: 40, pattern: /(?<!\d)\d{15,16}\|[A-Za-z0-9_-]{27,40}$/ },
]

/** Shorter runs are found by their name alone. */
export const minRun = 20

export function endOfRun(text: string, start: number, max = Number.POSITIVE_INFINITY): number {
  return endOf(text, start + minRun, isEncodedUnit, max - minRun)
}

/** Words that tell stand no further before the run. */
const contextLength = 64

/**
 * The run that begins at `start`, or more around it, if it is a secret. `lastHit` is the place of the
 * last marker before it. Most runs are none, so the end of the run is only looked for when it matters.
 */
export function secretRunAt(text: string, start: number, lastHit: number): SecretRange | undefined {
  const shaped = shapedRun(text, start, start)
  if (shaped) return shaped
  const inner = afterSign(text, start)
  if (inner > 0) {
    const shapedInner = shapedRun(text, start, inner)
    if (shapedInner) return shapedInner
    if (text.charCodeAt(inner - 1) === underscore && inner - start >= 3) {
      const prefixed = prefixedRun(text, start, inner)
      if (prefixed) return prefixed
    }
  }
  const sign = text.charCodeAt(start - 1)
  if (sign === 46 || sign === 58 || sign === 124) {
    const token = endingToken(text, start, sign)
    if (token) return token
  }
  if (start - lastHit >= contextLength) return undefined
  const end = endOfRun(text, start)
  return hasDigits(text, start, end) && isNextToWord(text, start) && isKey(text, start, end)
    ? { start, end: withPadding(text, end), kind: 'key' }
    : undefined
}

function endingToken(text: string, start: number, sign: number): SecretRange | undefined {
  const end = endOfRun(text, start, 65)
  for (const ending of endings) {
    const { kind, min, max, pattern } = ending
    if (sign !== ending.sign || end - start < min || end - start > max) continue
    const match = pattern.exec(text.slice(Math.max(0, start - 80), end))
    if (match) return { start: end - match[0].length, end, kind }
  }
  return undefined
}

/** Not ids of requests and messages, which have the same form. */
const idPrefix = /^(?:req|msg|call|toolu|resp|run|evt|event|id|file|chatcmpl|srvtoolu|sha|rs|fc|step|job|build|img)$/

/** A token of a service that is not known: a word, a sign, and at least 32 generated characters. */
function prefixedRun(text: string, start: number, body: number): SecretRange | undefined {
  const end = endOfRun(text, start, body - start + 111)
  if (end - body < 32 || end - body > 110) return undefined
  const token = text.slice(body, end)
  if (!/^(?=.*[a-z].*[a-z].*[a-z])(?=.*[A-Z].*[A-Z].*[A-Z])(?=.*\d.*\d.*\d)[A-Za-z0-9]+$/.test(token)) return undefined
  const prefix = text.slice(start, body - 1)
  const isToken = /^[a-z][a-z0-9]+$/.test(prefix) && !idPrefix.test(prefix) && looksGenerated(token)
  return isToken ? { start, end, kind: 'token' } : undefined
}

const underscore = 95

/** Where a token behind a short name begins, as in `id_SK…`; 0 if there is no sign. */
function afterSign(text: string, start: number): number {
  for (let at = start; at < start + 13; at++) {
    const code = text.charCodeAt(at)
    if (code === 95 || code === 45 || code === 47) return at + 1
  }
  return 0
}

/** A token that begins at `at`, within the run that begins at `start`. */
function shapedRun(text: string, start: number, at: number): SecretRange | undefined {
  const first = text.charCodeAt(at)
  if (first >= 77 && first <= 79) {
    const key = first === 77 ? keyInDerAt(text, at) : undefined
    if (key) return key
    if (text.charCodeAt(endOfRun(text, start)) !== 46) return undefined
    discordToken.lastIndex = at
    return discordToken.test(text) ? { start: at, end: discordToken.lastIndex, kind: 'discord-token' } : undefined
  }
  const shape = shapeOf(first, text.charCodeAt(at + 1))
  if (!shape) return undefined
  const { kind, pattern } = shape
  pattern.lastIndex = at
  return pattern.test(text) ? { start: at, end: Math.max(endOfRun(text, start), pattern.lastIndex), kind } : undefined
}

function keyInDerAt(text: string, at: number): SecretRange | undefined {
  const second = text.charCodeAt(at + 1)
  if (second !== 73 && second !== 72 && second !== 67) return undefined // I, H and C
  keyInDer.lastIndex = at
  return keyInDer.test(text) ? { start: at, end: keyInDer.lastIndex, kind: 'private-key' } : undefined
}

/** Most runs are names and paths, which have few digits. */
function hasDigits(text: string, start: number, end: number): boolean {
  let digits = 0
  const limit = Math.min(end, start + 60)
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) digits++
  }
  return digits >= 2
}

const telling =
  /(?<![A-Za-z])(?:secret|token|password|passphrase|credentials?|key|auth|schlüssel|clave|ключ)(?![a-z])|apikey|密钥/gi
const other =
  /public|sha-?\d|hash|integrity|commit|digest|checksum|etag|fingerprint|md5|revision|uuid|cache|cursor|blob|\btree\b|parent|signature|hex|resolved|key[ _-]?id|identity|thumbprint|serial|request/i

/** A word such as `key` before it in the same clause. */
function isNextToWord(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  // Not within another word, path or address.
  if (before > 32 && !'"\'`:=(<>|[x'.includes(text.charAt(start - 1))) return false
  const near = text.slice(Math.max(0, start - contextLength), start)
  const context = near.slice(near.lastIndexOf('\n') + 1)
  let last = -1
  for (const match of context.matchAll(telling)) last = match.index
  return last >= 0 && !/[,;{}]/.test(context.slice(last)) && !other.test(context)
}

function isKey(text: string, start: number, end: number): boolean {
  const run = text.slice(start, Math.min(end, start + 300))
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(run)) return false
  const longest = run.split(/[_/-]/).reduce((a, b) => (b.length > a.length ? b : a), '')
  return longest.length >= 16 && looksGenerated(longest) && looksGenerated(run)
}

function withPadding(text: string, end: number): number {
  let last = end
  while (last < end + 2 && text.charAt(last) === '=') last++
  return last
}
