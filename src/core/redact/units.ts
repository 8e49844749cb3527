// Character classes and UTF-16 units, for scans by hand.

const classes = new Uint8Array(65536)

/** Bits of a character. */
export const isNameUnit = 1 // letters, digits, _ and -
export const isEncodedUnit = 2 // base64 in both alphabets
export const isAlphanumericUnit = 4
export const isDigitUnit = 8

for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  classes[character.charCodeAt(0)] = isNameUnit | isEncodedUnit | isAlphanumericUnit
}
for (const character of '0123456789') classes[character.charCodeAt(0)]! |= isDigitUnit
for (const character of '_-') classes[character.charCodeAt(0)]! |= isNameUnit | isEncodedUnit
for (const character of '+/') classes[character.charCodeAt(0)]! |= isEncodedUnit

export function hasClass(text: string, at: number, bits: number): boolean {
  return (classes[text.charCodeAt(at)]! & bits) !== 0 // NaN outside of the text gives undefined, and 0
}

/** First position from `at` on whose character has none of the classes, at most `max` further. */
export function endOf(text: string, at: number, bits: number, max = Number.POSITIVE_INFINITY): number {
  const length = Math.min(text.length, at + max)
  let end = at
  while (end < length && (classes[text.charCodeAt(end)]! & bits) !== 0) end++
  return end
}

/** First position of the characters before `at` that have one of the classes, at most `max` back. */
export function startOf(text: string, at: number, bits: number, max: number): number {
  const limit = Math.max(0, at - max)
  let start = at
  while (start > limit && hasClass(text, start - 1, bits)) start--
  return start
}

const maxReused = 1 << 18
let reused: { units: Uint16Array; bytes: Buffer } | undefined

/**
 * The text as an array of UTF-16 units, which is several times faster to scan than a string. The
 * array is valid until the next call.
 */
export function unitsOf(text: string): Uint16Array {
  if (text.length > maxReused) {
    const units = new Uint16Array(text.length)
    Buffer.from(units.buffer).write(text, 'utf16le')
    return units
  }
  if (!reused) {
    const units = new Uint16Array(maxReused)
    reused = { units, bytes: Buffer.from(units.buffer) }
  }
  reused.bytes.ucs2Write(text, 0, text.length * 2)
  return reused.units
}

declare global {
  interface Buffer {
    /** As `write(text, 'utf16le')`, without reading the name of the encoding. */
    ucs2Write(text: string, offset: number, length: number): number
  }
}

export interface SecretRange {
  start: number
  end: number
  kind: string
}
