// Scores passages with BM25, over the passage and its neighbours as one weighted text.

import type { Passage } from '../store/search/passage-search.ts'
import { bytesPerTerm, countOfTerms, termAt } from '../text/term-hash.ts'
import type { SearchPlan } from './plan.ts'
import { weights } from './weights.ts'

/** Candidates and their neighbours by id. */
export type PassageMap = ReadonlyMap<number, Passage>

export interface PassageScorer {
  /** Score of the passage together with its neighbours. */
  scoreOf(passage: Passage): number
  /** Whether the passage itself has a query term, not only its neighbours. */
  hasOwnTerm(passage: Passage): boolean
  /** Score of several passages as one text. */
  scoreTogether(passages: readonly Passage[]): number
}

export function createScorer(plan: SearchPlan, known: PassageMap): PassageScorer {
  const countsIn = createCounter(plan)
  return {
    scoreOf(passage) {
      const previous = neighbourOf(known, passage.previous)
      const beforePrevious = previous && neighbourOf(known, previous.previous)
      const next = neighbourOf(known, passage.next)
      const afterNext = next && neighbourOf(known, next.next)
      const { own, run } = countsIn(passage)
      const sums = copyOf(own, plan.terms.length)
      if (previous) addTo(sums, countsIn(previous).beginning, weights.previous)
      if (beforePrevious) addTo(sums, countsIn(beforePrevious).beginning, weights.beforePrevious)
      if (next) addTo(sums, countsIn(next).beginning, weights.next)
      if (afterNext) addTo(sums, countsIn(afterNext).beginning, weights.afterNext)
      const verbatim = run < minRun ? 1 : 1 + (weights.verbatim * run) / plan.terms.length
      return verbatim * saturatedScore(plan, sums, relativeLength(plan, passage, previous, next))
    },
    hasOwnTerm: (passage) => countsIn(passage).own.some((count) => count > 0),
    scoreTogether([first, ...others]) {
      if (!first) return 0
      const { own } = countsIn(first)
      if (others.length === 0) return saturatedScore(plan, own, 1)
      const sums = copyOf(own, plan.terms.length)
      for (const passage of others) addTo(sums, countsIn(passage).own, 1)
      return saturatedScore(plan, sums, 1)
    },
  }
}

function neighbourOf(known: PassageMap, id: number | null): Passage | undefined {
  return id === null ? undefined : known.get(id)
}

function saturatedScore({ terms: wanted }: SearchPlan, counts: readonly number[], length: number): number {
  const { saturation, lengthLoss } = weights
  const loss = saturation * (1 - lengthLoss + lengthLoss * length)
  let score = 0
  for (let index = 0; index < wanted.length; index++) {
    const count = counts[index]!
    if (count > 0) score += (wanted[index]!.weight * count * (1 + saturation)) / (count + loss)
  }
  return score
}

/** Relative to an average passage between average neighbours. */
function relativeLength(plan: SearchPlan, passage: Passage, previous?: Passage, next?: Passage): number {
  const { neighbourLength, previous: before, next: after } = weights
  const own = countOfTerms(passage.terms)
  const around = before * leadingTerms(previous) + after * leadingTerms(next)
  const share = neighbourLength * (before + after)
  return (own + neighbourLength * around) / (plan.averageLength * (1 + share))
}

function leadingTerms(passage: Passage | undefined): number {
  return passage ? Math.min(weights.neighbourTerms, passage.said) : 0
}

/** Two query terms in a row are chance. */
const minRun = 3

interface TermCounts {
  own: number[]
  /** Longest run of query terms in the order of the query: a pasted line. */
  run: number
  /** Counts among the first terms of the spoken text. */
  beginning: number[]
}

interface TermSlot {
  index: number
  weight: number
}

/** Counts query terms in a passage, with a cache. */
function createCounter({ terms: wanted }: SearchPlan): (passage: Passage) => TermCounts {
  const places = new Map<number, TermSlot>()
  for (const [index, { relatives }] of wanted.entries())
    for (const hash of relatives) places.set(hash, { index, weight: weights.relative })
  for (const [index, { hash }] of wanted.entries()) places.set(hash, { index, weight: 1 })
  const lowBytes = new Uint8Array(256)
  for (const hash of places.keys()) lowBytes[hash & 255] = 1
  const known = new Map<number, TermCounts>()
  return (passage) => {
    const counts = known.get(passage.id) ?? countTerms(passage, wanted.length, places, lowBytes)
    known.set(passage.id, counts)
    return counts
  }
}

/**
 * Runs before the JIT has compiled anything: nine terms of ten are skipped by their first byte, and
 * imports are read before the loop, because in the bundle each use of one is a call.
 */
function countTerms(
  { terms, said }: Passage,
  size: number,
  places: Map<number, TermSlot>,
  lowBytes: Uint8Array,
): TermCounts {
  const step = bytesPerTerm
  const { done, neighbourTerms } = weights
  let counts = noCounts
  let run = 0
  let last = { at: -1, index: -1 }
  for (let byte = 0; byte < terms.length; byte += step) {
    if (lowBytes[terms[byte]!] === 0) continue
    const place = places.get(termAt(terms, byte))
    if (!place) continue
    if (counts === noCounts) counts = { own: zeros(size), run: 0, beginning: zeros(size) }
    const { index, weight } = place
    const at = byte / step
    run = at === last.at + 1 && index === last.index + 1 ? run + 1 : 1
    last = { at, index }
    if (run > counts.run) counts.run = run
    counts.own[index]! += at < said ? weight : weight * done
    if (at < said && at < neighbourTerms) counts.beginning[index]! += weight
  }
  return counts
}

const noCounts: TermCounts = { own: [], run: 0, beginning: [] }

function zeros(size: number): number[] {
  return new Array<number>(size).fill(0)
}

/** The counts of a passage without any query term are empty. */
function copyOf(counts: readonly number[], size: number): number[] {
  return counts.length === 0 ? zeros(size) : counts.slice()
}

function addTo(sums: number[], counts: readonly number[], weight: number): void {
  for (let index = 0; index < counts.length; index++) sums[index]! += weight * counts[index]!
}
