// How far learning has got in each session, and what failed and waits.
import { eventKinds } from '../core/session.ts'
import type { Body } from './bodies.ts'
import { eventRowId, placeOfRow } from './events.ts'
import type { Ledger } from './ledger.ts'

export interface Unlearned {
  id: number
  uid: string
  agent: string
  isSubagent: boolean
  project: string | null
  cwd: string | null
  /** The transcript that it was last read from. */
  source: string | null
  events: number
  learnedThrough: number
  turnsSinceDeep: number
  endedMs: number | null
  /** When a hook last told that a turn, the session or its uncompacted part was over. */
  toldMs: number | null
  hasEnded: boolean
  body: Body | null
}

/** Sessions with events that no judge has seen, the oldest first: so the later word is learned later. */
export function unlearned(ledger: Ledger): Unlearned[] {
  return ledger
    .sql(
      `SELECT s.id, s.uid, s.agent, s.kind, s.cwd, s.source, s.events, s.learned_through, s.turns_since_deep, s.ended,
         s.body, s.body_bytes, s.body_raw, s.body_frames, p.key AS project,
         (SELECT max(at) FROM hook_events WHERE session = s.uid AND moment <> 'start') AS told,
         EXISTS (SELECT 1 FROM hook_events WHERE session = s.uid AND moment = 'end' AND at >= s.ended) AS has_ended
       FROM sessions s LEFT JOIN projects p ON p.id = s.project
       WHERE s.learned_through <> s.events ORDER BY coalesce(s.started, s.ended, 0), s.id`,
    )
    .all()
    .map((row) => ({
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
      toldMs: row.told as number | null,
      hasEnded: row.has_ended === 1,
      body:
        row.body === null
          ? null
          : {
              file: String(row.body),
              bytes: Number(row.body_bytes),
              raw: Number(row.body_raw),
              frames: Number(row.body_frames),
            },
    }))
}

/** Which sessions are unlearned, and how long they are: a mark that was not there before is something new. */
export function unlearnedMarks(ledger: Ledger): Set<string> {
  const rows = ledger.sql('SELECT id, events FROM sessions WHERE learned_through <> events').all()
  return new Set(rows.map((row) => `${row.id}:${row.events}`))
}

export interface LearnedThrough {
  session: number
  through: number
  turnsSinceDeep: number
}

export function saveLearned(ledger: Ledger, { session, through, turnsSinceDeep }: LearnedThrough): void {
  ledger
    .sql('UPDATE sessions SET learned_through = ?, turns_since_deep = ? WHERE id = ?')
    .run(through, turnsSinceDeep, session)
}

export function learnedThroughOf(ledger: Ledger, uid: string): LearnedThrough | undefined {
  const row = ledger.sql('SELECT id, learned_through, turns_since_deep FROM sessions WHERE uid = ?').get(uid)
  if (!row) return undefined
  return {
    session: Number(row.id),
    through: Number(row.learned_through),
    turnsSinceDeep: Number(row.turns_since_deep),
  }
}

/** So that every session that still has its text is judged anew; what is known already is merged. */
export function forgetLearned(ledger: Ledger): void {
  ledger.raw.exec('UPDATE sessions SET learned_through = 0, turns_since_deep = 0 WHERE body IS NOT NULL')
}

/** The place of the last prompt, or of the one so many prompts before it, ahead of a place; 0 where there is none. */
export function promptBefore(ledger: Ledger, session: number, seq: number, back: number): number {
  return placeBefore(ledger, session, seq, 'prompt', back) ?? 0
}

export function replyBefore(ledger: Ledger, session: number, seq: number): number | undefined {
  return placeBefore(ledger, session, seq, 'reply', 0)
}

function placeBefore(
  ledger: Ledger,
  session: number,
  seq: number,
  kind: 'prompt' | 'reply',
  back: number,
): number | undefined {
  const row = ledger
    .sql('SELECT id FROM events WHERE id >= ? AND id < ? AND kind = ? ORDER BY id DESC LIMIT 1 OFFSET ?')
    .get(eventRowId(session, 0), eventRowId(session, seq), eventKinds.indexOf(kind), back)
  return row ? placeOfRow(Number(row.id)).seq : undefined
}
