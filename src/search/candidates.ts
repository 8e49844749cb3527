// From a question to passages, the best first. The index finds candidates by words alone; their neighbours are candidates, too,
// because an answer need not repeat what was asked.
import type { SqliteDatabase } from '../core/sqlite.ts'
import { bestPassages, type Passage, type PassageFilter, passagesById } from '../store/search/passage-search.ts'
import { passageGroup, passageId, passageSource } from '../store/search/passages.ts'
import { planSearch } from './plan.ts'
import type { Query } from './query.ts'
import { type Ranked, rank } from './rank.ts'
import type { QuestionVector } from './vectors/embed-question.ts'
import { weights } from './weights.ts'

export interface FindOptions extends PassageFilter {
  nowMs: number
  /** The question as a vector, where there are vectors. */
  vector?: QuestionVector | undefined
}

const maxCandidates = 200
/** Of so many, what came before the passage before them counts as well. */
const maxWithMore = 80

/** The best passage of each source. A digest speaks for its session, and is shown where nothing else of it is found. */
export function findPassages(
  ledger: SqliteDatabase,
  query: Query,
  { nowMs, vector, ...filter }: FindOptions,
): Ranked[] {
  const plan = planSearch(ledger, query, nowMs)
  const near = vector?.near(filter)
  if (plan.match === '' && !near) return []
  const byWords = plan.match === '' ? [] : bestPassages(ledger, plan.match, filter, maxCandidates)
  // What must be there, or must not, was checked by the index; nobody checked what is near, in meaning or in the talk.
  const isStrict =
    query.phrases.length + query.without.length > 0 || query.filters.file !== undefined || filter.sinceMs !== undefined
  const ids = near && !isStrict ? [...new Set([...byWords, ...near.ids])] : byWords
  const known = passagesById(ledger, ids)
  const direct = ids.flatMap((id) => known.get(id) ?? [])
  const around = addNeighbours(ledger, known, direct)
  const passages = isStrict ? direct : [...direct, ...around]
  addNeighbours(ledger, known, previousOf(direct.slice(0, maxWithMore), known))
  return backed(bestOfEach(rank(plan, passages, known, near)))
}

/** Takes in what is linked and not yet known; gives it back. */
function addNeighbours(ledger: SqliteDatabase, known: Map<number, Passage>, passages: readonly Passage[]): Passage[] {
  const linked = passages.flatMap(({ previous, next }) => [previous, next])
  const missing = new Set(linked.filter((id) => id !== null && !known.has(id)) as number[])
  const found = passagesById(ledger, [...missing])
  for (const [id, passage] of found) known.set(id, passage)
  return [...found.values()]
}

function previousOf(passages: readonly Passage[], known: ReadonlyMap<number, Passage>): Passage[] {
  return passages.flatMap(({ previous }) => (previous === null ? [] : (known.get(previous) ?? [])))
}

function bestOfEach(ranked: readonly Ranked[]): Ranked[] {
  const seen = new Set<number>()
  return ranked.filter(({ passage }) => {
    const first = passageId(passageSource(passage.id), 0)
    return !seen.has(first) && seen.add(first)
  })
}

/**
 * The best of a session is surer by what comes second there; what stands alone, by itself. Where a digest is the best, the best
 * event takes its place: it is the one that can be read.
 */
function backed(ranked: readonly Ranked[]): Ranked[] {
  const bySession = Map.groupBy(ranked, ({ passage }) => passageGroup(passage.id))
  return [...bySession.values()].flatMap(backedSession).sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

function backedSession(ranked: readonly Ranked[]): Ranked[] {
  const [first, second] = ranked
  const score = first!.score + weights.backing * ((first!.passage.id < 0 ? first : second)?.score ?? 0)
  const events = ranked.filter(({ passage }) => passageSource(passage.id).kind !== 'digest')
  const [shown, ...rest] = events.length > 0 ? events : ranked
  return [{ ...shown!, score }, ...rest]
}
