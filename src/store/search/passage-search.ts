// Queries of the passage index, and the sessions that its hits belong to.

import { isoTime } from '../../core/clock.ts'
import type { SQLInputValue, SqliteDatabase } from '../../core/sqlite.ts'
import type { Ledger } from '../ledger.ts'
import type { SessionBody } from '../sessions/bodies.ts'
import { eventRowId } from '../sessions/events.ts'
import { shownTitle } from '../sessions/shown-title.ts'
import {
  type PassageRole,
  type PassageSource,
  passageRoles,
  type StandaloneKind,
  sessionPassageIds,
  standaloneIdLayout,
  standaloneKinds,
} from './passages.ts'

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
  /** Packed by `packTerms`. */
  terms: Uint8Array
}

export interface PassageFilter {
  agent?: string
  project?: string
  sinceMs?: number
  kinds?: readonly PassageSource['kind'][]
}

/** Actions (commands, paths) are weaker evidence than statements. */
const doneWeight = 0.5

const sessionSpan = sessionPassageIds(1).from

/** Ids of the passages that match an FTS expression best. */
export function bestPassages(ledger: SqliteDatabase, match: string, filter: PassageFilter, limit: number): number[] {
  const { where, values } = filterConditions(filter)
  return ledger
    .sql(
      `SELECT rowid AS id FROM passage_terms WHERE passage_terms MATCH $match ${where}
       ORDER BY bm25(passage_terms, 1, ${doneWeight}), rowid LIMIT $limit`,
    )
    .all({ match, limit, ...values })
    .map((row) => Number(row.id))
}

/**
 * SQL conditions of a filter. Kind, session and number follow from the id; only a time needs the
 * row.
 */
export function filterConditions(filter: PassageFilter): { where: string; values: Record<string, SQLInputValue> } {
  const { agent, project, sinceMs, kinds } = filter
  const parts: string[] = []
  const values: Record<string, SQLInputValue> = {}
  if (agent !== undefined) values.agent = agent
  if (project !== undefined) values.project = project
  if (agent !== undefined || project !== undefined || kinds)
    parts.push(`AND (${sourceConditions(filter).join(' OR ') || 'false'})`)
  if (sinceMs !== undefined) {
    parts.push('AND (SELECT ts FROM passages WHERE id = passage_terms.rowid) >= $since')
    values.since = sinceMs
  }
  return { where: parts.join(' '), values }
}

function sourceConditions({ agent, project, kinds }: PassageFilter): string[] {
  const isWanted = (kind: PassageSource['kind']) => !kinds || kinds.includes(kind)
  const tests: string[] = []
  if (isWanted('event') || isWanted('digest')) {
    const sessions = [agent === undefined ? '' : 's.agent = $agent', project === undefined ? '' : 'p.key = $project']
    const asked = sessions.filter(Boolean).join(' AND ')
    const ids = `SELECT s.id FROM sessions s LEFT JOIN projects p ON p.id = s.project WHERE ${asked}`
    const ofSession = asked ? `rowid / ${sessionSpan} IN (${ids})` : 'rowid >= 0'
    const ofKind = isWanted('event') && isWanted('digest') ? '' : ` AND ${isWanted('digest') ? '' : 'NOT '}${isDigest}`
    tests.push(`(${ofSession}${ofKind})`)
  }
  for (const kind of standaloneKinds)
    if (isWanted(kind) && agent === undefined) tests.push(standaloneCondition(kind, project))
  return tests.filter(Boolean)
}

const isDigest = `rowid % ${sessionSpan} >= ${sessionPassageIds(0).to + 1}`

/** Row numbers that belong to a project or to none. */
const numbersIn: Record<StandaloneKind, string> = {
  memory: 'SELECT number FROM memories WHERE project = $project OR project IS NULL',
  commit: 'SELECT c.number FROM commits c JOIN repositories r ON r.id = c.repository WHERE r.project = $project',
  journal: `SELECT d.number FROM wiki_days d JOIN journal_entries e ON e.day = d.day JOIN sessions s ON s.id = e.session
    JOIN projects p ON p.id = s.project WHERE p.key = $project`,
  article: 'SELECT number FROM articles WHERE project = $project OR project IS NULL',
}

