// A text as a vector, from the vectors of its terms: each weighed by how much it tells apart, a repeated one at most twice.
import type { TermVector } from '../../store/search/vectors.ts'

const maxOfOne = 2

/** Undefined where none of the terms is known. */
export function embedTerms(
  terms: Iterable<number>,
  known: ReadonlyMap<number, TermVector>,
  dimensions: number,
): Float32Array | undefined {
  const sum = new Float32Array(dimensions)
  const counts = new Map<number, number>()
  for (const term of terms) {
    const one = known.get(term)
    const count = counts.get(term) ?? 0
    if (!one || count === maxOfOne) continue
    counts.set(term, count + 1)
    for (let index = 0; index < dimensions; index++) sum[index]! += one.weight * one.vector[index]!
  }
  return counts.size === 0 ? undefined : sum
}
