// Finds opaque payloads in texts: images, documents and sounds in base64, ciphertexts and signatures. Some
// of their letters look like a token by chance, and one changed letter makes a payload useless and a
// request that has it invalid. So a payload is kept byte for byte, or left out as a whole.
import { isUtf8 } from 'node:buffer'
import {
  endOf,
  hasClass,
  isAlphanumericUnit,
  isEncodedUnit,
  isNameUnit,
  isStandardUnit,
  type SecretRange,
  startOf,
} from './units.ts'

export interface Payload {
  start: number
  /** Behind the padding. */
  end: number
  /**
   * Whether only the name before it tells what it is: a token of the same length under that name is a secret.
   * Of others the structure tells.
   */
  isNamed: boolean
}

/** Shorter ones have no room for the head of a file. */
const minFileLength = 40
/** Shorter values under a name have no token in them by chance, and may be one. */
const minNamedLength = 64

/** The payload that begins at `at`, where a run of base64 letters begins. Nearly all runs are none. */
export function payloadAt(text: string, at: number): Payload | undefined {
  const before = text.charCodeAt(at - 1)
  const start = before === backslash ? afterEscape(text, at) : at
  return fileAt(text, start) ?? (isQuote(before) || before === comma ? sealedAt(text, start) : undefined)
}

/** The payload in whose first letters something looks like a secret. Further on nothing is tried. */
export function payloadAround(text: string, { start, end }: SecretRange, marker: string): Payload | undefined {
  const runStart = startOf(text, start, isEncodedUnit, maxHead)
  if (start - runStart === maxHead) return undefined
  const payload = payloadAt(text, runStart)
  if (!payload?.isNamed || start > payload.start || end < payload.end) return payload
  // One ciphertext in some thousands begins with a short marker, and is longer than such tokens.
  const isSecret = marker.length >= minLongMarker || payload.end - payload.start <= maxShortMarked
  return isSecret ? undefined : payload
}

const minLongMarker = 5
/** Tokens behind markers of three or four letters, such as `sk-`, are not longer. */
const maxShortMarked = 256

/** A run is recognised as a payload at its twentieth letter; a marker may be in front of it. */
const maxHead = 40

/** Where text begins after `\n` in JSON, of which the letter seems to belong to it. */
function afterEscape(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code === 110 || code === 114 || code === 116 ? at + 1 : at
}

function fileAt(text: string, start: number): Payload | undefined {
  if (beginsFile[pairAt(text, start)] === 0) return undefined
  const checks = heads.get(text.slice(start, start + 3))
  if (!checks || !hasLetters(text, start, minFileLength)) return undefined
  const { end, letters } = endOfBase64(text, start)
  if (letters < minFileLength) return undefined
  const head = Buffer.from(text.slice(start, Math.min(end, start + headLetters)), 'base64')
  return checks.some((isFile) => isFile(head, (letters * 3) >> 2)) ? { start, end, isNamed: false } : undefined
}

function sealedAt(text: string, start: number): Payload | undefined {
  if (!hasLetters(text, start, minNamedLength)) return undefined
  const name = nameBefore(text, start)
  if (name === undefined) return undefined
  const { end, letters, isWhole } = endOfBase64(text, start)
  if (!isWhole || letters < minNamedLength) return undefined
  const encoded = text.slice(start, end)
  // Also text is kept, or removed, as a whole: letters in the middle of it are no token.
  if (isUtf8(bytesOf(encoded))) return { start, end, isNamed: false }
  return isSealed(encoded, isStructuredName(name)) ? { start, end, isNamed: true } : undefined
}

/** Looks at a few places only: most runs are shorter. */
function hasLetters(text: string, start: number, count: number): boolean {
  for (let at = start + count - 1; at > start; at -= 7) if (!hasClass(text, at, isEncodedUnit)) return false
  return true
}

/** Line breaks may be escaped. */
export function bytesOf(payload: string): Buffer {
  return Buffer.from(payload.includes('\\') ? payload.replace(/\\+[nr]/g, '') : payload, 'base64')
}

/** Whether values under the name are ciphertexts, signatures or files if they have the form of one. */
export function isOpaqueName(name: string): boolean {
  return opaqueName.test(name) || isStructuredName(name)
}

