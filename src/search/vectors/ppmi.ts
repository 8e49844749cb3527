// What terms mean, from the company they keep: how much more often two terms stand near each other than chance would have it
// (positive pointwise mutual information), reduced to its strongest directions. Terms that are used alike come to lie together.
import { countPairs, maxTerms, type Pairs } from './pairs.ts'
import { type Sparse, strongestDirections } from './svd.ts'

export interface TermVectors {
  dimensions: number
  terms: Uint32Array
  /** How much each tells apart, for the sum of a passage. */
  weights: Float32Array
  /** One after the other, each of length one. */
  vectors: Float32Array
}

const wantedDimensions = 96
/** Once or twice is no company, and what is everywhere keeps everyone's. */
const leastPassages = 3
const maxShare = 0.2
/** Terms that stand so far apart are still near. */
const nearTerms = 10
/** Frequent neighbours count a little less, as usual for such counts. */
const smoothing = 0.75

/** Passages as the numbers of their terms; undefined when so little was said that nothing can be told. */
export function fitTerms(passages: readonly Uint32Array[]): TermVectors | undefined {
  const vocabulary = vocabularyOf(passages)
  if (vocabulary.length < 2) return undefined
  const places = new Map(vocabulary.map(({ term }, place) => [term, place]))
  const { vectors, dimensions } = strongestDirections(
    matrixOf(company(passages, places), vocabulary.length),
    wantedDimensions,
  )
  if (dimensions === 0) return undefined
  for (let at = 0; at < vectors.length; at += dimensions) toLengthOne(vectors.subarray(at, at + dimensions))
  return {
    dimensions,
    terms: Uint32Array.from(vocabulary, ({ term }) => term),
    weights: Float32Array.from(vocabulary, ({ count }) => Math.log(1 + passages.length / count)),
    vectors,
  }
}

/** The most frequent of those that can be told anything of. */
function vocabularyOf(passages: readonly Uint32Array[]): { term: number; count: number }[] {
  const counts = new Map<number, number>()
  for (const terms of passages) for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
  const max = Math.max(leastPassages, passages.length * maxShare)
  return [...counts]
    .filter(([, count]) => count >= leastPassages && count <= max)
    .map(([term, count]) => ({ term, count }))
    .sort((a, b) => b.count - a.count || a.term - b.term)
    .slice(0, maxTerms)
}

/** Ends where the table is full: what was counted until then is a sample. */
function company(passages: readonly Uint32Array[], places: ReadonlyMap<number, number>): Pairs {
  const pairs = countPairs()
  for (const terms of passages) {
    const known = [...terms].map((term) => places.get(term) ?? -1).filter((place) => place >= 0)
    for (let at = 1; at < known.length; at++)
      for (let before = Math.max(0, at - nearTerms); before < at; before++)
        if (known[at] !== known[before] && !pairs.add(known[at]!, known[before]!, 1 / Math.sqrt(at - before)))
          return pairs
  }
  return pairs
}

function matrixOf(pairs: Pairs, size: number): Sparse {
  const sums = new Float64Array(size)
  pairs.each((first, second, weight) => {
    sums[first]! += weight
    sums[second]! += weight
  })
  const smooth = sums.map((sum) => sum ** smoothing)
  const allSmooth = smooth.reduce((total, sum) => total + sum, 0)
  // The mean of both ways to smooth one side keeps the matrix symmetric.
  const chance = (first: number, second: number) =>
    Math.sqrt(sums[first]! * sums[second]! * smooth[first]! * smooth[second]!) / allSmooth
  const information = (first: number, second: number, weight: number) => Math.log(weight / chance(first, second))
  const starts = new Uint32Array(size + 1)
  const eachPositive = (see: (first: number, second: number, value: number) => void) =>
    pairs.each((first, second, weight) => {
      const value = information(first, second, weight)
      if (value > 0) see(first, second, value)
    })
  eachPositive((first, second) => {
    starts[first + 1]!++
    starts[second + 1]!++
  })
  for (let row = 0; row < size; row++) starts[row + 1]! += starts[row]!
  const columns = new Uint16Array(starts[size]!)
  const values = new Float32Array(starts[size]!)
  const next = starts.slice()
  const put = (row: number, column: number, value: number) => {
    columns[next[row]!] = column
    values[next[row]!++] = value
  }
  eachPositive((first, second, value) => {
    put(first, second, value)
    put(second, first, value)
  })
  return { starts, columns, values }
}

function toLengthOne(vector: Float32Array): void {
  let square = 0
  for (const value of vector) square += value * value
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0
  for (let index = 0; index < vector.length; index++) vector[index]! *= scale
}
