// Queries of the passage index, and the sessions that its hits belong to.

import { isoTime } from '../../core/clock.ts'
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { bytesPerTerm, countOfTerms, hashTerm, termAt } from '../../text/term-hash.ts'
import type { Ledger } from '../ledger.ts'
import type { SessionBody } from '../sessions/bodies.ts'
import { shownTitle } from '../sessions/shown-title.ts'
import { unpackTerms } from './packed-terms.ts'
import { type PassageFilter, passageTest } from './passage-filter.ts'
import { type PassageRole, passageAt, passageRoles } from './passages.ts'
import { type IndexedTerm, indexSize, postingsOf } from './postings/lookup.ts'
import { occurrenceScores } from './postings/posting-list.ts'
import { createScores } from './postings/scores.ts'

export interface Passage {
  id: number
  ts: number | null
  role: PassageRole
  asks: number
  hasTime: boolean
  speaker: number
  previous: number | null
  next: number | null
  /** Number of terms that were said; the rest are terms of actions. */
  said: number
  /** Packed by `packHashes`. */
  terms: Uint8Array
}

/** What a passage must and must not contain, as terms. */
export interface PassageMatch {
  /** Any of these, unless phrases are required. */
  any: readonly string[]
  /** All of these, each in a row. */
  phrases?: readonly (readonly string[])[]
  without?: readonly (readonly string[])[]
  /** Where there are no phrases: how many postings are read, those of the rarest terms. Four terms are always read. */
  maxPostings?: number
}

/** Ids of the passages that match best. */
export function bestPassages(
  ledger: SqliteDatabase,
  match: PassageMatch,
  filter: PassageFilter,
  limit: number,
): number[] {
  const { any, phrases = [], without = [], maxPostings } = match
  const required = new Set(phrases.flat())
  const all = postingsOf(ledger, [...new Set([...required, ...any])], passageTest(ledger, filter))
  const found = maxPostings === undefined ? all : rarest(all, maxPostings)
  const scores = createScores(maxPassages(found, required))
  const requiredTerms = found.filter(({ term }) => required.has(term)).sort((a, b) => a.count - b.count)
  for (const { forEachRun } of requiredTerms) scores.require(forEachRun)
  const { passages, terms: averageLength } = indexSize(ledger)
  const scoreOf = occurrenceScores(averageLength)
  for (const { count, forEachRun } of found) {
    const weight = weightOf(count, passages)
    forEachRun((run) => scores.add(run, scoreOf, weight))
  }
  const isChecked = phrases.length + without.length > 0 || filter.sinceMs !== undefined
  if (!isChecked) return scores.best(limit).map(({ group, place }) => passageAt(group, place))
  const ids = scores.best(Number.POSITIVE_INFINITY).map(({ group, place }) => passageAt(group, place))
  return firstMatching(ledger, ids, rowTest(match, filter), limit)
}

const leastTerms = 4

function rarest(terms: readonly IndexedTerm[], maxPostings: number): IndexedTerm[] {
  let postings = 0
  return terms
    .toSorted((a, b) => a.count - b.count)
    .filter(({ count }, index) => {
      postings += count
      return index < leastTerms || postings <= maxPostings
    })
}

/** Inverse document frequency. The count may include passages that were deleted since. */
function weightOf(count: number, passages: number): number {
  return Math.max(minWeight, Math.log((passages - Math.min(count, passages) + 0.5) / (count + 0.5)))
}

/** Weight of a term that is in most passages. */
const minWeight = 1e-6

function maxPassages(found: readonly IndexedTerm[], required: ReadonlySet<string>): number {
  const counts = (required.size > 0 ? found.filter(({ term }) => required.has(term)) : found).map(({ count }) => count)
  return required.size > 0 ? Math.min(...counts) : counts.reduce((sum, count) => sum + count, 0)
}

