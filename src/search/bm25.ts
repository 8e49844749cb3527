// How well a passage has the words of a question: BM25 over the passage and its neighbours as one weighted text.

import type { Passage } from '../store/search/passage-search.ts'
import { bytesPerTerm, countOfTerms, termAt } from '../text/term-hash.ts'
import type { Plan } from './plan.ts'
import { weights } from './weights.ts'

/** Candidates and their neighbours by id. */
export type Known = ReadonlyMap<number, Passage>

export interface Matcher {
  /** Of the passage with its neighbours. */
  scoreOf(passage: Passage): number
  /** Whether it has a wanted term itself, not only its neighbours. */
  hasOwn(passage: Passage): boolean
  /** Of many passages as one text. */
  scoreOfAll(passages: readonly Passage[]): number
}

export function matcherFor(plan: Plan, known: Known): Matcher {
  const countsIn = counter(plan)
  return {
    scoreOf(passage) {
      const previous = neighbour(known, passage.previous)
      const beforePrevious = previous && neighbour(known, previous.previous)
      const next = neighbour(known, passage.next)
      const { own, run } = countsIn(passage)
      const sums = zeros(plan.wanted.length)
      addTo(sums, own, 1)
      if (previous) addTo(sums, countsIn(previous).beginning, weights.previous)
      if (beforePrevious) addTo(sums, countsIn(beforePrevious).beginning, weights.beforePrevious)
      if (next) addTo(sums, countsIn(next).beginning, weights.next)
      const verbatim = run < shortestRun ? 1 : 1 + (weights.verbatim * run) / plan.wanted.length
      return verbatim * saturated(plan, sums, relativeLength(plan, passage, previous, next))
    },
    hasOwn: (passage) => countsIn(passage).own.some((count) => count > 0),
    scoreOfAll(passages) {
      const sums = zeros(plan.wanted.length)
      for (const passage of passages) addTo(sums, countsIn(passage).own, 1)
      return saturated(plan, sums, 1)
    },
  }
}

function neighbour(known: Known, id: number | null): Passage | undefined {
  return id === null ? undefined : known.get(id)
}

function saturated({ wanted }: Plan, counts: number[], length: number): number {
  const loss = weights.saturation * (1 - weights.lengthLoss + weights.lengthLoss * length)
  let score = 0
  for (let index = 0; index < wanted.length; index++) {
    const count = counts[index]!
    if (count > 0) score += (wanted[index]!.weight * count * (1 + weights.saturation)) / (count + loss)
  }
  return score
}

/** Against the average passage between average neighbours. */
function relativeLength(plan: Plan, passage: Passage, previous?: Passage, next?: Passage): number {
  const own = countOfTerms(passage.terms)
  const around = weights.previous * beginningOf(previous) + weights.next * beginningOf(next)
  const share = weights.neighbourLength * (weights.previous + weights.next)
  return (own + weights.neighbourLength * around) / (plan.averageLength * (1 + share))
}

function beginningOf(passage: Passage | undefined): number {
  return passage ? Math.min(weights.neighbourTerms, passage.said) : 0
}

/** Two words in a row are chance. */
const shortestRun = 3

interface Counts {
  own: number[]
  /** The most wanted terms that follow each other as they were asked for: a pasted line. */
  run: number
  /** Of what is said in the first terms. */
  beginning: number[]
}

interface Place {
  index: number
  weight: number
}

/** How often each wanted term is in a passage; each passage is read once. */
function counter({ wanted }: Plan): (passage: Passage) => Counts {
  const places = new Map<number, Place>()
  for (const [index, { relatives }] of wanted.entries())
    for (const hash of relatives) places.set(hash, { index, weight: weights.relative })
  for (const [index, { hash }] of wanted.entries()) places.set(hash, { index, weight: 1 })
  const lowBytes = new Uint8Array(256)
  for (const hash of places.keys()) lowBytes[hash & 255] = 1
  const known = new Map<number, Counts>()
  return (passage) => {
    const counts = known.get(passage.id) ?? countIn(passage, wanted.length, places, lowBytes)
    known.set(passage.id, counts)
    return counts
  }
}

/** A command runs this once, before anything is compiled: nine terms of ten must fall out at their first byte. */
function countIn({ terms, said }: Passage, size: number, places: Map<number, Place>, lowBytes: Uint8Array): Counts {
  let counts = none
  let run = 0
  let last = { at: -1, index: -1 }
  for (let byte = 0; byte < terms.length; byte += bytesPerTerm) {
    if (lowBytes[terms[byte]!] === 0) continue
    const place = places.get(termAt(terms, byte))
    if (!place) continue
    if (counts === none) counts = { own: zeros(size), run: 0, beginning: zeros(size) }
    const { index, weight } = place
    const at = byte / bytesPerTerm
    run = at === last.at + 1 && index === last.index + 1 ? run + 1 : 1
    last = { at, index }
    if (run > counts.run) counts.run = run
    counts.own[index]! += at < said ? weight : weight * weights.done
    if (at < said && at < weights.neighbourTerms) counts.beginning[index]! += weight
  }
  return counts
}

const none: Counts = { own: [], run: 0, beginning: [] }

function zeros(size: number): number[] {
  return new Array<number>(size).fill(0)
}

function addTo(sums: number[], counts: readonly number[], weight: number): void {
  for (let index = 0; index < counts.length; index++) sums[index]! += weight * counts[index]!
}
