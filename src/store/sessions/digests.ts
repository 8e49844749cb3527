import type { Ledger } from '../ledger.ts'
import { packJson, unpackJson } from '../packed-json.ts'
import { digestMembers } from '../repair-json.ts'
import { indexDigest } from '../search/index-session.ts'
import { bodyFromRow, type SessionBody } from './bodies.ts'

export interface UndigestedSession {
  id: number
  events: number
  digestedThrough: number
  body: SessionBody | null
}

export function undigestedSessions(ledger: Ledger): UndigestedSession[] {
  return ledger
    .sql(
      `SELECT id, events, digested_through, body, body_bytes, body_raw, body_frames, copy_bytes
       FROM sessions WHERE digested_through <> events ORDER BY id`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      events: Number(row.events),
      digestedThrough: Number(row.digested_through),
      body: bodyFromRow(row),
    }))
}

/** Number of events that a session's digest covers; -1 before the first digest. */
export function digestedThroughOf(ledger: Ledger, session: number): number {
  return Number(ledger.sql('SELECT digested_through AS through FROM sessions WHERE id = ?').get(session)!.through)
}

export interface DigestRow {
  session: number
  /** Number of events that the digest covers. */
  through: number
  title: string
  outcome: string
  kind: string
  /** State that the digest is computed from and continues from when the session grows. */
  state: unknown
  digestedAt: string
}

export function saveDigest(ledger: Ledger, row: DigestRow): void {
  ledger
    .sql(
      // A title that a model gave stays.
      `INSERT OR REPLACE INTO digests (session, title, outcome, kind, state, digested_at)
       VALUES ($session, coalesce((SELECT nullif(title, '') FROM summaries WHERE session = $session), $title),
         $outcome, $kind, $state, $digestedAt)`,
    )
    .run({
      ...{ session: row.session, title: row.title, outcome: row.outcome, kind: row.kind },
      ...{ state: packJson(row.state), digestedAt: row.digestedAt },
    })
  ledger.sql('UPDATE sessions SET digested_through = ? WHERE id = ?').run(row.through, row.session)
  indexDigest(ledger, row.session)
  // In the same transaction, so that a killed run still leaves the brief marked as out of date.
  ledger
    .sql('INSERT OR IGNORE INTO briefs_due SELECT project FROM sessions WHERE id = ? AND project IS NOT NULL')
    .run(row.session)
}

/** Undefined also for a state of another shape: the session is digested again. */
export function readDigestState<T>(ledger: Ledger, session: number): T | undefined {
  return stateFromRow(ledger.sql('SELECT state FROM digests WHERE session = ?').get(session))
}

export function digestStateOf<T>(ledger: Ledger, uid: string): T | undefined {
  return stateFromRow(
    ledger.sql('SELECT d.state FROM digests d JOIN sessions s ON s.id = d.session WHERE s.uid = ?').get(uid),
  )
}

function stateFromRow<T>(row: Record<string, unknown> | undefined): T | undefined {
  if (!row) return undefined
  try {
    const state = JSON.parse(unpackJson(row.state)) as Record<string, unknown> | null
    const isState = Object.entries(digestMembers).every(([name, type]) => typeOf(state?.[name]) === type)
    return isState ? (state as T) : undefined
  } catch {
    return undefined
  }
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'string' ? 'text' : typeof value
}

/** Makes the next digest of a session begin at its first event. */
export function resetDigest(ledger: Ledger, session: number): void {
  ledger.sql('UPDATE sessions SET digested_through = -1 WHERE id = ?').run(session)
}

/** Queues every session that still has its body for a new digest. */
export function resetDigests(ledger: Ledger): void {
  ledger.raw.exec('UPDATE sessions SET digested_through = -1 WHERE evicted_through = 0')
}

export function reindexDigests(ledger: Ledger): void {
  for (const row of ledger.sql('SELECT session FROM digests').all()) indexDigest(ledger, Number(row.session))
}
