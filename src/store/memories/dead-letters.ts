// Work that failed, with what it was about: it waits for another try, or after the third for a person.
import type { Ledger } from '../ledger.ts'

export interface DeadLetter {
  id: number
  purpose: string
  session: string
  fromSeq: number
  toSeq: number
  /** What was asked, as JSON: enough to ask again when the session's text is gone. */
  input: string
  reason: string
  rounds: number
  nextMs: number
  isQuarantined: boolean
  createdAt: string
}

/** Outages last minutes to hours: so long after a failure it is tried again. */
export const cooldownMs = 6 * 3_600_000
/** After so many failures it waits for a person. */
export const maxRounds = 3

export interface NewDeadLetter
  extends Pick<DeadLetter, 'purpose' | 'session' | 'fromSeq' | 'toSeq' | 'input' | 'reason'> {
  atMs: number
  at: string
}

export function saveDeadLetter(ledger: Ledger, failure: NewDeadLetter): void {
  ledger
    .sql(
      `INSERT INTO dead_letters (purpose, session, from_seq, to_seq, input, reason, rounds, next_at, created_at)
       VALUES ($purpose, $session, $fromSeq, $toSeq, $input, $reason, 1, $next, $at)
       ON CONFLICT (purpose, session, from_seq) DO UPDATE SET to_seq = excluded.to_seq, input = excluded.input,
         reason = excluded.reason, rounds = rounds + (next_at <= $now), next_at = excluded.next_at,
         is_quarantined = rounds + (next_at <= $now) >= $max`,
    )
    .run({
      purpose: failure.purpose,
      session: failure.session,
      fromSeq: failure.fromSeq,
      toSeq: failure.toSeq,
      input: failure.input,
      reason: failure.reason.slice(0, 500),
      next: failure.atMs + cooldownMs,
      at: failure.at,
      max: maxRounds,
      now: failure.atMs,
    })
}

/** The oldest that may be tried again. */
export function dueDeadLetters(ledger: Ledger, purpose: string, nowMs: number, limit: number): DeadLetter[] {
  return ledger
    .sql(
      `SELECT * FROM dead_letters WHERE purpose = ? AND next_at <= ? AND NOT is_quarantined ORDER BY next_at, id LIMIT ?`,
    )
    .all(purpose, nowMs, limit)
    .map(letterOf)
}

export function listDeadLetters(ledger: Ledger): DeadLetter[] {
  return ledger.sql('SELECT * FROM dead_letters ORDER BY id').all().map(letterOf)
}

/** Sessions that have one. */
export function sessionsWithDeadLetters(ledger: Ledger): Set<string> {
  const rows = ledger.sql('SELECT DISTINCT session FROM dead_letters').all()
  return new Set(rows.map((row) => String(row.session)))
}

export function deleteDeadLetter(ledger: Ledger, id: number): void {
  ledger.sql('DELETE FROM dead_letters WHERE id = ?').run(id)
}

/** All of them may be tried again at once: a person has said so. */
export function retryDeadLetters(ledger: Ledger): number {
  const { changes } = ledger.sql('UPDATE dead_letters SET rounds = 0, next_at = 0, is_quarantined = 0').run()
  return Number(changes)
}

function letterOf(row: Record<string, unknown>): DeadLetter {
  return {
    id: Number(row.id),
    purpose: String(row.purpose),
    session: String(row.session),
    fromSeq: Number(row.from_seq),
    toSeq: Number(row.to_seq),
    input: String(row.input),
    reason: String(row.reason),
    rounds: Number(row.rounds),
    nextMs: Number(row.next_at),
    isQuarantined: row.is_quarantined === 1,
    createdAt: String(row.created_at),
  }
}
