// Journal entries by session, and the data of sessions that entries are written from.
import { isoTime } from '../../core/clock.ts'
import type { Lineage } from '../../core/session.ts'
import type { MemoryKind, MemoryStatus } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { shownTitle } from '../sessions/shown-title.ts'

/** A session with the fields of its entry's head, and the entry as last written. */
export interface JournalSession {
  id: number
  uid: string
  agent: string
  lineage: Lineage
  project: string | null
  projectName: string | null
  cwd: string | null
  branch: string | null
  title: string | null
  started: string | null
  ended: string | null
  /** Time of last capture: the only date of a session without timestamps. */
  capturedAt: string
  events: number
  kind: string
  /** null when nothing was recorded, or a model of the session has no known price. */
  costUsd: number | null
  entry: JournalRow | null
}

export interface JournalRow {
  day: string
  hash: string
  writtenBy: EntryAuthor
}

/**
 * Who wrote an entry. `digest` and `…, grown` may be rewritten by a model; `digest, asked` means
 * that a model had nothing to add; an entry that a user edited or deleted is never changed again.
 */
export type EntryAuthor = 'digest' | 'digest, asked' | 'person' | `model ${string}`

const isWaiting = `(e.written_by = 'digest' OR e.written_by LIKE 'model %, grown')`

const columns = `s.id, s.uid, s.agent, s.kind AS lineage, p.key AS project, p.name AS project_name, s.cwd, s.branch,
  ${shownTitle} AS title, s.started, s.ended, s.captured_at, s.events, d.kind, e.day, e.hash, e.written_by,
  (SELECT sum(cost_usd) FROM usage WHERE session = s.id) AS cost_usd,
  (SELECT count(*) FROM usage WHERE session = s.id AND cost_usd IS NULL) AS unpriced`
const tables = `sessions s JOIN digests d ON d.session = s.id LEFT JOIN projects p ON p.id = s.project
  LEFT JOIN journal_entries e ON e.session = s.id`

const isDue = 's.journaled_through <> s.events AND s.digested_through = s.events'

/** Cheap check for sweeps without new sessions. */
export function hasSessionsToJournal(ledger: Ledger): boolean {
  return ledger.sql(`SELECT 1 FROM sessions s WHERE ${isDue} LIMIT 1`).get() !== undefined
}

/** Sessions that have grown since their entry and are fully digested. */
export function sessionsToJournal(ledger: Ledger): JournalSession[] {
  return ledger.sql(`SELECT ${columns} FROM ${tables} WHERE ${isDue} ORDER BY s.started, s.uid`).all().map(sessionOf)
}

export interface ModelEntryFilter {
  /** Only sessions that ended after this time, */
  sinceMs: number
  /** and had no events since this time, or have ended. */
  quietMs: number
  limit: number
}

/**
 * Sessions whose entry a model could improve, latest first; a single answer needs none. Sessions
 * whose request failed in their current state are excluded.
 */
export function sessionsForModelEntry(ledger: Ledger, { sinceMs, quietMs, limit }: ModelEntryFilter): JournalSession[] {
  return ledger
    .sql(
      `SELECT ${columns} FROM ${tables}
       WHERE s.ended >= $since AND s.journaled_through = s.events AND s.digested_through = s.events
         AND ${isWaiting} AND (d.kind = 'work' OR s.prompts > 1)
         -- One that came from another machine is asked about there.
         AND s.source IS NOT NULL
         AND (s.ended <= $quiet
           OR EXISTS (SELECT 1 FROM hook_events WHERE session = s.uid AND moment = 'end' AND at >= s.ended))
         AND NOT EXISTS (
           SELECT 1 FROM dead_letters WHERE purpose = 'journal' AND session = s.uid AND to_seq = s.events)
       ORDER BY s.ended DESC, s.uid LIMIT $limit`,
    )
    .all({ since: sinceMs, quiet: quietMs, limit })
    .map(sessionOf)
}

/** Sessions that a model has written about to their end since their entry was written. */
export function sessionsWithNewSummary(ledger: Ledger): JournalSession[] {
  return ledger
    .sql(
      `SELECT ${columns} FROM ${tables} JOIN summaries m ON m.session = s.id
       WHERE s.journaled_through = s.events AND m.through = s.events AND ${isWaiting}
       ORDER BY s.started, s.uid`,
    )
    .all()
    .map(sessionOf)
}

/** A session whose entry can be rewritten by a model; undefined when it no longer can. */
export function sessionAwaitingModel(ledger: Ledger, uid: string): JournalSession | undefined {
  const row = ledger.sql(`SELECT ${columns} FROM ${tables} WHERE s.uid = ? AND ${isWaiting}`).get(uid)
  return row ? sessionOf(row) : undefined
}

