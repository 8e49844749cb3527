// Texts inside texts: escaped, percent-encoded, coloured or continued lines become a decoded view
// whose positions are known; base64 is decoded to be looked at.

/** A decoded part of a text. Unit `i` of the view was written at `starts[i]` up to `ends[i]`. */
export interface DecodedView {
  text: string
  starts: Int32Array
  ends: Int32Array
}

/** Signs that may begin an escape, without the backslash. */
const escapeSign = /\u001b|%[0-9A-Fa-f]{2}|&(?:quot|amp|apos|lt|gt|#\d|#x)|[\u200b\u00ad\u2060]/g

/** What surrounds an escape is decoded with it: the name before a value, the value after it. */
const before = 100
const after = 240

export interface TextPart {
  start: number
  end: number
}

/** Parts of the text around escapes; parts that overlap are one. */
export function escapedParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  escapeSign.lastIndex = 0
  for (let match = escapeSign.exec(text); match; match = escapeSign.exec(text)) {
    addPart(text, parts, match.index)
    // What is within the part already does not have to be found again.
    escapeSign.lastIndex = Math.max(escapeSign.lastIndex, match.index + 100)
  }
  return withWholeWords(text, parts)
}

/** Parts around continued lines, and around the places of markers that have a backslash near them. */
export function backslashedParts(text: string, markers: readonly number[]): TextPart[] {
  const parts: TextPart[] = []
  const continued = [...continuedLines(text)]
  const hits = continued.length === 0 ? markers : [...markers, ...continued].sort((a, b) => a - b)
  let next = text.indexOf('\\')
  let last = -1
  for (const hit of hits) {
    while (next >= 0 && next < hit) {
      last = next
      next = text.indexOf('\\', next + 1)
    }
    if ((last >= 0 && hit - last < before) || (next >= 0 && next - hit < after)) addPart(text, parts, hit)
  }
  return withWholeWords(text, parts)
}

function* continuedLines(text: string): Generator<number> {
  for (let at = text.indexOf('\\\n'); at >= 0; at = text.indexOf('\\\n', at + 1)) yield at
  for (let at = text.indexOf('\\\r\n'); at >= 0; at = text.indexOf('\\\r\n', at + 1)) yield at
}

function addPart(text: string, parts: TextPart[], at: number): void {
  const last = parts.at(-1)
  const end = Math.min(text.length, at + after)
  if (last && at - before <= last.end) last.end = Math.max(last.end, end)
  else parts.push({ start: wordStart(text, Math.max(0, at - before)), end })
}

function withWholeWords(text: string, parts: TextPart[]): TextPart[] {
  for (const part of parts) part.end = wordEnd(text, part.end)
  return parts
}

const maxWord = 2000

function wordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && start > at - maxWord && text.charCodeAt(start - 1) > 32) start--
  return start
}

function wordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && end < at + maxWord && text.charCodeAt(end) > 32) end++
  return end
}

const backslash = 92
const percent = 37
const ampersand = 38
const escapeUnit = 27

export function decodeEscapes(text: string, from: number, to: number): DecodedView | undefined {
  const units = new Uint16Array(to - from)
  const starts = new Int32Array(to - from)
  const ends = new Int32Array(to - from)
  let length = 0
  let isChanged = false
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at)
    const step =
      code === backslash || code === percent || code === ampersand || code === escapeUnit || code > 0xac
        ? decodeAt(text, at, code)
        : undefined
    if (step === undefined) {
      units[length] = code
      starts[length] = at
      ends[length++] = ++at
      continue
    }
    isChanged = true
    if (step.unit >= 0) {
      units[length] = step.unit
      starts[length] = at
      ends[length++] = step.end
    }
    at = step.end
  }
  if (!isChanged) return undefined
  return { text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'), starts, ends }
}

/** The decoded unit, or -1 for nothing, and where the escape ends. */
interface DecodedStep {
  unit: number
  end: number
}

function decodeAt(text: string, at: number, code: number): DecodedStep | undefined {
  if (code === backslash) return afterBackslashes(text, at)
  if (code === percent) return percentAt(text, at)
  if (code === ampersand) return entityAt(text, at)
  if (code === escapeUnit) return colourEnd(text, at + 1)
  return code === 0x200b || code === 0xad || code === 0x2060 ? { unit: -1, end: at + 1 } : undefined
}

const simpleEscapes: Record<string, number> = {
  n: 10,
  r: 13,
  t: 9,
  b: 32,
  f: 32,
  '"': 34,
  "'": 39,
  '`': 96,
  '/': 47,
  '=': 61,
  ':': 58,
  '&': 38,
  '-': 45,
  '.': 46,
  '+': 43,
  '@': 64,
  $: 36,
  ' ': 32,
  _: 95,
  '!': 33,
  '#': 35,
  '*': 42,
}
const maxBackslashes = 16

/** JSON in JSON doubles its backslashes, so any number of them is one escape. */
function afterBackslashes(text: string, at: number): DecodedStep | undefined {
  let end = at
  while (end < at + maxBackslashes && text.charCodeAt(end) === backslash) end++
  const count = end - at
  const next = text.charAt(end)
  if (next === '\n' || next === '\r') return { unit: -1, end: skipIndent(text, end) }
  // `\\\n`: a backslash and a line end, both escaped.
  if (next === 'n' && count >= 3 && count % 2 === 1) return { unit: -1, end: skipSpaces(text, end + 1) }
  if (next === 'u' || next === 'x') {
    const digits = next === 'u' ? 4 : 2
    const hex = text.slice(end + 1, end + 1 + digits)
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined
    const unit = Number.parseInt(hex, 16)
    return unit === escapeUnit ? colourEnd(text, end + 1 + digits) : { unit, end: end + 1 + digits }
  }
  if (next === 'e') return text.charAt(end + 1) === '[' ? colourEnd(text, end + 1) : undefined
  if (text.startsWith('033[', end)) return colourEnd(text, end + 3)
  const unit = simpleEscapes[next]
  return unit === undefined ? undefined : { unit, end: end + 1 }
}

