// Hook events of sessions (start, end, compaction), which no transcript contains, and the last hook
// event of each agent.
import type { Ledger } from '../ledger.ts'
import { requeueUseCount } from '../memories/usage.ts'

export interface HookEventRow {
  agent: string
  session: string
  event: string
  moment: string
  detail: string
  atMs: number
}

/**
 * Saves the last event of each kind for a session; repeating it changes nothing.
 * A start precedes the transcript, so it is kept for a day without a session. Other events of
 * unknown sessions are dropped.
 */
export function saveHookEvent(ledger: Ledger, row: HookEventRow): void {
  ledger
    .sql(
      `INSERT INTO last_hook_events (agent, event, at) VALUES (?, ?, ?)
       ON CONFLICT (agent) DO UPDATE SET event = excluded.event, at = excluded.at WHERE excluded.at >= at`,
    )
    .run(row.agent, row.event, row.atMs)
  if (row.session === '') return
  const session = `${row.agent}:${row.session}`
  ledger
    .sql(
      `INSERT INTO hook_events (session, event, moment, detail, at) SELECT $session, $event, $moment, $detail, $atMs
       WHERE $moment = 'start' OR EXISTS (SELECT 1 FROM sessions WHERE uid = $session)
       ON CONFLICT (session, event) DO UPDATE SET detail = excluded.detail, at = excluded.at WHERE excluded.at >= at`,
    )
    .run({ session, event: row.event, moment: row.moment, detail: row.detail, atMs: row.atMs })
  if (row.moment === 'start') requeueUseCount(ledger, session)
}

/** Deletes old events whose session was never captured. */
export function deleteStaleHookEvents(ledger: Ledger, beforeMs: number): void {
  ledger.sql('DELETE FROM hook_events WHERE at < ? AND session NOT IN (SELECT uid FROM sessions)').run(beforeMs)
}

export interface LastHookEvent {
  agent: string
  event: string
  atMs: number
}

export function lastHookEvents(ledger: Ledger): LastHookEvent[] {
  return ledger
    .sql('SELECT agent, event, at FROM last_hook_events ORDER BY agent')
    .all()
    .map((row) => ({ agent: String(row.agent), event: String(row.event), atMs: Number(row.at) }))
}
