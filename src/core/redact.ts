// Redacts secrets and private spans before a text is stored or sent.
// The rules cover secretlint's recommended preset (a test checks that) and common pasted secrets.
// They are our own because a transcript can contain a `secretlint-disable` comment, and because
// every pass over the text costs time.

export interface Redaction {
  texts: string[]
  /** Number of redactions by kind. */
  counts: Record<string, number>
}

interface Range {
  start: number
  end: number
  kind: string
}

export function redact(texts: readonly string[]): Redaction {
  const counts: Record<string, number> = {}
  return { texts: texts.map((text) => redactText(text, counts)), counts }
}

function redactText(text: string, counts: Record<string, number>): string {
  const ranges = merge(rangesOf(text))
  if (ranges.length === 0) return text
  const parts: string[] = []
  let from = 0
  for (const { start, end, kind } of ranges) {
    parts.push(text.slice(from, start), kind === 'private' ? '[private]' : `[secret: ${kind}]`)
    counts[kind] = (counts[kind] ?? 0) + 1
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** Tokens whose prefix names their service. */
const tokens: [kind: string, pattern: string][] = [
  ['aws-key', '(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['google-key', 'AIza[0-9A-Za-z_-]{35}'],
  ['github-token', 'gh[pousr]_[A-Za-z0-9_]{30,}|github_pat_[A-Za-z0-9_]{40,}'],
  ['gitlab-token', 'glpat-[A-Za-z0-9_-]{20,}'],
  ['grafana-token', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'],
  ['groq-key', 'gsk_[A-Za-z0-9]{40,}'],
  ['slack-token', 'x(?:ox[abeoprs]|app)-[A-Za-z0-9-]{10,}'],
  ['xai-key', 'xai-[A-Za-z0-9]{40,}'],
  ['anthropic-key', 'sk-ant-[A-Za-z0-9_-]{16,}'],
  ['openai-key', String.raw`sk-(?=[A-Za-z0-9_-]*\d)[A-Za-z0-9_-]{20,}`],
  ['recollect-key', 'rk_[a-z0-9]{12}_[A-Za-z0-9_-]{40,}'],
  ['stripe-key', '[rs]k_(?:live|test)_[A-Za-z0-9]{16,}'],
  ['shopify-token', 'shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,}'],
  ['npm-token', 'npm_[A-Za-z0-9_]{36}'],
  ['notion-token', 'ntn_[0-9]{11}[A-Za-z0-9]{35}'],
  ['huggingface-token', 'hf_[A-Za-z0-9]{30,}'],
  ['linear-key', 'lin_api_[A-Za-z0-9_]{30,}'],
  ['vercel-token', 'vc[piark]_[A-Za-z0-9]{20,}'],
  ['databricks-token', 'dapi[A-Fa-f0-9]{32}'],
  ['docker-token', 'dckr_pat_[A-Za-z0-9_-]{20,}'],
  ['digitalocean-token', 'do[por]_v1_[a-f0-9]{64}'],
  ['figma-token', 'figd_[A-Za-z0-9_-]{30,}'],
  ['1password-token', 'ops_eyJ[A-Za-z0-9_-]{40,}'],
  ['jwt', String.raw`eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`],
]
const token = new RegExp(tokens.map(([, pattern]) => pattern).join('|'), 'y')
const tokenPatterns = tokens.map(([kind, pattern]) => ({ kind, pattern: new RegExp(`^(?:${pattern})`) }))

/** A rule is tried at a position that the scan below has selected. */
interface Rule {
  kind: string
  /** The first matching group is the secret; without groups, the whole match. */
  pattern: RegExp
  /** Rejects values that only look like a secret. */
  isReal?(secret: string): boolean
}

const privateSpan: Rule = {
  kind: 'private',
  pattern: /<private>[\s\S]*?(?:<\/private>|$(?![\s\S]))/iy,
}
const keyBegin = /-----BEGIN ?(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?(?:-----)?/g
const keyEnd = /-----END ?(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const maxKeyLength = 20_000
const sendgridKey: Rule = { kind: 'sendgrid-key', pattern: /SG\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/y }
const vaultToken: Rule = { kind: 'vault-token', pattern: /hv[sbr]\.[A-Za-z0-9_-]{60,}/y }
const slackHook: Rule = {
  kind: 'slack-hook',
  pattern: /hooks\.slack\.com\/services\/(T\w{1,40}\/B\w{1,40}\/\w{1,40})/iy,
}
const authorization: Rule = {
  kind: 'authorization',
  pattern: /(?:Bearer|Basic)\s+([\w+/.~-]{16,}={0,2})/iy,
  isReal: looksRandom,
}
const urlPassword: Rule = {
  kind: 'url-password',
  pattern: /:\/\/[^\s:@/"'<>]{1,256}:([^\s@/"'<>]{1,256})@/y,
  isReal: isNoPlaceholder,
}
const npmPassword: Rule = { kind: 'npm-token', pattern: /=([^$\s]{8,})/y }
/** Starts behind a name that indicates a secret. */
const assignment: Rule = {
  kind: 'password',
  pattern:
    /\\?["']?\s{0,3}(?:=>|[:=])\s{0,3}\\?["'`]([^"'`\s\\]{8,200})\\?["'`]|=([^\s"'`$<>{}()[\],;]{8,200})|["']?\s{0,5}(?:=>|[:=])\s{0,5}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])|:[ \t]+(?=\S*\d)(?=\S*[A-Za-z])([^\s"'`$<>{}()[\],;]{8,200})(?=\s|$)/y,
  isReal: looksLikeValue,
}
const secretName = /pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential/i

/** Whether a value is a secret because of its name, as in tool arguments. */
export function isSecretValue(name: string, value: string): boolean {
  return (
    name.length >= 5 &&
    value.length < 200 &&
    !/[\s"'`]/.test(value) &&
    secretName.test(name) &&
    looksLikeValue(value) &&
    value.length >= 8
  )
}

function ruleAt(text: string, at: number, { kind, pattern, isReal }: Rule): Range | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  if (!match) return undefined
  const secret = match.slice(1).find((group) => group !== undefined) ?? match[0]
  if (isReal && !isReal(secret)) return undefined
  const start = at + match[0].lastIndexOf(secret)
  return { start, end: start + secret.length, kind }
}

/**
 * Classes of characters for the scan: part of a word, a sign at which rules are tried, or neither.
 */
const wordCharacter = 1 // the run continues; it ends where this is 0
const sign = 2
const characterClass = new Uint8Array(65536)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  characterClass[character.charCodeAt(0)] = wordCharacter
}
const [dot, slash, colon, less, equals] = [46, 47, 58, 60, 61]
for (const code of [dot, colon, less, equals]) characterClass[code] = sign

const minTokenLength = 16

/**
 * Scans by hand and tries patterns only at long words and assignments. Running fifteen patterns
 * over everything costs as much as reading the transcripts.
 */
function rangesOf(text: string): Range[] {
  const found: Range[] = []
  const units = unitsOf(text)
  const length = text.length
  let run = 0
  // Nested `<private>` tags are ignored: a thousand of them would each be scanned to the end.
  let privateUntil = 0
  for (let at = 0; at < length; at++) {
    const kind = characterClass[units[at]!]!
    if (kind === sign) {
      const range = at < privateUntil && units[at] === less ? undefined : atSign(text, at, run)
      if (range?.kind === 'private') privateUntil = range.end
      addTo(found, range)
      run = 0
      continue
    }
    run = Math.imul(run + 1, kind) // without a branch: the end of a word is unpredictable, and mispredictions dominate here
    if (run === minTokenLength) addTo(found, tokenIn(text, at - run + 1) ?? authorizedBy(text, at - run + 1))
  }
  for (let at = text.indexOf(slackHost); at >= 0; at = text.indexOf(slackHost, at + 1))
    addTo(found, ruleAt(text, at, slackHook))
  if (text.includes('PRIVATE KEY')) for (const range of privateKeysIn(text)) found.push(range)
  return found
}

/**
 * From the first line of a key to its last, or to the end of a truncated text. Each line is visited
 * once, however many keys have no end.
 */
function* privateKeysIn(text: string): Generator<Range> {
  const ends = text.matchAll(keyEnd)
  let next = ends.next()
  let behind = 0
  for (const { index, 0: line } of text.matchAll(keyBegin)) {
    if (index < behind) continue
    const from = index + line.length
    while (!next.done && next.value.index < from) next = ends.next()
    const end = next.done ? Number.POSITIVE_INFINITY : next.value.index
    if (Math.min(end, text.length) - from > maxKeyLength) continue
    behind = next.done ? text.length : end + next.value[0].length
    yield { start: index, end: behind, kind: 'private-key' }
  }
}

let reusedUnits = new Uint16Array(0)
const maxReusedUnits = 1 << 18

/** The text as an array of UTF-16 units, which is several times faster to scan than a string. */
function unitsOf(text: string): Uint16Array {
  if (reusedUnits.length === 0) reusedUnits = new Uint16Array(maxReusedUnits)
  const units = text.length <= maxReusedUnits ? reusedUnits : new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}

function addTo(found: Range[], range: Range | undefined): void {
  if (range) found.push(range)
}

/** Searched with indexOf, which is fast for long words. */
const slackHost = 'hooks.slack.com/'

/** Tries the rules of a sign; `run` is the length of the word before it. */
function atSign(text: string, at: number, run: number): Range | undefined {
  const code = text.charCodeAt(at)
  const next = text.charCodeAt(at + 1)
  if (code === less) return (next | 32) === letterP ? ruleAt(text, at, privateSpan) : undefined
  if (code === dot) return run === 2 || run === 3 ? dotted(text, at - run, at) : undefined
  return next === slash ? ruleAt(text, at, urlPassword) : assignedAt(text, at, run)
}

const letterP = 112

function dotted(text: string, start: number, end: number): Range | undefined {
  const word = text.slice(start, end)
  if (word === 'SG') return ruleAt(text, start, sendgridKey)
  return word === 'hvs' || word === 'hvb' || word === 'hvr' ? ruleAt(text, start, vaultToken) : undefined
}

function authorizedBy(text: string, start: number): Range | undefined {
  if (text.charCodeAt(start - 1) !== space) return undefined
  const before = /(?:bearer|basic) +$/i.exec(text.slice(Math.max(0, start - 12), start))
  return before ? ruleAt(text, start - before[0].length, authorization) : undefined
}

const space = 32

/**
 * Finds the name before `:`, `=` or `=>`, with an optional closing quote and space, and tests its
 * value.
 */
function assignedAt(text: string, at: number, run: number): Range | undefined {
  let end = at
  let start = at - run
  if (run === 0) {
    while (end > at - 6 && isBetween(text.charCodeAt(end - 1))) end--
    start = end
    while (start > end - 60 && characterClass[text.charCodeAt(start - 1)] === wordCharacter) start--
  }
  if (end - start < 5) return undefined
  const word = text.slice(start, end)
  if (!secretName.test(word)) return undefined
  return (word.endsWith('_authToken') ? ruleAt(text, at, npmPassword) : undefined) ?? ruleAt(text, end, assignment)
}

function isBetween(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 // a backslash: JSON inside a text
}

/** First two letters of every token; rejects most long words. */
const beginsToken = new Set(
  'A3 AK AG AI AR AN AS AB AC gh gi gl gs xo xa sk rk sh np nt hf li vc da dc do fi op ey'.split(' '),
)
const tokenStart = new Uint8Array(65536)
for (const pair of beginsToken) tokenStart[(pair.charCodeAt(0) << 8) | pair.charCodeAt(1)] = 1

/** A token may follow digits and dashes but not letters, which would make it part of a word. */
function tokenIn(text: string, start: number): Range | undefined {
  let at = start
  // Stops at the end of the word: in a text of numbers each would be scanned to the end.
  while (characterClass[text.charCodeAt(at)] === wordCharacter && !isLetter(text.charCodeAt(at))) at++
  if (tokenStart[(text.charCodeAt(at) << 8) | text.charCodeAt(at + 1)] !== 1) return undefined
  token.lastIndex = at
  const match = token.exec(text)?.[0]
  if (!match) return undefined
  const { kind } = tokenPatterns.find(({ pattern }) => pattern.test(match))!
  return { start: at, end: at + match.length, kind }
}

function isLetter(code: number): boolean {
  const lower = code | 32
  return lower >= 97 && lower <= 122
}

/** Mixed digits and letters, as in generated secrets. */
function looksRandom(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z]/.test(secret) && isNoPlaceholder(secret)
}

function looksLikeValue(secret: string): boolean {
  if (!isNoPlaceholder(secret)) return false
  if (/^[a-z]+(?:[._-][a-z]+)*$/i.test(secret)) return false // a name, not a value
  return /\d/.test(secret) || /[^\w.-]/.test(secret) || secret.length >= 24
}

const placeholder =
  /^(?:\W*|x+|\*+|\.+)$|^(?:your|my|the|some|example|dummy|fake|mock|test|change|placeholder|redacted|process\.env|os\.environ|env\.|\$|%|<|\{)|example|placeholder|\.\.\.|…|xxxx|\*\*\*|\[secret/i

function isNoPlaceholder(secret: string): boolean {
  return !placeholder.test(secret)
}

/** Sorted and without overlap; overlapping ranges are joined under the kind of the first. */
function merge(ranges: Range[]): Range[] {
  if (ranges.length < 2) return ranges
  ranges.sort((a, b) => a.start - b.start || b.end - a.end)
  const merged: Range[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end)
    else merged.push({ ...range })
  }
  return merged
}
