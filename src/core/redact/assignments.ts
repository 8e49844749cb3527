// Finds the value that belongs to a name: assignments, name/value pairs, elements, flags, headers.
import { type Heading, headingAt } from './headings.ts'
import { nounOf } from './names.ts'
import { endOf, isNameUnit, type SecretRange, startOf } from './units.ts'
import { isPassphrase, isPlaceholder, isSecret, looksGenerated, type SecretNoun, type ValueSyntax } from './values.ts'

const maxNameLength = 60
/** What stands in place of a secret begins so. */
const mark = '[secret: '

/** The secret behind the name that the word at `at` is part of, or the name if its values are elsewhere. */
export function secretNamedAt(text: string, at: number, wordEnd: number): SecretRange | Heading | undefined {
  const end = endOf(text, wordEnd, isNameUnit, maxNameLength)
  const next = text.charCodeAt(end)
  if (next !== 32 && next !== 9 && next !== greater && !isSignStart(text, end)) return undefined
  let start = startOf(text, at, isNameUnit, maxNameLength)
  while (text.charCodeAt(start - 1) === dot && at - start < maxNameLength)
    start = startOf(text, start - 1, isNameUnit, 30)
  const name = nameBefore(text, start, end)
  const noun = nounOf(name)
  if (!noun) return pluralHeading(text, start, end, name)
  if (text.startsWith(mark, start - 1) || text.startsWith(mark, start - mark.length)) return undefined
  const found = separatorAt(text, end)
  if (found && isTestResult(text, start, end, found.at)) return undefined
  const range = found && valueBehind(text, start, end, noun, found)
  if (range && isAuthorization.test(text.slice(start, end))) range.kind = 'authorization'
  return range ?? headingAt(text, start, end, noun)
}

/** `"input_tokens": 12` */
function isNumber(text: string, end: number): boolean {
  let at = end
  while (at < end + 4 && ' ":='.includes(text.charAt(at))) at++
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57
}

function valueBehind(
  text: string,
  start: number,
  end: number,
  noun: SecretNoun,
  { kind, at }: Separator,
): SecretRange | undefined {
  if (kind === 'gap') return gapSecret(text, start, end, at, noun)
  const range = valueAt(text, at, noun, kind)
  return range ?? (kind === 'sign' && noun === 'password' ? passphraseAt(text, at) : undefined)
}

const wordsToLineEnd = /[a-z]{3,10}(?: [a-z]{3,10}){3,9}(?=[ \t]{0,8}(?:\r?\n|$))/y

/** Words without quotes, as in YAML. */
function passphraseAt(text: string, at: number): SecretRange | undefined {
  wordsToLineEnd.lastIndex = at
  const words = wordsToLineEnd.exec(text)?.[0]
  return words !== undefined && isPassphrase(words)
    ? { start: at, end: at + words.length, kind: 'password' }
    : undefined
}

/** `passwords = [` */
function pluralHeading(text: string, start: number, end: number, name: string): Heading | undefined {
  if ((text.charCodeAt(end - 1) | 32) !== 115 || isNumber(text, end)) return undefined
  const noun = /[^s]s$/i.test(name) ? nounOf(name.slice(0, -1)) : undefined
  return noun && headingAt(text, start, end, noun)
}

/** `--- PASS: TestX`, and `Pw:` in minified code. */
function isTestResult(text: string, start: number, end: number, value: number): boolean {
  const before = text.charCodeAt(value - 1)
  if (end - start === 2) return before === colon
  return end - start === 4 && text.startsWith('PASS', start) && before !== equals
}

const colon = 58
const isAuthorization = /authorization$/i
const dot = 46

/** With the word before it, as in `api key`. */
function nameBefore(text: string, start: number, end: number): string {
  const name = text.slice(start, end)
  if (text.charCodeAt(start - 1) !== 32 || !/^(?:keys?|phrase|code|data)$/i.test(name)) return name
  return text.slice(startOf(text, start - 1, isNameUnit, 20), end)
}