/** Phrases and times are only in the rows of passages. */
function rowTest({ phrases = [], without = [] }: PassageMatch, { sinceMs }: PassageFilter): (row: Passage) => boolean {
  const [wanted, unwanted] = [phrases, without].map((list) => list.map((terms) => terms.map(hashTerm)))
  return (row) =>
    (sinceMs === undefined || (row.ts !== null && row.ts >= sinceMs)) &&
    wanted!.every((hashes) => hasPhrase(row, hashes)) &&
    !unwanted!.some((hashes) => hasPhrase(row, hashes))
}

/** A phrase does not reach from what was said into what was done. */
function hasPhrase({ terms, said }: Passage, hashes: readonly number[]): boolean {
  const count = countOfTerms(terms)
  for (let first = 0; first + hashes.length <= count; first++) {
    if (first < said && first + hashes.length > said) continue
    if (hashes.every((hash, index) => termAt(terms, (first + index) * bytesPerTerm) === hash)) return true
  }
  return false
}

const rowsAtOnce = 500

function firstMatching(
  ledger: SqliteDatabase,
  ids: readonly number[],
  test: (row: Passage) => boolean,
  limit: number,
): number[] {
  const found: number[] = []
  for (let from = 0; from < ids.length && found.length < limit; from += rowsAtOnce) {
    const some = ids.slice(from, from + rowsAtOnce)
    const rows = passagesById(ledger, some)
    found.push(...some.filter((id) => rows.has(id) && test(rows.get(id)!)))
  }
  return found.slice(0, limit)
}

type PassageRow = [
  number,
  number | null,
  number,
  number,
  number,
  number,
  number | null,
  number | null,
  number,
  Uint8Array,
]

/**
 * Rows as arrays: a search reads hundreds of them, and objects take twice as long. `id IN (...)` would
 * first sort the ids.
 */
export function passagesById(ledger: SqliteDatabase, ids: readonly number[]): Map<number, Passage> {
  const found = new Map<number, Passage>()
  if (ids.length === 0) return found
  const statement = ledger.sql(
    `SELECT p.id, ts, role, asks, has_time, speaker, p.id - previous, p.id + next, said, terms
     FROM json_each(?) wanted CROSS JOIN passages p ON p.id = wanted.value`,
  )
  statement.setReturnArrays(true)
  for (const row of statement.all(JSON.stringify(ids)) as unknown as PassageRow[]) {
    const [id, ts, role, asks, hasTime, speaker, previous, next, said, terms] = row
    found.set(id, {
      id,
      ts,
      role: passageRoles[role]!,
      asks,
      hasTime: hasTime === 1,
      speaker,
      previous,
      next,
      said,
      terms: unpackTerms(ledger, terms),
    })
  }
  return found
}

/** The session of a hit, with what search results show of it. */
export interface HitSession {
  uid: string
  project: string | null
  cwd: string | null
  title: string | null
  ended: string | null
  body: Pick<SessionBody, 'file' | 'bytes'> | null
}

export function sessionOfHit(ledger: Ledger, id: number): HitSession {
  const row = ledger
    .sql(
      `SELECT s.uid, p.key AS project, s.cwd, ${shownTitle} AS title, s.ended, s.body, s.body_bytes
       FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id WHERE s.id = ?`,
    )
    .get(id)!
  return {
    uid: String(row.uid),
    project: row.project as string | null,
    cwd: row.cwd as string | null,
    title: row.title as string | null,
    ended: row.ended === null ? null : isoTime(Number(row.ended)),
    body: row.body === null ? null : { file: String(row.body), bytes: Number(row.body_bytes) },
  }
}

/** Read apart from the session, because the digest must be decompressed for it. */
export function goalOfSession(ledger: Ledger, id: number): string | null {
  const row = ledger.sql(`SELECT unpack_json(state) ->> '$.goal' AS goal FROM digests WHERE session = ?`).get(id)
  return (row?.goal as string | null | undefined) ?? null
}
