// Sessions that may still be running: those that a hook may ask about.
import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from './bodies.ts'

export interface RunningSession {
  uid: string
  agent: string
  cwd: string | null
  /** Number of events. */
  events: number
  body: SessionBody
}

/** Of the given row ids: sessions of a person, with a body, and with an event since then. */
export function runningSessionsAmong(ledger: Ledger, ids: Iterable<number>, sinceMs: number): RunningSession[] {
  return ledger
    .sql(
      `SELECT * FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND kind <> 'subagent'
         AND body IS NOT NULL AND ended >= ?`,
    )
    .all(JSON.stringify([...ids]), sinceMs)
    .map(runningSession)
}

export function runningSessionNamed(ledger: Ledger, uid: string): RunningSession | undefined {
  const row = ledger.sql('SELECT * FROM sessions WHERE uid = ? AND body IS NOT NULL').get(uid)
  return row && runningSession(row)
}

function runningSession(row: Record<string, unknown>): RunningSession {
  return {
    uid: String(row.uid),
    agent: String(row.agent),
    cwd: row.cwd === null ? null : String(row.cwd),
    events: Number(row.events),
    body: bodyFromRow(row)!,
  }
}
