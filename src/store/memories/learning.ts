// The learning cursors of each session: how many of its events were read by rules, and how many were
// judged by a model.

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
  /** Events that a model has judged. */
  judgedThrough: number
  turnsSinceDeep: number
  endedMs: number | null
  /** Time of the last hook event that ended a turn, the session or its uncompacted part. */
  lastHookMs: number | null
  /** Ended, or about to be compacted, after its last event. */
  hasEnded: boolean
  prompts: number
  /** A program wrote the prompts. */
  isProgram: boolean
  /** Quality of its digest; null if it is not digested. */
  activity: string | null
  /** Content hash of a document transcript; a different hash means its events were rewritten. */
  contentHash: string | null
  body: SessionBody | null
}

/** Sessions with events that rules have not read, oldest first, so that later statements win. */
export function unlearnedSessions(ledger: Ledger): number[] {
  return ledger
    .sql('SELECT id FROM sessions WHERE learned_through <> events ORDER BY coalesce(started, ended, 0), id')
    .all()
    .map((row) => Number(row.id))
}

const isUnjudged = `judged_through <> events AND ended >= ? AND kind <> 'subagent' AND body IS NOT NULL
  AND source IS NOT NULL`

/** Sessions with events since a time that no model has judged, oldest first. */
export function unjudgedSessions(ledger: Ledger, sinceMs: number): number[] {
  return ledger
    .sql(`SELECT id FROM sessions WHERE ${isUnjudged} ORDER BY coalesce(started, ended, 0), id`)
    .all(sinceMs)
    .map((row) => Number(row.id))
}

/** Whether a session is one of them. */
export function isUnjudgedSince(ledger: Ledger, id: number, sinceMs: number): boolean {
  return ledger.sql(`SELECT 1 FROM sessions WHERE ${isUnjudged} AND id = ?`).get(sinceMs, id) !== undefined
}

/** Leaves what was said in these sessions until now to rules. */
export function skipJudging(ledger: Ledger, sessions: readonly number[]): void {
  for (const id of sessions) ledger.sql('UPDATE sessions SET judged_through = events WHERE id = ?').run(id)
}

/** Undefined if a model has judged all of its events. */
export function unjudgedSession(ledger: Ledger, id: number): UnlearnedSession | undefined {
  return readSession(ledger, 's.id = ? AND s.judged_through <> s.events', id)
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
      `SELECT s.id, s.uid, s.agent, s.kind, s.cwd, s.source, s.events, s.prompts, s.is_program, s.learned_through, s.judged_through,
         s.turns_since_deep, s.ended, (SELECT kind FROM digests WHERE session = s.id) AS activity,
         s.content_hash, s.body, s.body_bytes, s.body_raw, s.body_frames, s.copy_bytes, p.key AS project,
         (SELECT max(at) FROM hook_events WHERE session = s.uid AND moment <> 'start') AS last_hook_at,
         EXISTS (SELECT 1 FROM hook_events WHERE session = s.uid AND moment IN ('end', 'compact')
           AND at >= s.ended - 5000) AS has_ended
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
    judgedThrough: Number(row.judged_through),
    turnsSinceDeep: Number(row.turns_since_deep),
    endedMs: row.ended as number | null,
    lastHookMs: row.last_hook_at as number | null,
    hasEnded: row.has_ended === 1,
    prompts: Number(row.prompts),
    isProgram: row.is_program === 1,
    activity: row.activity as string | null,
    contentHash: row.content_hash as string | null,
    body: bodyFromRow(row),
  }
}

/**
 * The state of every session that was not learned, or not judged by a model since a time: id,
 * length and last hook event. A new value in the set means that there is new work.
 */
export function unlearnedStates(ledger: Ledger, sinceMs: number): Set<string> {
  const rows = ledger
    .sql(
      `SELECT s.id, s.events, (SELECT max(at) FROM hook_events WHERE session = s.uid) AS last_hook_at
       FROM sessions s WHERE s.learned_through <> s.events
         OR s.id IN (SELECT id FROM sessions WHERE judged_through <> events AND ended >= ?)`,
    )
    .all(sinceMs)
  return new Set(rows.map((row) => `${row.id}:${row.events}:${row.last_hook_at}`))
}

export interface LearnCursor {
  session: number
  through: number
}

/** Does nothing if the document was rewritten meanwhile, because its events have other places. */
export function saveLearnCursor(ledger: Ledger, learned: LearnCursor, contentHash: string | null): void {
  ledger
    .sql(
      'UPDATE sessions SET learned_through = $through WHERE id = $id AND content_hash IS $hash AND events >= $through',
    )
    .run({ id: learned.session, through: learned.through, hash: contentHash })
}

/** The same for what a model has judged; `turns` counts those since the last deep pass. */
export function saveJudgeCursor(
  ledger: Ledger,
  { session, through, turns }: LearnCursor & { turns: number },
  contentHash: string | null,
): void {
  ledger
    .sql(
      `UPDATE sessions SET judged_through = $through, turns_since_deep = $turns
       WHERE id = $id AND content_hash IS $hash AND events >= $through`,
    )
    .run({ id: session, through, turns, hash: contentHash })
}

/**
 * Queues every session of this machine that still has its body for learning. Known memories are
 * merged.
 */
export function resetLearning(ledger: Ledger): void {
  ledger.raw.exec(
    'UPDATE sessions SET learned_through = 0, judged_through = 0, turns_since_deep = 0 WHERE body IS NOT NULL AND source IS NOT NULL',
  )
}

/** Keys of the last events that rules have read and a model has judged: places may change. */
export interface LearnedKeys {
  learned?: Uint8Array
  judged?: Uint8Array
}

export function lastLearnedKeys(ledger: Ledger, session: number): LearnedKeys {
  const keyBefore = (cursor: string) =>
    ledger
      .sql(`SELECT e.key FROM sessions s JOIN events e ON e.id = s.id * ${seqSpan} + s.${cursor} - 1 WHERE s.id = ?`)
      .get(session)?.key as Uint8Array | undefined
  const [learned, judged] = [keyBefore('learned_through'), keyBefore('judged_through')]
  return { ...(learned ? { learned } : {}), ...(judged ? { judged } : {}) }
}

/**
 * After a rewrite of a document: continues behind the events with these keys, because everything
 * before them was read.
 */
export function resumeLearning(ledger: Ledger, session: number, { learned, judged }: LearnedKeys): void {
  const resume = (cursor: string, key: Uint8Array | undefined) => {
    const row = key && ledger.sql('SELECT id FROM events WHERE key = ?').get(key)
    const place = row ? parseEventRowId(Number(row.id)) : undefined
    if (place?.session !== session) return
    ledger.sql(`UPDATE sessions SET ${cursor} = ? WHERE id = ?`).run(place.seq + 1, session)
  }
  resume('learned_through', learned)
  resume('judged_through', judged)
}

export function projectOfSession(ledger: Ledger, uid: string): string | null {
  const row = ledger.sql('SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project WHERE s.uid = ?').get(uid)
  return row ? String(row.key) : null
}