export function saveJournalRow(ledger: Ledger, session: number, row: JournalRow, writtenAt: string): void {
  ledger
    .sql('INSERT OR REPLACE INTO journal_entries (session, day, hash, written_by, written_at) VALUES (?, ?, ?, ?, ?)')
    .run(session, row.day, row.hash, row.writtenBy, writtenAt)
}

/** Marks a session as journaled up to its current end. */
export function markJournaled(ledger: Ledger, session: JournalSession): void {
  ledger.sql('UPDATE sessions SET journaled_through = ? WHERE id = ?').run(session.events, session.id)
}

export function deleteJournalDeadLetter(ledger: Ledger, uid: string): void {
  ledger.sql("DELETE FROM dead_letters WHERE purpose = 'journal' AND session = ?").run(uid)
}

/** A memory as shown in an entry. */
export interface JournalMemory {
  kind: MemoryKind
  status: MemoryStatus
  text: string
  why: string | null
}

/**
 * Memories learned from sessions, by session id, most important first. Evidence is stored as JSON,
 * so memories of the sessions' projects are scanned once for all of them.
 */
export function memoriesOfSessions(ledger: Ledger, sessions: readonly JournalSession[]): Map<string, JournalMemory[]> {
  const rows = ledger
    .sql(
      `WITH wanted AS MATERIALIZED (SELECT value AS uid FROM json_each($sessions)),
        places AS MATERIALIZED (SELECT value AS project FROM json_each($projects)),
        near AS (
          SELECT * FROM memories WHERE project IN (SELECT project FROM places) AND state = 'kept'
          UNION ALL SELECT * FROM memories WHERE project IS NULL AND state = 'kept'
        )
       SELECT DISTINCT evidence.value ->> 'session' AS session, near.number, near.kind, near.status, near.text, near.why
       FROM near, json_each(near.evidence) evidence
       WHERE near.superseded_by IS NULL AND evidence.value ->> 'session' IN (SELECT uid FROM wanted)
       ORDER BY near.importance DESC, near.number`,
    )
    .all({
      sessions: JSON.stringify(sessions.map(({ uid }) => uid)),
      projects: JSON.stringify([...new Set(sessions.map(({ project }) => project).filter((key) => key !== null))]),
    })
  const learned = rows.map((row) => ({
    session: String(row.session),
    kind: row.kind as MemoryKind,
    status: row.status as MemoryStatus,
    text: String(row.text),
    why: row.why as string | null,
  }))
  return Map.groupBy(learned, ({ session }) => session)
}

/** Sessions of other days with events between two times. */
export function sessionsActiveBetween(ledger: Ledger, day: string, fromMs: number, toMs: number): JournalSession[] {
  return ledger
    .sql(
      `SELECT ${columns} FROM ${tables}
       WHERE s.ended >= $from AND s.started < $to AND e.day <> $day AND EXISTS (
         SELECT 1 FROM events WHERE id BETWEEN s.id * ${2 ** 24} AND (s.id + 1) * ${2 ** 24} - 1
           AND ts >= $from AND ts < $to)
       ORDER BY s.started, s.uid`,
    )
    .all({ day, from: fromMs, to: toMs })
    .map(sessionOf)
}

function sessionOf(row: Record<string, unknown>): JournalSession {
  const string = (name: string) => (row[name] as string | null) ?? null
  const iso = (name: string) => (row[name] === null ? null : isoTime(Number(row[name])))
  return {
    id: Number(row.id),
    uid: String(row.uid),
    agent: String(row.agent),
    lineage: row.lineage as Lineage,
    project: string('project'),
    projectName: string('project_name'),
    cwd: string('cwd'),
    branch: string('branch'),
    title: string('title'),
    started: iso('started'),
    ended: iso('ended'),
    capturedAt: String(row.captured_at),
    events: Number(row.events),
    kind: String(row.kind),
    costUsd: row.cost_usd === null || Number(row.unpriced) > 0 ? null : Number(row.cost_usd),
    entry:
      row.day === null
        ? null
        : { day: String(row.day), hash: String(row.hash), writtenBy: String(row.written_by) as EntryAuthor },
  }
}

/** Queues the entry of a session, so that it includes memories learned afterwards. */
export function requeueJournal(ledger: Ledger, uid: string): void {
  ledger.sql('UPDATE sessions SET journaled_through = 0 WHERE uid = ?').run(uid)
}