function skipIndent(text: string, at: number): number {
  return skipSpaces(text, text.startsWith('\r\n', at) ? at + 2 : at + 1)
}

function skipSpaces(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++
  return end
}

/** Colours and other control sequences of terminals are left out. */
function colourEnd(text: string, at: number): DecodedStep {
  const sequence = /\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[()][A-Z0-9]/y
  sequence.lastIndex = at
  return { unit: -1, end: sequence.test(text) ? sequence.lastIndex : at }
}

/** Also `%253D`, which was encoded twice. */
function percentAt(text: string, at: number): DecodedStep | undefined {
  const first = byteAt(text, at + 1)
  if (first < 0) return undefined
  if (first >= 0xc0) return characterAt(text, at, first)
  if (first !== percent) return { unit: first, end: at + 3 }
  let end = at + 3
  while (text.startsWith('25', end) && end < at + 9) end += 2
  const twice = byteAt(text, end)
  // A control character was not meant.
  return twice >= 32 || twice === 10 || twice === 9 ? { unit: twice, end: end + 2 } : { unit: percent, end: at + 3 }
}

/** -1 if there are no two hexadecimal digits. */
function byteAt(text: string, at: number): number {
  const hex = text.slice(at, at + 2)
  return /^[0-9a-fA-F]{2}$/.test(hex) ? Number.parseInt(hex, 16) : -1
}

/** A character of several bytes in UTF-8. */
function characterAt(text: string, at: number, first: number): DecodedStep {
  const count = first >= 0xe0 ? 3 : 2
  let unit = first & (count === 3 ? 15 : 31)
  for (let index = 1; index < count; index++) {
    const byte = text.charCodeAt(at + 3 * index) === percent ? byteAt(text, at + 3 * index + 1) : -1
    if ((byte & 0xc0) !== 0x80) return { unit: first, end: at + 3 }
    unit = (unit << 6) | (byte & 63)
  }
  return { unit, end: at + 3 * count }
}

const entities: Record<string, number> = { quot: 34, amp: 38, apos: 39, lt: 60, gt: 62 }

function entityAt(text: string, at: number): DecodedStep | undefined {
  const entity = /&(?:(quot|amp|apos|lt|gt)|#(\d{1,5})|#x([0-9a-fA-F]{1,4}));/y
  entity.lastIndex = at
  const match = entity.exec(text)
  if (!match) return undefined
  const [, name, decimal, hex] = match
  const unit = name ? entities[name]! : decimal ? Number(decimal) : Number.parseInt(hex!, 16)
  return { unit, end: entity.lastIndex }
}

/** The text that a run of base64 contains; undefined if it contains none. */
export function decodeBase64(run: string): string | undefined {
  if (!startsWithText(run, 0)) return undefined
  const bytes = Buffer.from(run, 'base64')
  if (bytes.length > 3 && bytes[1] === 0 && bytes[3] === 0) return bytes.toString('utf16le')
  const text = bytes.toString('utf8')
  return isText(text.slice(0, 400)) ? text : undefined
}

/** Most letters decode to bytes that are no text, so a few of them decide. Text in hex is text. */
export function startsWithText(text: string, start: number): boolean {
  if (isHexText(text, start)) return true
  let bits = 0
  let zeros = 0
  /** Bytes that still belong to a character of UTF-8. */
  let pending = 0
  for (let at = 0; at < 16; at++) {
    bits = (bits << 6) | sextets[text.charCodeAt(start + at) & 127]!
    if (at % 4 === 0) continue
    const byte = (bits >> (6 - 2 * (at % 4))) & 255
    if (byte === 0) zeros++
    else if (pending > 0) {
      if (byte < 0x80 || byte > 0xbf) return false
      pending--
    } else if (byte >= 0xc2 && byte < 0xf0) pending = byte < 0xe0 ? 1 : 2
    else if (byte > 126 || (byte < 32 && byte !== 10 && byte !== 13 && byte !== 9)) return false
  }
  return zeros === 0 || zeros === 6
}

/** Printable characters in hex begin with 2 to 7. */
function isHexText(text: string, start: number): boolean {
  for (let at = start; at < start + 16; at += 2) {
    const high = text.charCodeAt(at)
    if (high < 50 || high > 55) return false
  }
  return true
}

const sextets = new Uint8Array(128)
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  sextets[character.charCodeAt(0)] = value
}
sextets[45] = 62 // - and _ of the alphabet for addresses
sextets[95] = 63

function isText(text: string): boolean {
  return !/[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f\ufffd]/.test(text.slice(0, -4))
}

const hexText = /^(?:[0-9a-f]{2})+$/i

/** The text that a run of hexadecimal digits contains. */
export function decodeHex(run: string): string | undefined {
  const first = Number.parseInt(run.slice(0, 2), 16)
  if (!(first >= 32 && first < 127) || run.length % 2 === 1 || !hexText.test(run)) return undefined
  const text = Buffer.from(run, 'hex').toString('latin1')
  return /^[\t\n\r -~]+$/.test(text) ? text : undefined
}