/**
 * `pair`: the value must be quoted, because a comma separates it. `gap`: only space, as behind a
 * flag. `sign`: `=`, `:` and their relatives.
 */
interface Separator {
  kind: 'sign' | 'pair' | 'element' | 'gap' | 'prose'
  at: number
}

// All are bounded, because they are tried behind every word such as `token`.
const closing = '(?:\\\\{0,3}["\'`*\\]})]|&quot;){0,3}'
const sign = new RegExp(
  `${closing}[ \\t]{0,20}(?::=|=>|<-|\\{[^{}\\n]{0,40}\\}[ \\t]{0,2}=|\\?=|\\+=|={1,3}|:|：|->|→|(?<=[ \\t])\\|(?=[ \\t]))\\*{0,2}[ \\t]{0,40}(?:(?:&?['\\w<>[\\]?]{1,24}|\\[\\]byte)[ \\t]{1,3}=[ \\t]{1,3}(?=["'\`]))?`,
  'y',
)
const valueName = '\\\\{0,3}["\']?(?:value|val|secretvalue|stringvalue|default)\\\\{0,3}["\']?\\s{0,4}[:=]\\s{0,4}'
const pair = new RegExp(
  `\\\\{0,3}["']?(?:\\s{0,40}[,;]\\s{0,40}(?:${valueName}|(?=["'\`]))|\\s{0,4}\\{?\\s{1,40}-?\\s{0,20}${valueName}|</\\w{1,20}>\\s{0,40}<(?:string|value|val)>)`,
  'iy',
)
const prose =
  /(?:[ \t](?:for|of|to|on|at|für|fuer|vom|von|zum|pour|du|de|para|del|van|voor|do|dla|per|di)[ \t][^\n.:;!?=,"']{1,40}?)?(?:[ \t]{1,3}(?:is|was|are|remains|equals|ist|lautet|war|est|es|é|è|jest|to)(?:[ \t](?:now|still|set to|currently|jetzt|maintenant))?[ \t]{0,2}:?|[ \t]{0,3}:)[ \t]{1,4}/iy
const gap = /[ \t]{1,8}/y

function separatorAt(text: string, end: number): Separator | undefined {
  const next = text.charCodeAt(end)
  if (next === greater) return { kind: 'element', at: end + 1 }
  if ((next === 34 || next === 39) && text.charCodeAt(end + 1) === greater) return { kind: 'element', at: end + 2 }
  if (next === 40) return callAt(text, end)
  const isSpace = next === 32 || next === 9
  if (!isSpace || isSignStart(text, afterSpaces(text, end))) {
    sign.lastIndex = end
    if (sign.test(text)) return { kind: 'sign', at: sign.lastIndex }
  }
  if (!isSpace || (text.charCodeAt(end + 1) | 32) === 118 /* v */) {
    pair.lastIndex = end
    if (pair.test(text)) return { kind: 'pair', at: pair.lastIndex }
  }
  if (isSpace) {
    prose.lastIndex = end
    if (prose.test(text)) return { kind: 'prose', at: prose.lastIndex }
  }
  gap.lastIndex = end
  return gap.test(text) ? { kind: 'gap', at: gap.lastIndex } : undefined
}

/** `PASSWORD('x')`, `setPassword("x")` */
function callAt(text: string, at: number): Separator | undefined {
  const quote = text.charCodeAt(at + 1)
  return quote === 34 || quote === 39 ? { kind: 'pair', at: at + 1 } : undefined
}

function afterSpaces(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 32 && end < at + 20) end++
  return end
}

const greater = 62

/** Quotes, brackets, `=`, `:` and what else may follow a name immediately. */
function isSignStart(text: string, at: number): boolean {
  return '"\'`*])}=:|?+-\\&,;\n<：→({'.includes(text.charAt(at)) && at < text.length
}

/** Behind a flag or in a netrc file a password may be anything; elsewhere it must look generated. */
function gapSecret(text: string, start: number, end: number, at: number, noun: SecretNoun): SecretRange | undefined {
  const isFlag = text.charCodeAt(start) === dash && !/[A-Za-z0-9]/.test(text.charAt(start - 1))
  if (isFlag && noun !== 'loose') return valueAt(text, at, noun, 'flag')
  if (noun === 'password' && /\blogin[ \t]+\S+\s+$/.test(text.slice(Math.max(0, start - 80), start)))
    return valueAt(text, at, noun, 'flag')
  if (noun === 'loose' && !/key$/i.test(text.slice(start, end))) return undefined
  if (noun === 'password') return passwordAfterGap(text, at)
  const value = bareValue(text, at, false)
  const isCandidate = value.end - value.start >= 16 && looksGenerated(text.slice(value.start, value.end))
  return isCandidate ? valueAt(text, at, noun, 'gap') : undefined
}

/** `WITH PASSWORD 'x'`, `use password x to log in`: a word of letters alone is not taken. */
function passwordAfterGap(text: string, at: number): SecretRange | undefined {
  const quoted = quotedValue(text, at)
  const span = quoted ?? bareValue(text, at, false)
  if (!quoted) span.end = withoutPunctuation(text, span)
  const value = text.slice(span.start, Math.min(span.end, span.start + 200))
  const isMixed =
    /\d/.test(value) && /[A-Za-z]/.test(value) && (quoted || /[^\w.:/-]/.test(value) || looksGenerated(value))
  return isMixed && value.length >= 6 && !/^\w+=/.test(value)
    ? rangeIf(text, span, 'password', quoted ? 'quoted' : 'bare')
    : undefined
}

const dash = 45
const equals = 61

function valueAt(
  text: string,
  at: number,
  noun: SecretNoun,
  kind: Separator['kind'] | 'flag',
): SecretRange | undefined {
  if (kind === 'element') return elementValue(text, at, noun)
  const from = skipScheme(text, skipLiteralPrefix(text, at))
  const quoted = quotedValue(text, from)
  if (kind === 'pair' && !quoted && !isValueName(text, at)) return undefined
  if (quoted) {
    const inner = skipScheme(text, quoted.start)
    return rangeIf(text, { ...quoted, start: inner }, noun, 'quoted')
  }
  const isTight = kind === 'flag' || (kind === 'sign' && text.charCodeAt(at - 1) === equals)
  const bare = bareValue(text, from, isTight)
  if (kind === 'prose') bare.end = withoutPunctuation(text, bare)
  return rangeIf(text, bare, noun, isTight || from > at ? 'tight' : 'bare')
}

function isValueName(text: string, at: number): boolean {
  return /[:=>]\s*$/.test(text.slice(Math.max(0, at - 6), at))
}

function rangeIf(text: string, span: Span, noun: SecretNoun, syntax: ValueSyntax): SecretRange | undefined {
  if (span.end <= span.start) return undefined
  if (!isSecret(text.slice(span.start, span.end), noun, syntax)) return undefined
  const end = span.isCut ? endOfLongValue(text, span.end) : span.end
  return { start: span.start, end, kind: 'password' }
}

interface Span {
  start: number
  end: number
  /** The value is longer than `maxValueLength`; `end` is where the search for its end stopped. */
  isCut?: boolean
}

/** `b"…"`, `r'…'`, `f"…"`, `@"…"`. */
function skipLiteralPrefix(text: string, at: number): number {
  const match = /[bBrRuUf@L]{1,2}(?=["'])/y
  match.lastIndex = at
  return match.test(text) ? match.lastIndex : at
}

const scheme =
  /(?:Bearer|Basic|Token|ApiKey|Api-Key|Digest|Negotiate|JWT|OAuth|SSWS|GenieKey|Bot|Key|Splunk)[ \t]{1,3}/iy

function skipScheme(text: string, at: number): number {
  scheme.lastIndex = at
  return scheme.test(text) ? scheme.lastIndex : at
}

/**
 * Longer values are scanned to their end only once they are known to be secrets: the scan goes on
 * behind them, but it comes back to every place that is none.
 */
const maxValueLength = 1000

const closingQuotes: Record<string, string> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '”',
  '„': '“',
  '«': '»',
  '「': '」',
  '‘': '’',
}

function quotedValue(text: string, at: number): Span | undefined {
  const close = closingQuotes[text.charAt(at)]
  if (close === undefined) return undefined
  const isTriple = text.startsWith(close.repeat(3), at)
  const start = at + (isTriple ? 3 : 1)
  const limit = Math.min(text.length, start + maxValueLength)
  for (let end = start; end < limit; end++) {
    const code = text.charCodeAt(end)
    if (code === backslash) end++
    else if (code === newline && !isTriple) return { start, end }
    else if (text[end] === close) return { start, end }
  }
  return { start, end: limit, isCut: limit < text.length }
}

const backslash = 92
const newline = 10

function endOfLongValue(text: string, from: number): number {
  const space = /["'`\s]/g
  space.lastIndex = from
  return space.exec(text)?.index ?? text.length
}

/** To the next space, or to a sign that ends a value in code, queries and lists. */
function bareValue(text: string, at: number, isTight: boolean): Span {
  const limit = Math.min(text.length, at + maxValueLength)
  let end = at
  for (; end < limit; end++) {
    const code = text.charCodeAt(end)
    if (code <= 32 || code === 0x3000) break
    if (code === 34 || code === 39 || code === 96 || code === 60 || code === 62) break // quotes and < >
    if (code === backslash && /[nrtux"'\\\n]/.test(text.charAt(end + 1))) break
    if ((code === 44 || code === 59) && (!isTight || endsAtSign(text, end))) break // , ;
    if (code === 38 && /^&(?:amp;)?[\w.-]{1,40}=/.test(text.slice(end, end + 46))) break
    if (code > 0x2e80 && code < 0xffee) break
  }
  if (end === limit && limit < text.length) return { start: at, end, isCut: true }
  while (end > at && /[)\]}]/.test(text.charAt(end - 1)) && !/[([{]/.test(text.slice(at, Math.min(end, at + 200))))
    end--
  return { start: at, end }
}

/** A comma or semicolon before a space, the end, or another assignment. */
function endsAtSign(text: string, at: number): boolean {
  return /^[,;](?:$|["'\s)\]}]|[A-Za-z_][\w .-]{0,40}=)/.test(text.slice(at, at + 50))
}

function withoutPunctuation(text: string, { start, end }: Span): number {
  let last = end
  while (last > start && /[.,;:!?]/.test(text.charAt(last - 1))) last--
  return last
}

/** `<password>x</password>`, also with CDATA. */
function elementValue(text: string, at: number, noun: SecretNoun): SecretRange | undefined {
  const match = /\s{0,40}(?:<!\[CDATA\[)?([^<\]\s][^<\]]{0,3999})/y
  match.lastIndex = at
  const value = match.exec(text)?.[1]?.trimEnd()
  if (value === undefined) return undefined
  const isClosed = text.startsWith('</', match.lastIndex) || text.startsWith(']]>', match.lastIndex)
  if (!isClosed) return undefined
  const start = text.indexOf(value, at)
  return rangeIf(text, { start, end: start + value.length }, noun, 'quoted')
}

/** Whether a value is a secret because of its name, as in arguments of tools. */
export function isSecretValue(name: string, value: string): boolean {
  if (value.length < 5 || name.length > 200) return false
  const noun = nounOf(name)
  // `key` is what records call their identity.
  if (!noun || noun === 'loose' || isPlaceholder(value)) return false
  return isSecret(value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''), noun, 'quoted')
}
