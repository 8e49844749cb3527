// Long runs of letters and digits: tokens without a prefix, and keys next to words that tell.
import type { SecretRange } from './units.ts'
import { looksGenerated } from './values.ts'

/** Sticky; by the first letters of the run. */
const shapes: Record<string, [kind: string, pattern: RegExp]> = {
  SK: ['twilio-key', /SK[0-9a-f]{32}(?![A-Za-z0-9])/y],
  AC: ['twilio-key', /AC[0-9a-f]{32}(?![A-Za-z0-9])/y],
  AA: ['twitter-token', /A{20,22}[A-Za-z0-9%_-]{30,200}/y],
  ey: [
    'jwt',
    /eyJ(?:rIjoi[A-Za-z0-9]{60,2000}={0,2}|[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{8,4000}){0,3})/y,
  ],
  dG: ['intercom-token', /dG9r[A-Za-z0-9+/]{50,60}={0,2}/y],
}
const discordToken = /[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}/y

/** Tokens whose long part follows a sign. */
const endings: [kind: string, sign: string, pattern: RegExp][] = [
  ['airtable-token', '.', /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}$/],
  ['ghost-key', ':', /(?<![A-Za-z0-9])[0-9a-f]{24}:[0-9a-f]{64}$/],
  ['asana-token', ':', /(?<!\d)\d{1,2}\/\d{10,20}(?:\/\d{10,20})?:[a-z0-9]{32}$/],
  ['facebook-token', '|', /(?<!\d)\d{15,16}\|[A-Za-z0-9_-]{27,40}$/],
]

/** Words that tell stand no further before the run. */
const contextLength = 64

/**
 * The run from `start` to `end`, or more around it, if it is a secret. `lastHit` is the place of the
 * last marker before it.
 */
export function secretRunAt(text: string, start: number, end: number, lastHit: number): SecretRange | undefined {
  const shaped = shapedRun(text, start, end)
  if (shaped) return shaped
  const inner = afterSign(text, start, end)
  if (inner < end) {
    const shapedInner = shapedRun(text, inner, end)
    if (shapedInner) return shapedInner
  }
  if (inner < end && text.charCodeAt(inner - 1) === underscore && isPrefixed(text, start, inner, end))
    return { start, end, kind: 'token' }
  const sign = text.charAt(start - 1)
  if (sign === '.' || sign === ':' || sign === '|') {
    for (const [kind, wanted, pattern] of endings) {
      if (sign !== wanted || end - start > 200) continue
      const match = pattern.exec(text.slice(Math.max(0, start - 80), end))
      if (match) return { start: end - match[0].length, end, kind }
    }
  }
  return start - lastHit < contextLength &&
    hasDigits(text, start, end) &&
    isNextToWord(text, start) &&
    isKey(text, start, end)
    ? { start, end: withPadding(text, end), kind: 'key' }
    : undefined
}

/** Not ids of requests and messages, which have the same form. */
const idPrefix = /^(?:req|msg|call|toolu|resp|run|evt|event|id|file|chatcmpl|srvtoolu|sha|rs|fc|step|job|build|img)$/

/** A token of a service that is not known: a word, a sign, and at least 32 generated characters. */
function isPrefixed(text: string, start: number, body: number, end: number): boolean {
  if (end - body < 32 || end - body > 110 || body - start < 3) return false
  const token = text.slice(body, end)
  if (!/^(?=.*[a-z].*[a-z].*[a-z])(?=.*[A-Z].*[A-Z].*[A-Z])(?=.*\d.*\d.*\d)[A-Za-z0-9]+$/.test(token)) return false
  const prefix = text.slice(start, body - 1)
  return /^[a-z][a-z0-9]+$/.test(prefix) && !idPrefix.test(prefix) && looksGenerated(token)
}

const underscore = 95

/** A token behind a short name, as in `id_SK…`. */
function afterSign(text: string, start: number, end: number): number {
  const limit = Math.min(end, start + 13)
  for (let at = start; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 95 || code === 45 || code === 47) return at + 1
  }
  return end
}

function shapedRun(text: string, start: number, end: number): SecretRange | undefined {
  if (start >= end) return undefined
  const first = text.charCodeAt(start)
  if (text.charCodeAt(end) === 46 && first >= 77 && first <= 79) {
    discordToken.lastIndex = start
    if (discordToken.test(text)) return { start, end: discordToken.lastIndex, kind: 'discord-token' }
  }
  if (first !== 83 && first !== 65 && first !== 101 && first !== 100) return undefined
  const shape = shapes[text.slice(start, start + 2)]
  if (!shape) return undefined
  const [kind, pattern] = shape
  pattern.lastIndex = start
  return pattern.test(text) ? { start, end: Math.max(end, pattern.lastIndex), kind } : undefined
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
