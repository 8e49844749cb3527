// The learning cursor of each session: how many of its events have been judged.

import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from '../sessions/bodies.ts'
import { parseEventRowId, seqSpan } from '../sessions/events.ts'

export interface UnlearnedSession {
  id: number
  uid: string
  agent: string
  isSubagent: boolean
  project: string | null
  cwd: string | null
  /** Path of the transcript that it was last read from. */
  source: string | null
  events: number
  learnedThrough: number
  turnsSinceDeep: number
  endedMs: number | null
  /** Time of the last hook event that ended a turn, the session or its uncompacted part. */
  lastHookMs: number | null
  hasEnded: boolean
  /** Content hash of a document transcript; a different hash means its events were rewritten. */
  contentHash: string | null
  body: SessionBody | null
}

/** Sessions with events that no judge has seen, oldest first, so that later statements win. */
export function unlearnedSessions(ledger: Ledger): number[] {
  return ledger
    .sql('SELECT id FROM sessions WHERE learned_through <> events ORDER BY coalesce(started, ended, 0), id')
    .all()
    .map((row) => Number(row.id))
}

/**
 * Reads the current state, because capture continues while a judge runs. Undefined when all events
 * are learned.
 */
export function unlearnedSession(ledger: Ledger, id: number): UnlearnedSession | undefined {
  return readSession(ledger, 's.id = ? AND s.learned_through <> s.events', id)
}

/** Also of a session that is learned; undefined if it is not in the ledger. */
export function sessionOfDeadLetter(ledger: Ledger, uid: string): UnlearnedSession | undefined {
  return readSession(ledger, 's.uid = ?', uid)
}

function readSession(ledger: Ledger, where: string, key: number | string): UnlearnedSession | undefined {
  const row = ledger
    .sql(
      `SELECT s.id, s.uid, s.agent, s.kind, s.cwd, s.source, s.events, s.learned_through, s.turns_since_deep, s.ended,
         s.content_hash, s.body, s.body_bytes, s.body_raw, s.body_frames, p.key AS project,
         (SELECT max(at) FROM hook_events WHERE session = s.uid AND moment <> 'start') AS last_hook_at,
         EXISTS (SELECT 1 FROM hook_events WHERE session = s.uid AND moment = 'end' AND at >= s.ended) AS has_ended
       FROM sessions s LEFT JOIN projects p ON p.id = s.project
       WHERE ${where}`,
    )
    .get(key)
  if (!row) return undefined
  return {
    id: Number(row.id),
    uid: String(row.uid),
    agent: String(row.agent),
    isSubagent: row.kind === 'subagent',
    project: row.project as string | null,
    cwd: row.cwd as string | null,
    source: row.source as string | null,
    events: Number(row.events),
    learnedThrough: Number(row.learned_through),
    turnsSinceDeep: Number(row.turns_since_deep),
    endedMs: row.ended as number | null,
    lastHookMs: row.last_hook_at as number | null,
    hasEnded: row.has_ended === 1,
    contentHash: row.content_hash as string | null,
    body: bodyFromRow(row),
  }
}

/**
 * The state of every unlearned session: id, length and last hook event. A new value in the set
 * means that there is new work.
 */
export function unlearnedStates(ledger: Ledger): Set<string> {
  const rows = ledger
    .sql(
      `SELECT s.id, s.events, (SELECT max(at) FROM hook_events WHERE session = s.uid) AS last_hook_at
       FROM sessions s WHERE s.learned_through <> s.events`,
    )
    .all()
  return new Set(rows.map((row) => `${row.id}:${row.events}:${row.last_hook_at}`))
}

export interface LearnCursor {
  session: number
  through: number
  turnsSinceDeep: number
}

/** Does nothing if the document was rewritten meanwhile, because its events have other places. */
export function saveLearnCursor(ledger: Ledger, learned: LearnCursor, contentHash: string | null): void {
  ledger
    .sql(
      `UPDATE sessions SET learned_through = $through, turns_since_deep = $turns
       WHERE id = $id AND content_hash IS $hash AND events >= $through`,
    )
    .run({ id: learned.session, through: learned.through, turns: learned.turnsSinceDeep, hash: contentHash })
}

/**
 * Queues every session of this machine that still has its body for learning. Known memories are
 * merged.
 */
export function resetLearning(ledger: Ledger): void {
  ledger.raw.exec(
    'UPDATE sessions SET learned_through = 0, turns_since_deep = 0 WHERE body IS NOT NULL AND source IS NOT NULL',
  )
}

/** Key of the last judged event. Its place may change when a document is rewritten. */
export function lastLearnedKey(ledger: Ledger, session: number): Uint8Array | undefined {
  const row = ledger
    .sql(
      `SELECT e.key FROM sessions s JOIN events e ON e.id = s.id * ${seqSpan} + s.learned_through - 1 WHERE s.id = ?`,
    )
    .get(session)
  return row?.key as Uint8Array | undefined
}

/**
 * After a rewrite of a document: continues behind the event with this key, because everything
 * before it has been judged.
 */
export function resumeLearning(ledger: Ledger, session: number, key: Uint8Array): void {
  const row = ledger.sql('SELECT id FROM events WHERE key = ?').get(key)
  const place = row ? parseEventRowId(Number(row.id)) : undefined
  if (place?.session !== session) return
  ledger.sql('UPDATE sessions SET learned_through = ? WHERE id = ?').run(place.seq + 1, session)
}

export function projectOfSession(ledger: Ledger, uid: string): string | null {
  const row = ledger.sql('SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project WHERE s.uid = ?').get(uid)
  return row ? String(row.key) : null
}

/**
 * Moves the cursor past a part that was learned from a dead letter, if the cursor is at that part.
 */
export function advanceLearnCursor(ledger: Ledger, uid: string, from: number, to: number): void {
  ledger
    .sql('UPDATE sessions SET learned_through = $to WHERE uid = $uid AND learned_through = $from AND events >= $to')
    .run({ uid, from, to })
}