/** `encrypted_content` of the Responses API, `thoughtSignature` of Gemini, `reasoningOpaque` of Copilot, … */
const opaqueName = /(?:signature|opaque|encrypted_?content|redacted_?content|;base64)$|^(?:encrypted|apiCallId)$/i

/** Anything may stand under these names: the structure of the value decides too. */
const isStructuredName = (name: string) => name === 'data'

const [comma, colon, equals, backslash] = [44, 58, 61, 92]
const isQuote = (code: number) => code === 34 || code === 39 || code === 96
const isSpace = (code: number) => code === 32 || code === 9
const maxNameLength = 40

/** The name of the quoted value that begins here; `;base64` in a data URL. */
function nameBefore(text: string, start: number): string | undefined {
  if (text.charCodeAt(start - 1) === comma) return text.endsWith(';base64', start - 1) ? ';base64' : undefined
  let at = skipBack(text, start, isQuoting)
  at = skipBack(text, at, isSpace)
  const sign = text.charCodeAt(at - 1)
  if (sign !== colon && sign !== equals) return undefined
  at = skipBack(text, skipBack(text, at - 1, isSpace), isQuoting)
  const name = text.slice(startOf(text, at, isNameUnit, maxNameLength), at)
  return isOpaqueName(name) ? name : undefined
}

/** JSON in JSON has backslashes before its quotes. */
const isQuoting = (code: number) => isQuote(code) || code === backslash

function skipBack(text: string, from: number, isSkipped: (code: number) => boolean): number {
  let at = from
  while (at > 0 && at > from - 16 && isSkipped(text.charCodeAt(at - 1))) at--
  return at
}

interface Base64Text {
  end: number
  /** Without line breaks and padding. */
  letters: number
  /** Whether a sign follows that base64 does not have in either alphabet, nor a token between its parts. */
  isWhole: boolean
}

const padding = /={0,2}/y
const lineBreak = /(?:\r?\n|(?:\\{1,8}r)?\\{1,8}n)[ \t]{0,16}/y
/** Wrapped texts have 64 or 76 letters in a line. */
const minLineLength = 60

/** To the end of the run in one alphabet, and on over lines of the same length. */
function endOfBase64(text: string, start: number): Base64Text {
  const sign = text.charCodeAt(endOf(text, start, isAlphanumericUnit))
  const alphabet = sign === 45 || sign === 95 ? isNameUnit : isStandardUnit
  let end = endOfLetters(text, start, alphabet)
  const width = end - start
  let letters = width
  for (let from = end; width >= minLineLength; from = end) {
    const line = matchEnd(lineBreak, text, from)
    if (line === 0) break
    const next = endOf(text, line, alphabet, width + 1)
    const length = next - line
    if (length === 0 || length > width) break
    const isLast = length < width
    if (isLast && (letters + length + matchEnd(padding, text, next) - next) % 4 !== 0) break
    letters += length
    end = next
    if (isLast) break
  }
  const padded = matchEnd(padding, text, end)
  return {
    end: padded,
    letters,
    isWhole: !hasClass(text, padded, isEncodedUnit) && !/[.%=]/.test(text.charAt(padded)),
  }
}

const chunkLetters = 1024

/** Decoding a chunk, which leaves other signs out, is several times faster than a look at each letter. */
function endOfLetters(text: string, start: number, alphabet: number): number {
  const [other, another] = alphabet === isNameUnit ? ['+', '/'] : ['-', '_']
  let at = start
  for (; at + chunkLetters <= text.length; at += chunkLetters) {
    const chunk = text.slice(at, at + chunkLetters)
    if (chunk.includes(other) || chunk.includes(another)) break
    if (Buffer.from(chunk, 'base64').length !== (chunkLetters / 4) * 3) break
  }
  return endOf(text, at, alphabet)
}

/** Zero if it does not match. */
function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** Letters that are decoded to look at the head of a file; a line of wrapped text is not shorter. */
const headLetters = 60

/** `head` are the first bytes, and `length` is that of all. */
type FileCheck = (head: Buffer, length: number) => boolean

