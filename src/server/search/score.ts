// How well candidates answer: the share of the question's words that they have, by how much each tells apart, and how near the words
// stand to each other; then how important the memory is.
import type { Candidate } from './candidates.ts'

export interface Scored extends Candidate {
  /** How well it answers, whatever it weighs. */
  fit: number
  score: number
}

const sorts = {
  relevance: (a: Scored, b: Scored) => b.score - a.score,
  importance: (a: Scored, b: Scored) => b.importance - a.importance || b.score - a.score,
  recency: (a: Scored, b: Scored) => (a.at === b.at ? b.score - a.score : a.at < b.at ? 1 : -1),
}
export type Sort = keyof typeof sorts

const densityWeight = 0.5

/** The best first. */
export function scoreAll(candidates: readonly Candidate[], terms: number): Scored[] {
  const having = Array.from({ length: terms }, () => 0)
  for (const { hits } of candidates) for (const hit of hits) having[hit]!++
  const telling = having.map((count) => (count === 0 ? 0 : Math.log(1 + candidates.length / count)))
  const all = telling.reduce((sum, weight) => sum + weight, 0) || 1
  return candidates
    .map((candidate) => {
      const had = candidate.hits.reduce((sum, hit) => sum + telling[hit]!, 0) / all
      const fit = had + densityWeight * candidate.density
      return { ...candidate, fit, score: fit * importanceFactor(candidate) }
    })
    .sort(sorts.relevance)
}

export function importanceFactor({ importance }: Pick<Candidate, 'importance'>): number {
  return 0.7 + 0.3 * importance
}

/** Sorted by something else, what hardly fits must not come first. */
const fitting = 0.5

export function sorted(scored: readonly Scored[], sort: Sort): Scored[] {
  if (sort === 'relevance') return [...scored]
  const best = scored.reduce((max, { fit }) => Math.max(max, fit), 0)
  return scored.filter(({ fit }) => fit >= fitting * best).sort(sorts[sort])
}
