// Finds the passages nearest to a question by comparing it with all of them. Over 100,000 passages
// this is as fast as a warm sqlite-vec, and no native library has to be shipped; docs/recall.md has
// figures.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import type { PassageFilter } from '../../store/search/passage-filter.ts'
import {
  filterPassages,
  type TextPassage,
  type VectorBlock,
  type VectorModel,
  vectorBlocks,
} from '../../store/search/vectors.ts'
import { stampOf } from './vector-block.ts'

export interface NearestPassages {
  /** The nearest passages that match the filter, best first. */
  ids: number[]
  /** From 0 to 1; 0 where it is no nearer than chance, or has changed since its vector was made. */
  similarityOf(passage: TextPassage): number
}

/** Limit of vectors that are read, newest first: keeps the time of a search bounded. */
const maxBytes = 48 * 1024 * 1024
const maxNear = 100
/** Limit of passages that are checked against the filter. */
const maxFiltered = 4000

export function findNearest(
  ledger: SqliteDatabase,
  model: VectorModel,
  question: Float32Array,
  filter: PassageFilter,
): NearestPassages {
  const blocks = blocksWithin(ledger, model.id, maxBytes)
  const cosines = blocks.map((block) => cosinesIn(block, question))
  const similar = new Map<number, { value: number; stamp: number }>()
  for (const { block, at, value } of outliersIn(cosines))
    similar.set(blocks[block]!.ids[at]!, { value, stamp: blocks[block]!.stamps[at]! })
  const best = [...similar].sort((a, b) => b[1].value - a[1].value || b[0] - a[0]).slice(0, maxFiltered)
  const fitting = filterPassages(
    ledger,
    best.map(([id]) => id),
    filter,
  )
  const ids = best.flatMap(([id]) => (fitting.has(id) ? [id] : []))
  return {
    ids: ids.slice(0, maxNear),
    similarityOf(passage) {
      const one = similar.get(passage.id)
      return one && one.stamp === stampOf(passage) ? one.value : 0
    },
  }
}

function blocksWithin(ledger: SqliteDatabase, model: number, bytes: number): VectorBlock[] {
  const blocks: VectorBlock[] = []
  let read = 0
  for (const block of vectorBlocks(ledger, model)) {
    blocks.push(block)
    read += block.vectors.length
    if (read >= bytes) break
  }
  return blocks
}

/** Cosines times the length of the question, which is the same for all. */
function cosinesIn({ scales, vectors }: VectorBlock, question: Float32Array): Float32Array {
  const size = question.length
  const cosines = new Float32Array(scales.length)
  for (let at = 0; at < scales.length; at++) {
    const from = at * size
    let sum = 0
    for (let index = 0; index < size; index++) sum += question[index]! * vectors[from + index]!
    cosines[at] = sum * scales[at]!
  }
  return cosines
}

/**
 * In standard deviations above the mean: below the first a cosine is chance, at the second it is 1.
 */
const minDeviations = 2
const maxDeviations = 8

export interface SimilarityOutlier {
  block: number
  at: number
  /** From 0 to 1. */
  value: number
}

/**
 * Cosines that stand out from all others, scaled so that they can be added to a score of words.
 * Models differ in what a cosine of 0.7 means, so each is compared with the mean of all passages. A
 * rank would say less, because the best of nothing is still first.
 */
export function outliersIn(cosines: readonly Float32Array[]): SimilarityOutlier[] {
  const { mean, deviation } = spreadOf(cosines)
  if (deviation === 0) return []
  const outliers: SimilarityOutlier[] = []
  const min = mean + minDeviations * deviation
  for (const [block, values] of cosines.entries())
    for (let at = 0; at < values.length; at++) {
      if (values[at]! <= min) continue
      const value = Math.min(1, (values[at]! - min) / ((maxDeviations - minDeviations) * deviation))
      outliers.push({ block, at, value })
    }
  return outliers
}

function spreadOf(cosines: readonly Float32Array[]): { mean: number; deviation: number } {
  let count = 0
  let sum = 0
  let squares = 0
  for (const values of cosines) {
    count += values.length
    for (let at = 0; at < values.length; at++) {
      sum += values[at]!
      squares += values[at]! ** 2
    }
  }
  const mean = count === 0 ? 0 : sum / count
  return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) }
}
