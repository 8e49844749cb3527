// Scores candidates: the weighted share of the query's terms, their proximity, and the importance.
// Fuses rankings of words and meaning.
import type { ItemCandidate } from '../store/search.ts'

export interface ScoredCandidate extends ItemCandidate {
  /** Relevance without the importance. */
  fit: number
  score: number
}

const sorts = {
  relevance: (a: ScoredCandidate, b: ScoredCandidate) => b.score - a.score,
  importance: (a: ScoredCandidate, b: ScoredCandidate) => b.importance - a.importance || b.score - a.score,
  recency: (a: ScoredCandidate, b: ScoredCandidate) => (a.at === b.at ? b.score - a.score : a.at < b.at ? 1 : -1),
}
export type RecallSort = keyof typeof sorts

const densityWeight = 0.5

/** Best first. */
export function scoreCandidates(candidates: readonly ItemCandidate[], terms: number): ScoredCandidate[] {
  const having = Array.from({ length: terms }, (_, term) =>
    candidates.reduce((count, { hits }) => count + ((hits >> term) & 1), 0),
  )
  const telling = having.map((count) => (count === 0 ? 0 : Math.log(1 + candidates.length / count)))
  const all = telling.reduce((sum, weight) => sum + weight, 0) || 1
  return candidates
    .map((candidate) => {
      const had = telling.reduce((sum, weight, term) => sum + ((candidate.hits >> term) & 1) * weight, 0) / all
      const fit = had + densityWeight * candidate.density
      return { ...candidate, fit, score: fit * importanceFactor(candidate) }
    })
    .sort(sorts.relevance)
}

export function importanceFactor({ importance }: Pick<ItemCandidate, 'importance'>): number {
  return 0.7 + 0.3 * importance
}

/** Poor matches are dropped when sorting by another key. */
const minFitShare = 0.5

export function sortCandidates(scored: readonly ScoredCandidate[], sort: RecallSort): ScoredCandidate[] {
  if (sort === 'relevance') return [...scored]
  const best = scored.reduce((max, { fit }) => Math.max(max, fit), 0)
  return scored.filter(({ fit }) => fit >= minFitShare * best).sort(sorts[sort])
}

/** The constant of reciprocal rank fusion; scores of two rankings are not comparable. */
const rankConstant = 60

export function fuseRankings(...lists: (readonly ScoredCandidate[])[]): ScoredCandidate[] {
  const fused = new Map<string, ScoredCandidate>()
  for (const list of lists) {
    for (const [place, candidate] of list.entries()) {
      const key = `${candidate.space} ${candidate.id}`
      const known = fused.get(key)
      const score = (known?.score ?? 0) + 1 / (rankConstant + place + 1)
      fused.set(key, { ...(known ?? candidate), fit: score, score })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
