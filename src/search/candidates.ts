// Finds and ranks candidate passages for a query. The index finds them by words; their neighbours
// become candidates too, because an answer need not repeat the words of the question.
import type { SqliteDatabase } from '../core/sqlite.ts'
import type { PassageFilter } from '../store/search/passage-filter.ts'
import { bestPassages, type Passage, passagesById } from '../store/search/passage-search.ts'
import { passageGroup, passageSource, sourceNumber } from '../store/search/passages.ts'
import { planSearch, type SearchPlan } from './plan.ts'
import type { Query } from './query.ts'
import { type RankedPassage, rankPassages } from './rank.ts'
import type { QuestionVector } from './vectors/embed-question.ts'
import { weights } from './weights.ts'

export interface CandidateOptions extends PassageFilter {
  nowMs: number
  /** The question as a vector, where there are vectors. */
  vector?: QuestionVector | undefined
}

export interface Candidates {
  plan: SearchPlan
  /** Best first. */
  ranked: RankedPassage[]
}

/** In a large store many passages share the words of a question by chance. */
const maxCandidates = 400
/** For the best of them, the passages two places before and after are loaded too. */
const maxWithMore = 80

/**
 * The best passage of each source. A digest is returned only where no event of its session matches.
 */
export function findCandidates(
  ledger: SqliteDatabase,
  query: Query,
  { nowMs, vector, ...filter }: CandidateOptions,
): Candidates {
  const plan = planSearch(ledger, query, nowMs)
  const near = vector?.near(filter)
  if (!plan.match && !near) return { plan, ranked: [] }
  const byWords = plan.match ? bestPassages(ledger, plan.match, filter, maxCandidates) : []
  // The index has checked required and excluded terms. Neighbours and vector hits are unchecked, so
  // a query with such terms leaves them out.
  const isStrict =
    query.phrases.length + query.without.length > 0 || query.filters.file !== undefined || filter.sinceMs !== undefined
  const ids = near && !isStrict ? [...new Set([...byWords, ...near.ids])] : byWords
  const known = passagesById(ledger, ids)
  const direct = ids.flatMap((id) => known.get(id) ?? [])
  const around = addNeighbours(ledger, known, direct)
  const passages = isStrict ? direct : [...direct, ...around]
  addNeighbours(ledger, known, neighboursOf(direct.slice(0, maxWithMore), known))
  return { plan, ranked: boostBySession(bestOfEach(rankPassages(plan, passages, known, near))) }
}

/** Loads linked passages into `known`; returns those that are new. */
function addNeighbours(ledger: SqliteDatabase, known: Map<number, Passage>, passages: readonly Passage[]): Passage[] {
  const linked = passages.flatMap(({ previous, next }) => [previous, next])
  const missing = new Set(linked.filter((id) => id !== null && !known.has(id)) as number[])
  const found = passagesById(ledger, [...missing])
  for (const [id, passage] of found) known.set(id, passage)
  return [...found.values()]
}

function neighboursOf(passages: readonly Passage[], known: ReadonlyMap<number, Passage>): Passage[] {
  return passages
    .flatMap(({ previous, next }) => [previous, next])
    .flatMap((id) => (id === null ? [] : (known.get(id) ?? [])))
}

function bestOfEach(ranked: readonly RankedPassage[]): RankedPassage[] {
  const seen = new Set<number>()
  return ranked.filter(({ passage }) => {
    const source = sourceNumber(passage.id)
    return !seen.has(source) && seen.add(source)
  })
}

/**
 * Raises the best passage of a session by the score of the second one; a passage without a session
 * by its own. Where the digest is best, the best event takes its score, because it can be opened.
 */
function boostBySession(ranked: readonly RankedPassage[]): RankedPassage[] {
  const bySession = Map.groupBy(ranked, ({ passage }) => passageGroup(passage.id))
  return [...bySession.values()].flatMap(boostSession).sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

function boostSession(ranked: readonly RankedPassage[]): RankedPassage[] {
  const [first, second] = ranked
  const score = first!.score + weights.backing * ((first!.passage.id < 0 ? first : second)?.score ?? 0)
  const events = ranked.filter(({ passage }) => passageSource(passage.id).kind !== 'digest')
  const [shown, ...rest] = events.length > 0 ? events : ranked
  return [{ ...shown!, score }, ...rest]
}
