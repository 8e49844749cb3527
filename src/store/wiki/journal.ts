// Journal entries by session, and the data of sessions that entries are written from.
import { isoTime } from '../../core/clock.ts'
import { eventKinds, type Lineage } from '../../core/session.ts'
import type { MemoryKind, MemoryStatus } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { eventRowId, parseEventRowId } from '../sessions/events.ts'
import { shownTitle } from '../sessions/shown-title.ts'

/** A session with the fields of an entry's head, and its entries as last written. */
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
  prompts: number
  /** Events that its entries tell of; 0 if all are to be written again. */
  journaledThrough: number
  kind: string
  /** A subagent whose session is not known. */
  isOrphan: boolean
  /** One for each day, earliest first. */
  entries: JournalRow[]
}

export interface JournalRow {
  day: string
  /** Place behind the last event that it tells of; null in entries of earlier versions. */
  through: number | null
  hash: string
  writtenBy: EntryAuthor
  spend: Spend
}

/** Cost of a part of a session with its subagents. */
export interface Spend {
  costUsd: number
  /** Model responses, and how many of them have no known price. */
  responses: number
  unpriced: number
}

/**
 * Who wrote an entry. `digest` and `…, grown` may be rewritten by a model; `digest, asked` means
 * that a model had nothing to add; an entry that a user edited or deleted is never changed again.
 * `none` is a start without a result, which is only counted on its day.
 */
export type EntryAuthor = 'digest' | 'digest, asked' | 'person' | 'none' | `model ${string}`

/** A model writes about the last day of a session. */
const isWaiting = `EXISTS (
  SELECT 1 FROM journal_entries e WHERE e.session = s.id
    AND e.day = (SELECT max(day) FROM journal_entries WHERE session = s.id)
    AND (e.written_by = 'digest' OR e.written_by LIKE 'model %, grown'))`

const columns = `s.id, s.uid, s.agent, s.kind AS lineage, p.key AS project, p.name AS project_name, s.cwd, s.branch,
  ${shownTitle} AS title, s.started, s.ended, s.captured_at, s.events, s.prompts, s.journaled_through, d.kind,
  s.kind = 'subagent' AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.uid = s.parent) AS is_orphan,
  (SELECT json_group_array(json_object('day', e.day, 'through', e.through, 'hash', e.hash, 'writtenBy', e.written_by,
     'spend', json_object('costUsd', e.cost_usd, 'responses', e.responses, 'unpriced', e.unpriced)) ORDER BY e.day)
   FROM journal_entries e WHERE e.session = s.id) AS entries`
const tables = 'sessions s JOIN digests d ON d.session = s.id LEFT JOIN projects p ON p.id = s.project'

const isDue = 's.journaled_through <> s.events AND s.digested_through = s.events'
/** Only usage was recorded: no event is ever new. */
const isUntold = `s.events = 0 AND s.digested_through = 0 AND EXISTS (SELECT 1 FROM usage WHERE session = s.id)
  AND coalesce(s.started, s.ended, (SELECT max(ts) FROM usage WHERE session = s.id)) IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM journal_entries WHERE session = s.id)`

/** Began within two hours after the other one ended. */
const isSoonAfter = 'later.started > s.started AND later.started <= s.ended + 7200000'
/** Told as unfinished, while a session that has to be told may have taken it up. */
const mayBeTakenUp = `SELECT s.id FROM sessions later
  JOIN sessions s ON s.project = later.project AND s.id <> later.id AND ${isSoonAfter}
  JOIN digests d ON d.session = s.id AND d.outcome IN ('open', 'fail', 'abandoned')
  WHERE later.journaled_through <> later.events AND later.digested_through = later.events
    AND s.journaled_through = s.events AND s.digested_through = s.events`

/** Cheap check for sweeps without new sessions. */
export function hasSessionsToJournal(ledger: Ledger): boolean {
  const exists = (condition: string) => ledger.sql(`SELECT 1 FROM sessions s WHERE ${condition} LIMIT 1`).get()
  return (exists(isDue) ?? exists(isUntold)) !== undefined
}

/** Sessions that have grown since their entries, or whose subagents have, and are fully digested. */
export function sessionsToJournal(ledger: Ledger): JournalSession[] {
  return ledger
    .sql(
      `SELECT ${columns} FROM ${tables} WHERE (${isDue}) OR (${isUntold}) OR s.uid IN (
         SELECT s.parent FROM sessions s WHERE s.kind = 'subagent' AND ${isDue}) AND s.digested_through = s.events
         OR s.id IN (${mayBeTakenUp})
       ORDER BY s.started, s.uid`,
    )
    .all()
    .map(sessionOf)
}