/** By the first three letters in base64. Each looks at more than the letters by which the file is known. */
const heads = new Map<string, FileCheck[]>()
/** By the first two: most runs are names and paths, and are looked at no further. */
const beginsFile = new Uint8Array(1 << 14)

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)
}

function add(starts: string, check: FileCheck): void {
  for (const start of starts.split(' ')) {
    heads.set(start, [...(heads.get(start) ?? []), check])
    beginsFile[pairAt(start, 0)] = 1
  }
}

const ascii = (head: Buffer, from: number, to: number) => head.toString('latin1', from, to)
const startsWith = (head: Buffer, hex: string) => head.toString('hex', 0, hex.length / 2) === hex

add('iVB', (head) => {
  if (!startsWith(head, '89504e470d0a1a0a0000000d49484452')) return false
  return head.readUInt32BE(16) > 0 && head.readUInt32BE(20) > 0 && [1, 2, 4, 8, 16].includes(head[24]!) && head[25]! < 7
})
// JPEG: the first segment is one that may stand there, and has the content of one.
add('/9j _9j', (head) => {
  if (head[2] !== 0xff) return false
  const size = head.readUInt16BE(4)
  const inside = ascii(head, 6, 12)
  switch (head[3]) {
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xed:
    case 0xee:
      return /^(?:JFIF|JFXX|Exif|http|ICC_|Photo|Adobe)/.test(inside)
    case 0xdb:
      return size % 65 === 2 || size % 129 === 2
    case 0xc0:
    case 0xc2:
      return head[6] === 8 && size === 8 + 3 * head[11]!
    default:
      // A comment may be long: no path has `/9j+`, as one may have the letters of the others.
      if (head[3] === 0xfe) return size > 2
      return (head[3] === 0xc4 || head[3]! >> 4 === 0xe) && size > 2 && size < 0x2000
  }
})
add('R0l', (head) => {
  if (!/^GIF8[79]a$/.test(ascii(head, 0, 6))) return false
  // In a text these would be letters.
  return [head.readUInt16LE(6), head.readUInt16LE(8)].every((pixels) => pixels > 0 && pixels < 0x2000)
})
add('Ukl', (head) => /^RIFF.{4}(?:WEBPVP8[ LX]|WAVE|AVI )/s.test(ascii(head, 0, 16)))
add('Qk0 Qk1 Qk2 Qk3', (head) => {
  const isHeader = [12, 40, 52, 56, 64, 108, 124].includes(head.readUInt32LE(14))
  return ascii(head, 0, 2) === 'BM' && isHeader && head.readUInt32LE(6) === 0
})
add('SUk TU0', (head) => startsWith(head, '49492a00') || startsWith(head, '4d4d002a') || startsWith(head, '49492b00'))
// AVIF, HEIC, MP4, icons
add('AAA AAB', (head) => {
  if (ascii(head, 4, 8) === 'ftyp') return head.readUInt32BE(0) < 256 && /^[\w ]{4}$/.test(ascii(head, 8, 12))
  return startsWith(head, '00000100') && head[4]! > 0 && head[4]! < 64 && head[5] === 0 && head[9] === 0
})
add('JVB', (head) => /^%PDF-\d\.\d\s/.test(ascii(head, 0, 9)))
// Zip, and what is one: documents of Office, EPUB
add('UEs', (head) => {
  if (!startsWith(head, '504b0304') || head[5] !== 0 || head.readUInt16LE(8) > 99) return false
  return head.readUInt16LE(26) > 0 && /^[\x20-\x7e\x80-\xff]+$/.test(ascii(head, 30, 30 + head.readUInt16LE(26)))
})
add('SUQ', (head) => /^ID3[\x02-\x04]\x00[\x00-\xf0][\x00-\x7f]{4}/.test(ascii(head, 0, 10)))
add('T2d', (head) => /^OggS\x00[\x00-\x07]/.test(ascii(head, 0, 6)))
add('Zkx', (head) => startsWith(head, '664c614300000022') || startsWith(head, '664c614380000022'))
add('GkX', (head) => startsWith(head, '1a45dfa3'))
add('H4s', (head) => startsWith(head, '1f8b08') && head[3]! < 0x20)
add('KLU', (head) => startsWith(head, '28b52ffd'))
add('N3q', (head) => startsWith(head, '377abcaf271c'))
add('0M8', (head) => startsWith(head, 'd0cf11e0a1b11ae1'))
add('AGF', (head) => startsWith(head, '0061736d01000000'))
add('d09', (head) => /^wOF[F2](?:\x00\x01\x00\x00|OTTO|true)/.test(ascii(head, 0, 8)))
// Fernet, the form of OpenAI's `encrypted_content`: version, time, vector, blocks, digest. Only a whole one.
add('gAA', (head, length) => {
  if (!startsWith(head, '8000000000')) return false
  return length >= 73 && (length - 57) % 16 === 0 && head.readUInt32BE(5) > 1_200_000_000
})

