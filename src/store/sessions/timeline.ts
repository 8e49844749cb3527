// Queries of what happened in a time window (sessions, memories, commits, journal days), and of
// what sessions were learned from.
import { isoTime } from '../../core/clock.ts'
import type { Lineage } from '../../core/session.ts'
import type { MemoryKind, MemoryState, MemoryTrust } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import type { ChangeKind } from '../memories/changes.ts'
import { seqSpan } from './events.ts'
import { shownTitle } from './shown-title.ts'

export interface TimeWindow {
  fromMs: number
  toMs: number
  /** When there is more than `limit`, entries nearest to this time are returned. */
  centreMs: number
  project: string | null
  limit: number
}

export interface TimelineSession {
  id: number
  uid: string
  agent: string
  lineage: Lineage
  project: string | null
  title: string | null
  started: string
  ended: string
  outcome: string | null
  kind: string | null
}

/** Sessions with real prompts that overlap the window. */
export function sessionsInWindow(ledger: Ledger, window: TimeWindow): TimelineSession[] {
  return ledger
    .sql(
      `SELECT s.id, s.uid, s.agent, s.kind AS lineage, p.key AS project, ${shownTitle} AS title,
         s.started, s.ended, d.outcome, d.kind
       FROM sessions s JOIN digests d ON d.session = s.id LEFT JOIN projects p ON p.id = s.project
       WHERE s.ended >= $from AND s.started <= $to AND s.kind <> 'subagent' AND d.kind IN ('work', 'talk')
         AND ($project IS NULL OR p.key = $project)
       ORDER BY max(0, s.started - $near, $near - s.ended), s.started, s.id LIMIT $limit`,
    )
    .all(valuesOf(window))
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      agent: String(row.agent),
      lineage: row.lineage as Lineage,
      project: row.project as string | null,
      title: row.title as string | null,
      started: isoTime(Number(row.started)),
      ended: isoTime(Number(row.ended)),
      outcome: row.outcome as string | null,
      kind: row.kind as string | null,
    }))
}

/** Times as text may be in any zone, so they differ by a day at most. */
const dayMs = 86_400_000

export interface MemoryMoment {
  at: string
  /** `said`: became valid; `said again`: was last confirmed. */
  what: 'said' | 'said again' | 'superseded'
  id: string
  project: string | null
  kind: MemoryKind
  trust: MemoryTrust
  text: string
  supersededBy: string | null
  space: string | null
  author: string | null
}

/** Points in time of memories of the project and of no project, without forgotten ones. */
export function memoryMoments(ledger: Ledger, window: TimeWindow): MemoryMoment[] {
  return ledger
    .sql(
      `WITH moments AS (
         SELECT valid_from AS at, 'said' AS what, * FROM memories WHERE valid_from BETWEEN $early AND $late
         UNION ALL SELECT confirmed_at, 'said again', * FROM memories
           WHERE confirmed_at BETWEEN $early AND $late AND confirmed_at <> valid_from
         UNION ALL SELECT superseded_at, 'superseded', * FROM memories WHERE superseded_at BETWEEN $early AND $late
       )
       SELECT at, what, id, project, kind, trust, text, superseded_by, space, author, unixepoch(at, 'subsec') * 1000 AS ms FROM moments
       WHERE state IN ('kept', 'inbox') AND ($project IS NULL OR project = $project OR project IS NULL) AND ms BETWEEN $from AND $to
       ORDER BY abs(ms - $near), number LIMIT $limit`,
    )
    .all({ ...valuesOf(window), early: isoTime(window.fromMs - dayMs), late: isoTime(window.toMs + dayMs) })
    .map((row) => ({
      at: String(row.at),
      what: row.what as MemoryMoment['what'],
      id: String(row.id),
      project: row.project as string | null,
      kind: row.kind as MemoryKind,
      trust: row.trust as MemoryTrust,
      text: String(row.text),
      supersededBy: row.superseded_by as string | null,
      space: row.space as string | null,
      author: row.author as string | null,
    }))
}

export interface MemoryChange {
  at: string
  change: ChangeKind
  id: string
  project: string | null
  state: MemoryState
  text: string
}

/**
 * Changes that users made to memories. Learned memories appear at the time they were said instead.
 */
export function memoryChanges(ledger: Ledger, window: TimeWindow): MemoryChange[] {
  return ledger
    .sql(
      `SELECT c.at, c.kind AS change, v.memory, coalesce(v.after, v.before) AS version FROM changes c
       JOIN memory_versions v ON v.change = c.id
       WHERE c.kind IN ('edited', 'forgotten', 'reviewed', 'consolidated', 'taken back', 'undone') AND c.at BETWEEN $from AND $to
         AND ($project IS NULL OR coalesce(version ->> 'project', $project) = $project)
       ORDER BY abs(unixepoch(c.at, 'subsec') * 1000 - $near), c.id LIMIT $limit`,
    )
    .all({ ...valuesOf(window), from: isoTime(window.fromMs), to: isoTime(window.toMs) })
    .map((row) => {
      const { project, state, text } = JSON.parse(String(row.version)) as Omit<MemoryChange, 'at' | 'change' | 'id'>
      return { at: String(row.at), change: row.change as ChangeKind, id: String(row.memory), project, state, text }
    })
}