/** Sessions of the same project that began while this one ran or soon after it, earliest first. */
export function sessionsAfter(ledger: Ledger, session: number): number[] {
  return ledger
    .sql(
      `SELECT later.id FROM sessions s JOIN sessions later ON later.project = s.project
       WHERE s.id = ? AND later.id <> s.id AND ${isSoonAfter} ORDER BY later.started LIMIT 10`,
    )
    .all(session)
    .map(({ id }) => Number(id))
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
    .sql(
      `INSERT OR REPLACE INTO journal_entries
         (session, day, through, hash, written_by, written_at, cost_usd, responses, unpriced)
       VALUES ($session, $day, $through, $hash, $writtenBy, $writtenAt, $costUsd, $responses, $unpriced)`,
    )
    .run({
      ...{ session, day: row.day, through: row.through, hash: row.hash, writtenBy: row.writtenBy, writtenAt },
      ...row.spend,
    })
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
  /** When it was said, as ISO time. */
  at: string
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
       SELECT DISTINCT evidence.value ->> 'session' AS session, near.number, near.kind, near.status, near.text, near.why,
         near.valid_from AS at
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
    at: String(row.at),
  }))
  return Map.groupBy(learned, ({ session }) => session)
}

/** Kinds of events by which a person or an agent is active. */
const activeKinds = eventKinds.flatMap((kind, index) => (kind === 'context' || kind === 'lifecycle' ? [] : index))

export interface EventTime {
  seq: number
  ms: number
}

/** Dated events of the person and the agent, in order. */
export function* activeTimes(ledger: Ledger, session: number): Generator<EventTime> {
  const rows = ledger
    .sql(
      `SELECT id, ts FROM events WHERE id >= ? AND id < ? AND ts IS NOT NULL AND kind IN (${activeKinds.join(', ')})
       ORDER BY id`,
    )
    .iterate(eventRowId(session, 0), eventRowId(session + 1, 0))
  for (const { id, ts } of rows) yield { seq: parseEventRowId(Number(id)).seq, ms: Number(ts) }
}

/** The first of these events, and the times of the earliest and the latest; undefined without any. */
export function activeSpan(
  ledger: Ledger,
  session: number,
): { first: EventTime; fromMs: number; toMs: number } | undefined {
  const row = ledger
    .sql(
      `SELECT e.id, e.ts, a.from_ms, a.to_ms FROM (
         SELECT min(id) AS first, min(ts) AS from_ms, max(ts) AS to_ms FROM events
         WHERE id >= ? AND id < ? AND ts IS NOT NULL AND kind IN (${activeKinds.join(', ')})) a
       JOIN events e ON e.id = a.first`,
    )
    .get(eventRowId(session, 0), eventRowId(session + 1, 0))
  if (!row) return undefined
  const first = { seq: parseEventRowId(Number(row.id)).seq, ms: Number(row.ts) }
  return { first, fromMs: Number(row.from_ms), toMs: Number(row.to_ms) }
}

export interface SpendQuarter extends Spend {
  /** Quarters of an hour since 1970; null without a time. */
  quarter: number | null
}

/** What a session and its subagents spent, by quarter of an hour. */
export function spendOfSession(ledger: Ledger, session: number): SpendQuarter[] {
  return ledger
    .sql(
      `WITH RECURSIVE own (id, uid) AS (
         SELECT id, uid FROM sessions WHERE id = ?
         UNION SELECT s.id, s.uid FROM sessions s JOIN own ON s.parent = own.uid WHERE s.kind = 'subagent')
       SELECT coalesce(u.ts, s.ended) / 900000 AS quarter, coalesce(sum(u.cost_usd), 0) AS costUsd,
         count(*) AS responses, sum(u.cost_usd IS NULL) AS unpriced
       FROM own JOIN sessions s ON s.id = own.id JOIN usage u ON u.session = own.id GROUP BY quarter ORDER BY quarter`,
    )
    .all(session)
    .map((row) => row as unknown as SpendQuarter)
}

/** Sessions in the journal of a day, earliest first, with the entry of that day. */
export function sessionsOfDay(ledger: Ledger, day: string): JournalSession[] {
  return ledger
    .sql(
      `SELECT ${columns} FROM ${tables}
       WHERE s.id IN (SELECT session FROM journal_entries WHERE day = ? AND written_by <> 'none')
       ORDER BY s.started, s.uid`,
    )
    .all(day)
    .map(sessionOf)
}

export interface DayTotals extends Spend {
  /** Those with an entry. */
  sessions: number
  /** Those that are only counted. */
  starts: number
}

/** Totals of a day without some sessions. */
export function totalsOfDay(ledger: Ledger, day: string, without: readonly number[] = []): DayTotals {
  return ledger
    .sql(
      `SELECT coalesce(sum(written_by <> 'none'), 0) AS sessions, coalesce(sum(written_by = 'none'), 0) AS starts,
         coalesce(sum(cost_usd), 0) AS costUsd, coalesce(sum(responses), 0) AS responses,
         coalesce(sum(unpriced), 0) AS unpriced
       FROM journal_entries WHERE day = ? AND session NOT IN (SELECT value FROM json_each(?))`,
    )
    .get(day, JSON.stringify(without)) as unknown as DayTotals
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
    prompts: Number(row.prompts),
    journaledThrough: Number(row.journaled_through),
    kind: String(row.kind),
    isOrphan: row.is_orphan === 1,
    entries: JSON.parse(String(row.entries)) as JournalRow[],
  }
}

/** Queues the entry of a session, so that it includes memories learned afterwards. */
export function requeueJournal(ledger: Ledger, uid: string): void {
  ledger.sql('UPDATE sessions SET journaled_through = 0 WHERE uid = ?').run(uid)
}
