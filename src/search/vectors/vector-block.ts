// Packs vectors for storage: a byte per dimension, and a factor that scales each to length one.

import type { TextPassage, VectorBlock } from '../../store/search/vectors.ts'
import { bytesPerTerm } from '../../text/term-hash.ts'

export interface EmbeddedPassage {
  id: number
  stamp: number
  vector: Float32Array
}

export function packBlock(embedded: readonly EmbeddedPassage[], dimensions: number): VectorBlock {
  const block = emptyBlock(embedded.length, dimensions)
  for (const [at, { id, stamp, vector }] of embedded.entries()) {
    block.ids[at] = id
    block.stamps[at] = stamp
    block.scales[at] = packVector(vector, block.vectors.subarray(at * dimensions, (at + 1) * dimensions))
  }
  return block
}

/** A copy without some passages. */
export function withoutPassages(block: VectorBlock, isGone: (id: number) => boolean, dimensions: number): VectorBlock {
  const kept = [...block.ids.keys()].filter((at) => !isGone(block.ids[at]!))
  const rest = emptyBlock(kept.length, dimensions)
  for (const [to, at] of kept.entries()) {
    rest.ids[to] = block.ids[at]!
    rest.stamps[to] = block.stamps[at]!
    rest.scales[to] = block.scales[at]!
    rest.vectors.set(block.vectors.subarray(at * dimensions, (at + 1) * dimensions), to * dimensions)
  }
  return rest
}

/** A 32-bit hash of the text of a passage, to detect changes. */
export function stampOf({ said, terms }: TextPassage): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < said * bytesPerTerm; at++) hash = Math.imul(hash ^ terms[at]!, 0x01000193)
  return hash >>> 0
}

function emptyBlock(size: number, dimensions: number): VectorBlock {
  return {
    ids: new Float64Array(size),
    stamps: new Uint32Array(size),
    scales: new Float32Array(size),
    vectors: new Int8Array(size * dimensions),
  }
}

/** Scales to the whole range of a byte; returns the factor that makes the length one. */
function packVector(vector: Float32Array, bytes: Int8Array): number {
  let max = 0
  for (const value of vector) max = Math.max(max, Math.abs(value))
  if (max === 0) return 0
  let square = 0
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Math.round((vector[index]! / max) * 127)
    square += bytes[index]! ** 2
  }
  return 1 / Math.sqrt(square)
}