/** Shorter ones have no room for a token. */
const minTextLength = 20

/**
 * The texts between other bytes of a payload: its metadata, parts that are not compressed, what was
 * appended, and all of it if only the head is that of a file. Compressed bytes have none.
 */
export function* textsWithin(bytes: Buffer): Generator<string> {
  // A text has one of these bytes.
  for (let at = minTextLength - 1; at < bytes.length; at += minTextLength) {
    if (!isPrintable(bytes[at]!)) continue
    let [start, end] = [at, at]
    while (start > 0 && isPrintable(bytes[start - 1]!)) start--
    while (end < bytes.length && isPrintable(bytes[end]!)) end++
    if (end - start >= minTextLength) yield bytes.toString('latin1', start, end)
    at = end
  }
}

function isPrintable(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9
}

/** Whether the value is a ciphertext or a signature by its form: random, and no text. */
function isSealed(encoded: string, isStructureNeeded: boolean): boolean {
  if (/^A{12}|^[A-Za-z0-9+/]{86}==$/.test(encoded)) return false // zeros; a key of Azure
  const bytes = Buffer.from(encoded, 'base64')
  if (isTextual(bytes) || isDer(bytes)) return false
  return isMessage(bytes) || (!isStructureNeeded && isMixed(encoded))
}

/** A sequence that ends where the bytes end, or has a long length: a key. */
function isDer(bytes: Buffer): boolean {
  return bytes[0] === 0x30 && (bytes[1] === bytes.length - 2 || bytes[1] === 0x81 || bytes[1] === 0x82)
}

/** Text in UTF-8, in another encoding, or with a few bytes around it. */
function isTextual(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true
  const length = Math.min(bytes.length, 96)
  let printable = 0
  let zeros = 0
  for (let at = 0; at < length; at++) {
    const byte = bytes[at]!
    if (byte >= 32 && byte < 127) printable++
    else if (byte === 0) zeros++
  }
  return printable * 4 > length * 3 || zeros * 4 > length
}

/** Random letters have a sixth of digits, and the rest of both cases. Names and words have not. */
function isMixed(encoded: string): boolean {
  const length = Math.min(encoded.length, 128)
  let digits = 0
  let capitals = 0
  let smalls = 0
  for (let at = 0; at < length; at++) {
    const code = encoded.charCodeAt(at)
    if (code >= 97) smalls++
    else if (code >= 65) capitals++
    else if (code >= 48) digits++
  }
  return digits > 0 && capitals * 5 > length && smalls * 5 > length
}

/** A protocol buffer, whose fields end where the bytes end: signatures of Anthropic and Google. */
function isMessage(bytes: Buffer): boolean {
  let at = 0
  for (let fields = 0; at < bytes.length; fields++) {
    const tag = bytes[at++]!
    if (tag < 8 || tag > 127 || fields > 20) return false
    const wire = tag & 7
    if (wire === 1) at += 8
    else if (wire === 5) at += 4
    else if (wire !== 0 && wire !== 2) return false
    else {
      const start = at
      while (at < bytes.length && bytes[at]! > 127) at++
      at++
      if (at - start > 5) return false
      if (wire === 2) at += numberAt(bytes, start, at)
    }
  }
  return at === bytes.length
}

function numberAt(bytes: Buffer, from: number, to: number): number {
  let value = 0
  for (let at = to - 1; at >= from; at--) value = value * 128 + (bytes[at]! & 127)
  return value
}
