// Texts inside texts: escaped, percent-encoded, coloured or continued lines become a decoded view
// whose positions are known; base64 is decoded to be looked at.

/** Signs that may begin an escape, without the backslash. */
const escapeSign = /\u001b|%[0-9A-Fa-f]{2}|&(?:quot|amp|apos|lt|gt|#\d|#x)|[\u200b\u00ad\u2060]/g

/** What surrounds an escape is decoded with it: the name before a value, the value after it. */
const before = 100
const after = 240

export interface TextPart {
  start: number
  end: number
}

/** Parts of the text around escapes, of which there is none before `from`; parts that overlap are one. */
export function escapedParts(text: string, from: number): TextPart[] {
  const parts: TextPart[] = []
  escapeSign.lastIndex = from
  for (let match = escapeSign.exec(text); match; match = escapeSign.exec(text)) {
    addPart(text, parts, match.index)
    // What is within the part already does not have to be found again.
    escapeSign.lastIndex = Math.max(escapeSign.lastIndex, match.index + 100)
  }
  return withWholeWords(text, parts)
}

/** Parts around continued lines, and around the places of markers that have a backslash near them. */
export function backslashedParts(text: string, markers: readonly number[], hasContinued: boolean): TextPart[] {
  const parts: TextPart[] = []
  const hits = hasContinued ? [...markers, ...continuedLines(text)].sort((a, b) => a - b) : markers
  /** The first backslash at or behind `searched`. */
  let next = -1
  let searched = Number.POSITIVE_INFINITY
  for (const hit of hits) {
    const from = hit - before + 1
    if (from < searched || next < from) {
      next = text.indexOf('\\', from)
      searched = from
      if (next < 0) next = Number.POSITIVE_INFINITY
    }
    if (next - hit < after) addPart(text, parts, hit)
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

/** What is left of the parts: a payload has no escapes, and a piece of one may look like a token. */
export function withoutPayloads(parts: TextPart[], payloads: readonly TextPart[]): TextPart[] {
  if (payloads.length === 0) return parts
  const left: TextPart[] = []
  let next = 0
  for (const part of parts) {
    let { start } = part
    while (next < payloads.length && payloads[next]!.end <= start) next++
    for (let at = next; at < payloads.length && payloads[at]!.start < part.end; at++) {
      if (payloads[at]!.start > start) left.push({ start, end: payloads[at]!.start })
      start = payloads[at]!.end
    }
    if (start < part.end) left.push({ start, end: part.end })
  }
  return left
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

const beginsEscape = new Uint8Array(65536)
for (const unit of [backslash, percent, ampersand, escapeUnit, 0xad, 0x200b, 0x2060]) beginsEscape[unit] = 1

let units = new Uint16Array(1 << 14)
let unitBytes = Buffer.from(units.buffer)

/** The part of the text with its escapes decoded; undefined if there are none. */
export function decodeEscapes(text: string, from: number, to: number): string | undefined {
  const size = to - from
  if (units.length < size) {
    units = new Uint16Array(2 * size)
    unitBytes = Buffer.from(units.buffer)
  }
  const view = units
  const escapes = beginsEscape
  unitBytes.ucs2Write(text.slice(from, to), 0, 2 * size)
  let seen = 0
  let length = 0
  let isChanged = false
  for (let at = 0; at < size; ) {
    // A loop of its own, because a loop without calls is several times faster.
    for (; at < size; at++) {
      const code = view[at]!
      if (escapes[code] !== 0) break
      seen |= code
      view[length++] = code
    }
    if (at >= size) break
    const code = view[at]!
    const unit = decodeAt(text, from + at, code)
    if (unit !== notEscaped) isChanged = true
    if (unit !== noUnit) {
      const decoded = unit === notEscaped ? code : unit
      seen |= decoded
      view[length++] = decoded
    }
    at = unit === notEscaped ? at + 1 : escapeEnd - from
  }
  if (!isChanged) return undefined
  // A string of one byte per character, where that is possible, is faster to search.
  if (seen < 256) return Buffer.from(view.subarray(0, length)).latin1Slice(0, length)
  return unitBytes.ucs2Slice(0, 2 * length)
}

/** Where the units of a decoded part were written: unit `i` at `starts[i]` up to `ends[i]`. */
export function positionsOf(text: string, from: number, to: number): { starts: Int32Array; ends: Int32Array } {
  const starts = new Int32Array(to - from)
  const ends = new Int32Array(to - from)
  let length = 0
  for (let at = from; at < to; ) {
    const code = text.charCodeAt(at)
    const unit = beginsEscape[code] === 0 ? notEscaped : decodeAt(text, at, code)
    const end = unit === notEscaped ? at + 1 : escapeEnd
    if (unit !== noUnit) {
      starts[length] = at
      ends[length++] = end
    }
    at = end
  }
  return { starts, ends }
}

/** In place of a decoded unit: the escape stands for nothing, or there is no escape. */
const noUnit = -1
const notEscaped = -2
/** Where the escape ends that was decoded last. */
let escapeEnd = 0

/** The decoded unit; `escapeEnd` says where the escape ends. */
function decodeAt(text: string, at: number, code: number): number {
  if (code === backslash) return afterBackslashes(text, at)
  if (code === percent) return percentAt(text, at)
  if (code === ampersand) return entityAt(text, at)
  if (code === escapeUnit) return colourAt(text, at + 1)
  return decodedAs(noUnit, at + 1)
}

function decodedAs(unit: number, end: number): number {
  escapeEnd = end
  return unit
}

/** By the character behind backslashes. */
const simpleEscapes = new Int16Array(128).fill(notEscaped)
for (const sign of '"\'`/=:&-.+@$ _!#*') simpleEscapes[sign.charCodeAt(0)] = sign.charCodeAt(0)
for (const [index, letter] of [...'nrtbf'].entries()) simpleEscapes[letter.charCodeAt(0)] = [10, 13, 9, 32, 32][index]!

const maxBackslashes = 16

/** JSON in JSON doubles its backslashes, so any number of them is one escape. */
function afterBackslashes(text: string, at: number): number {
  let end = at
  while (end < at + maxBackslashes && text.charCodeAt(end) === backslash) end++
  const count = end - at
  const next = text.charCodeAt(end)
  if (next === 10 || next === 13) return decodedAs(noUnit, skipIndent(text, end))
  // `\\\n`: a backslash and a line end, both escaped.
  if (next === letterN && count >= 3 && count % 2 === 1) return decodedAs(noUnit, skipSpaces(text, end + 1))
  if (next === letterU || next === letterX) {
    const digits = next === letterU ? 4 : 2
    const unit = hexAt(text, end + 1, digits)
    if (unit < 0) return notEscaped
    return unit === escapeUnit ? colourAt(text, end + 1 + digits) : decodedAs(unit, end + 1 + digits)
  }
  if (next === letterE) return text.charCodeAt(end + 1) === bracket ? colourAt(text, end + 1) : notEscaped
  if (next === zero && text.startsWith('033[', end)) return colourAt(text, end + 3)
  const unit = next < 128 ? simpleEscapes[next]! : notEscaped
  return unit === notEscaped ? notEscaped : decodedAs(unit, end + 1)
}

const letterN = 110
const letterU = 117
const letterX = 120
const letterE = 101
const bracket = 91
const zero = 48

/** The value of so many hexadecimal digits; -1 if there are fewer. */
function hexAt(text: string, at: number, digits: number): number {
  let value = 0
  for (let index = at; index < at + digits; index++) {
    const digit = hexValue(text.charCodeAt(index))
    if (digit < 0) return -1
    value = (value << 4) | digit
  }
  return value
}

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 && code < 128 ? letter - 87 : -1
}

function skipIndent(text: string, at: number): number {
  return skipSpaces(text, text.startsWith('\r\n', at) ? at + 2 : at + 1)
}

function skipSpaces(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++
  return end
}

const sequence = /\[[0-9;?]{0,20}[A-Za-z]|\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)|[()][A-Z0-9]/y

/** Colours and other control sequences of terminals are left out. */
function colourAt(text: string, at: number): number {
  sequence.lastIndex = at
  return decodedAs(noUnit, sequence.test(text) ? sequence.lastIndex : at)
}

/** Also `%253D`, which was encoded twice. */
function percentAt(text: string, at: number): number {
  const first = hexAt(text, at + 1, 2)
  if (first < 0) return notEscaped
  if (first >= 0xc0) return characterAt(text, at, first)
  if (first !== percent) return decodedAs(first, at + 3)
  let end = at + 3
  while (text.startsWith('25', end) && end < at + 9) end += 2
  const twice = hexAt(text, end, 2)
  // A control character was not meant.
  return twice >= 32 || twice === 10 || twice === 9 ? decodedAs(twice, end + 2) : decodedAs(percent, at + 3)
}

/** A character of several bytes in UTF-8. */
function characterAt(text: string, at: number, first: number): number {
  const count = first >= 0xe0 ? 3 : 2
  let unit = first & (count === 3 ? 15 : 31)
  for (let index = 1; index < count; index++) {
    const byte = text.charCodeAt(at + 3 * index) === percent ? hexAt(text, at + 3 * index + 1, 2) : -1
    if ((byte & 0xc0) !== 0x80) return decodedAs(first, at + 3)
    unit = (unit << 6) | (byte & 63)
  }
  return decodedAs(unit, at + 3 * count)
}

const entities: Record<string, number> = { quot: 34, amp: 38, apos: 39, lt: 60, gt: 62 }
const entity = /&(?:(quot|amp|apos|lt|gt)|#(\d{1,5})|#x([0-9a-fA-F]{1,4}));/y

function entityAt(text: string, at: number): number {
  entity.lastIndex = at
  const match = entity.exec(text)
  if (!match) return notEscaped
  const [, name, decimal, hex] = match
  const unit = name ? entities[name]! : decimal ? Number(decimal) & 0xffff : Number.parseInt(hex!, 16)
  return decodedAs(unit, entity.lastIndex)
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