/** Days of the journal in a range, with their number of entries. */
export function journalDaysBetween(
  ledger: Ledger,
  fromDay: string,
  toDay: string,
  project: string | null,
): { day: string; entries: number }[] {
  return ledger
    .sql(
      `SELECT e.day, count(*) AS entries FROM journal_entries e JOIN sessions s ON s.id = e.session
       LEFT JOIN projects p ON p.id = s.project
       WHERE e.written_by <> 'none' AND e.day BETWEEN $from AND $to AND ($project IS NULL OR p.key = $project) GROUP BY e.day ORDER BY e.day`,
    )
    .all({ from: fromDay, to: toDay, project })
    .map((row) => ({ day: String(row.day), entries: Number(row.entries) }))
}

export interface CommitMoment {
  number: number
  hash: string
  at: string
  project: string
  message: string
}

export function commitsInWindow(ledger: Ledger, window: TimeWindow): CommitMoment[] {
  return ledger
    .sql(
      `SELECT c.number, c.hash, c.at, c.message, r.project FROM commits c JOIN repositories r ON r.id = c.repository
       WHERE c.at BETWEEN $from AND $to AND ($project IS NULL OR r.project = $project)
       ORDER BY abs(c.at - $near), c.number LIMIT $limit`,
    )
    .all(valuesOf(window))
    .map(commitOf)
}

/** Finds commits by hash or prefix. */
export function commitsByHash(ledger: Ledger, hash: string): CommitMoment[] {
  return ledger
    .sql(
      `SELECT c.number, c.hash, c.at, c.message, r.project FROM commits c JOIN repositories r ON r.id = c.repository
       WHERE c.hash BETWEEN $hash AND $hash || 'g' ORDER BY c.number LIMIT 10`,
    )
    .all({ hash: hash.toLowerCase() })
    .map(commitOf)
}

function commitOf(row: Record<string, unknown>): CommitMoment {
  return {
    number: Number(row.number),
    hash: String(row.hash),
    at: isoTime(Number(row.at)),
    project: String(row.project),
    message: String(row.message),
  }
}

/** End of the latest session of a project, or of any. */
export function lastActivityMs(ledger: Ledger, project: string | null): number | undefined {
  const row = ledger
    .sql(
      `SELECT s.ended FROM sessions s LEFT JOIN projects p ON p.id = s.project
       WHERE s.ended IS NOT NULL AND ($project IS NULL OR p.key = $project) ORDER BY s.ended DESC LIMIT 1`,
    )
    .get({ project })
  return row ? Number(row.ended) : undefined
}

/** Time of an event; without one, the time of the last event before it that has one. */
export function eventTimeAt(ledger: Ledger, uid: string, seq: number): string | null {
  const row = ledger
    .sql(
      `SELECT e.ts FROM sessions s JOIN events e ON e.id BETWEEN s.id * ${seqSpan} AND s.id * ${seqSpan} + $seq
       WHERE s.uid = $uid AND e.ts IS NOT NULL ORDER BY e.id DESC LIMIT 1`,
    )
    .get({ uid, seq })
  return row ? isoTime(Number(row.ts)) : null
}

export interface SessionMemory {
  id: string
  kind: MemoryKind
  trust: MemoryTrust
  text: string
}

/**
 * Current memories that sessions are evidence of, by session. Memories of the sessions' projects
 * are scanned once for all sessions.
 */
export function memoriesLearnedIn(ledger: Ledger, sessions: readonly string[]): Map<string, SessionMemory[]> {
  const rows = ledger
    .sql(
      `WITH wanted AS MATERIALIZED (SELECT value AS uid FROM json_each($sessions)),
        places AS MATERIALIZED (
          SELECT DISTINCT p.key FROM sessions s JOIN projects p ON p.id = s.project WHERE s.uid IN (SELECT uid FROM wanted)),
        near AS (
          SELECT * FROM memories WHERE project IN (SELECT key FROM places) AND state = 'kept'
          UNION ALL SELECT * FROM memories WHERE project IS NULL AND state = 'kept'
        )
       SELECT DISTINCT evidence.value ->> 'session' AS session, near.number, near.id, near.kind, near.trust, near.text
       FROM near, json_each(near.evidence) evidence
       WHERE near.superseded_by IS NULL AND evidence.value ->> 'session' IN (SELECT uid FROM wanted)
       ORDER BY near.importance DESC, near.number`,
    )
    .all({ sessions: JSON.stringify(sessions) })
  const learned = rows.map((row) => ({
    session: String(row.session),
    memory: {
      id: String(row.id),
      kind: row.kind as MemoryKind,
      trust: row.trust as MemoryTrust,
      text: String(row.text),
    },
  }))
  return new Map(
    [...Map.groupBy(learned, ({ session }) => session)].map(([uid, all]) => [uid, all.map(({ memory }) => memory)]),
  )
}

function valuesOf({ fromMs, toMs, centreMs: nearMs, project, limit }: TimeWindow) {
  return { from: fromMs, to: toMs, near: nearMs, project, limit }
}
