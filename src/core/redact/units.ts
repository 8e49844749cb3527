// Character classes and UTF-16 units, for scans by hand.

const classes = new Uint8Array(65536)

/** Bits of a character. */
export const isNameUnit = 1 // letters, digits, _ and -
export const isEncodedUnit = 2 // base64 in both alphabets
export const isAlphanumericUnit = 4
export const isDigitUnit = 8
export const isStandardUnit = 16 // base64 in its standard alphabet

for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  classes[character.charCodeAt(0)] = isNameUnit | isEncodedUnit | isAlphanumericUnit | isStandardUnit
}
for (const character of '0123456789') classes[character.charCodeAt(0)]! |= isDigitUnit
for (const character of '_-') classes[character.charCodeAt(0)]! |= isNameUnit | isEncodedUnit
for (const character of '+/') classes[character.charCodeAt(0)]! |= isEncodedUnit | isStandardUnit

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

const maxReused = 1 << 19
const reused = createPairs(maxReused)

/**
 * The low bytes of the text, two at a time: this is several times faster to scan than a string. Zeros
 * follow the text. The array is valid until the next call.
 */
export function pairsOf(text: string): Uint16Array {
  const { bytes, pairs } = text.length + 4 < maxReused ? reused : createPairs(text.length + 4)
  bytes.latin1Write(text, 0, text.length)
  for (let at = text.length; at < text.length + 3; at++) bytes[at] = 0
  return pairs
}

function createPairs(length: number): { bytes: Buffer; pairs: Uint16Array } {
  const pairs = new Uint16Array((length + 1) >> 1)
  return { bytes: Buffer.from(pairs.buffer), pairs }
}

declare global {
  /** As `write` and `toString`, without reading the name of the encoding. */
  interface Buffer {
    latin1Write(text: string, offset: number, length: number): number
    latin1Slice(start: number, end: number): string
    ucs2Write(text: string, offset: number, length: number): number
    ucs2Slice(start: number, end: number): string
  }
}

export interface SecretRange {
  start: number
  end: number
  kind: string
}

/** A text that the scan looks for in any case, and what to do where it ends. */
export interface PhraseRule {
  marker: string
  /** `start` and `end` of the marker. */
  find(text: string, start: number, end: number): SecretRange | undefined
  /** Whether the secret ends at the marker. */
  looksBack?: boolean
}
