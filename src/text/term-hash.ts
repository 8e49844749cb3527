// Hashes of terms, three bytes each. Passages store them, so that the best hits can be re-ranked
// without their text. A collision (1 in 16 million pairs) changes a rank, never a text.

export const bytesPerTerm = 3

export function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < term.length; index++) hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 24)) & 0xffffff
}

export function packHashes(hashes: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(hashes.length * bytesPerTerm)
  for (let index = 0; index < hashes.length; index++) {
    const hash = hashes[index]!
    bytes[index * 3] = hash
    bytes[index * 3 + 1] = hash >>> 8
    bytes[index * 3 + 2] = hash >>> 16
  }
  return bytes
}

export function countOfTerms(bytes: Uint8Array): number {
  return bytes.length / bytesPerTerm
}

/** The hash that starts at this byte. */
export function termAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16)
}