function standaloneCondition(kind: StandaloneKind, project: string | undefined): string {
  const { rest, span, all } = standaloneIdLayout(kind)
  const ofKind = `rowid < 0 AND -rowid % ${span} = ${rest}`
  if (project === undefined) return `(${ofKind})`
  return `(${ofKind} AND -rowid / ${all} IN (${numbersIn[kind]}))`
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

/** Rows as arrays: a search reads hundreds of them, and objects take twice as long. */
export function passagesById(ledger: SqliteDatabase, ids: readonly number[]): Map<number, Passage> {
  const found = new Map<number, Passage>()
  const statement = ledger.sql(
    `SELECT id, ts, role, asks, has_time, speaker, previous, next, said, terms FROM passages
     WHERE id IN (SELECT value FROM json_each(?))`,
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
      terms,
    })
  }
  return found
}

/** Number of passages that contain a term. */
export function documentFrequency(ledger: SqliteDatabase, term: string): number {
  const known = frequentTerms.get(ledger)?.get(term)
  if (known !== undefined) return known
  const count = Number(ledger.sql('SELECT doc FROM passage_vocabulary WHERE term = ?').get(term)?.doc ?? 0)
  if (count >= slowCount) cacheFrequency(ledger, term, count)
  return count
}

/**
 * Counting visits every passage with the term. For a frequent term the first count is good enough
 * while the ledger is open, because its weight is low in any case.
 */
const frequentTerms = new WeakMap<SqliteDatabase, Map<string, number>>()
const slowCount = 2000

function cacheFrequency(ledger: SqliteDatabase, term: string, count: number): void {
  const counts = frequentTerms.get(ledger) ?? new Map<string, number>()
  frequentTerms.set(ledger, counts.set(term, count))
}

export interface TermCount {
  term: string
  count: number
}

/** Indexed terms with a prefix, in alphabetical order. */
export function termsWithPrefix(ledger: SqliteDatabase, beginning: string, limit: number): TermCount[] {
  return ledger
    .sql('SELECT term, doc FROM passage_vocabulary WHERE term >= ? AND term < ? LIMIT ?')
    .all(beginning, `${beginning}\u{10ffff}`, limit)
    .map((row) => ({ term: String(row.term), count: Number(row.doc) }))
}

export interface IndexSize {
  passages: number
  /** Average number of terms per passage. */
  terms: number
}

/**
 * Reads FTS5's own record of averages (rows, then terms of each column), because counting is slow.
 */
export function indexSize(ledger: SqliteDatabase): IndexSize {
  const block = ledger.sql('SELECT block FROM passage_terms_data WHERE id = 1').get()?.block as Uint8Array | undefined
  const [passages = 0, said = 0, done = 0] = block ? varints(block) : []
  return { passages, terms: passages === 0 ? 0 : (said + done) / passages }
}

/**
 * SQLite varints: seven bits a byte, highest first. The ninth byte would hold eight bits, which no
 * count here needs.
 */
function varints(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte & 128) continue
    numbers.push(value)
    value = 0
  }
  return numbers
}

export function timeOfEvent(ledger: Ledger, session: number, seq: number): string | null {
  const row = ledger.sql('SELECT ts FROM events WHERE id = ?').get(eventRowId(session, seq))
  return row && row.ts !== null ? isoTime(Number(row.ts)) : null
}

/** The session of a hit, with what search results show of it. */
export interface HitSession {
  uid: string
  project: string | null
  title: string | null
  goal: string | null
  ended: string | null
  body: Pick<SessionBody, 'file' | 'bytes'> | null
}

const shown = `SELECT s.uid, p.key AS project, ${shownTitle} AS title,
    d.state ->> '$.goal' AS goal, s.ended, s.body, s.body_bytes
  FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id`

export function sessionOfHit(ledger: Ledger, id: number): HitSession {
  return sessionOf(ledger.sql(`${shown} WHERE s.id = ?`).get(id)!)
}

function sessionOf(row: Record<string, unknown>): HitSession {
  return {
    uid: String(row.uid),
    project: row.project as string | null,
    title: row.title as string | null,
    goal: row.goal as string | null,
    ended: row.ended === null ? null : isoTime(Number(row.ended)),
    body: row.body === null ? null : { file: String(row.body), bytes: Number(row.body_bytes) },
  }
}
