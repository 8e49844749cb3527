// Dead letters: questions that a model should have answered and did not. Each waits until its cause
// may be over and is asked again; after the third failure it waits for a user.
import type { Ledger } from '../ledger.ts'

export type LetterCause =
  /** A model was asked and failed, or its answer could not be used. */
  | 'failed'
  /** Other questions had failed, so it was not asked. */
  | 'not asked'
  /** A key, login, program or model is missing or refused. */
  | 'access'
  /** The limits of the day were reached. */
  | 'budget'

export interface DeadLetter {
  id: number
  purpose: string
  session: string
  fromSeq: number
  toSeq: number
  /** The request as JSON, complete enough to repeat it after the session's text is deleted. */
  input: string
  reason: string
  cause: LetterCause
  rounds: number
  /** 0 if a user wants it asked at once. */
  nextMs: number
  isQuarantined: boolean
  createdAt: string
}

/** Time until a failed request is tried again: outages last minutes to hours. */
const cooldownMs = 6 * 3_600_000
/** Failures after which a request is only repeated by a user. */
const maxRounds = 3

interface NewDeadLetter extends Pick<DeadLetter, 'purpose' | 'session' | 'fromSeq' | 'toSeq' | 'input' | 'reason'> {
  cause?: LetterCause
  /** Fingerprint of keys, models and limits: when it changes, the letter is due. */
  access?: string
  /** When to ask again, if not after the cool-down. */
  nextMs?: number
  atMs: number
  at: string
}

/**
 * A round counts if the question was asked. A refused key is at fault for all questions alike, so
 * it counts only if a model has answered another question since.
 */
export function saveDeadLetter(ledger: Ledger, failure: NewDeadLetter): void {
  const cause = failure.cause ?? 'failed'
  ledger
    .sql(
      `INSERT INTO dead_letters
         (purpose, session, from_seq, to_seq, input, reason, cause, access, rounds, next_at, failed_at, created_at)
       VALUES ($purpose, $session, $fromSeq, $toSeq, $input, $reason, $cause, $access, $isAsked, $next, $now, $at)
       ON CONFLICT (purpose, session, from_seq) DO UPDATE SET to_seq = excluded.to_seq, input = excluded.input,
         reason = excluded.reason, cause = excluded.cause, access = excluded.access, next_at = excluded.next_at,
         failed_at = excluded.failed_at,
         rounds = rounds + ${counts}, is_quarantined = $isAsked AND rounds + ${counts} >= $max`,
    )
    .run({
      purpose: failure.purpose,
      session: failure.session,
      fromSeq: failure.fromSeq,
      toSeq: failure.toSeq,
      input: failure.input,
      reason: failure.reason.slice(0, 500),
      cause,
      access: failure.access ?? '',
      isAsked: Number(cause === 'failed' || cause === 'access'),
      next: failure.nextMs ?? failure.atMs + cooldownMs,
      at: failure.at,
      max: maxRounds,
      now: failure.atMs,
    })
}

const counts = `(next_at <= $now AND ($cause = 'failed' OR ($cause = 'access' AND EXISTS
  (SELECT 1 FROM model_calls WHERE result = 'ok' AND purpose = $purpose AND at >= failed_at))))`

/**
 * Requests that may be tried again, longest overdue first. With `access`, also those whose key,
 * model or limit has changed since.
 */
export function dueDeadLetters(
  ledger: Ledger,
  purpose: string,
  { nowMs, limit, access = '' }: { nowMs: number; limit: number; access?: string },
): DeadLetter[] {
  return ledger
    .sql(
      `SELECT * FROM dead_letters WHERE purpose = $purpose AND ((next_at <= $nowMs AND NOT is_quarantined)
         OR ($access <> '' AND cause IN ('access', 'budget') AND access <> $access))
       ORDER BY next_at, id LIMIT $limit`,
    )
    .all({ purpose, nowMs, limit, access })
    .map(letterOf)
}

export function listDeadLetters(ledger: Ledger): DeadLetter[] {
  return ledger.sql('SELECT * FROM dead_letters ORDER BY id').all().map(letterOf)
}

export function deadLettersOfSession(ledger: Ledger, purpose: string, session: string): DeadLetter[] {
  return ledger
    .sql('SELECT * FROM dead_letters WHERE purpose = ? AND session = ? ORDER BY from_seq')
    .all(purpose, session)
    .map(letterOf)
}

export function hasDeadLetters(ledger: Ledger, purpose: string): boolean {
  return ledger.sql('SELECT 1 FROM dead_letters WHERE purpose = ? LIMIT 1').get(purpose) !== undefined
}

export function deleteDeadLetter(ledger: Ledger, id: number): void {
  ledger.sql('DELETE FROM dead_letters WHERE id = ?').run(id)
}

/** For a user who has denied all models. Returns how many questions waited. */
export function deleteAllDeadLetters(ledger: Ledger): number {
  return Number(ledger.sql('DELETE FROM dead_letters').run().changes)
}

/** After a model has judged this part of a session in another way, such as a rebuild. */
export function deleteDeadLettersWithin(ledger: Ledger, session: string, fromSeq: number, toSeq: number): void {
  ledger
    .sql(`DELETE FROM dead_letters WHERE purpose = 'memories' AND session = ? AND from_seq >= ? AND to_seq <= ?`)
    .run(session, fromSeq, toSeq)
}

/** Extends a question that was not asked by what was said after it. */
export function extendDeadLetter(ledger: Ledger, id: number, { toSeq, input }: { toSeq: number; input: string }): void {
  ledger.sql('UPDATE dead_letters SET to_seq = ?, input = ? WHERE id = ?').run(toSeq, input, id)
}

/** Makes all requests due at once, also quarantined ones. */
export function makeDeadLettersDue(ledger: Ledger): number {
  const { changes } = ledger.sql('UPDATE dead_letters SET rounds = 0, next_at = 0, is_quarantined = 0').run()
  return Number(changes)
}

/** After an answer: what was never asked, or lacked access, need not wait for its cool-down. */
export function endCooldowns(ledger: Ledger, purpose: string, nowMs: number): void {
  ledger
    .sql(
      `UPDATE dead_letters SET next_at = $now WHERE purpose = $purpose AND cause IN ('not asked', 'access')
         AND NOT is_quarantined AND next_at > $now`,
    )
    .run({ purpose, now: nowMs })
}

/** When no model can be asked: the other due requests wait, too, until then or for the cool-down. */
export function postponeDeadLetters(ledger: Ledger, purpose: string, nowMs: number, untilMs?: number): void {
  ledger
    .sql('UPDATE dead_letters SET next_at = $next WHERE purpose = $purpose AND next_at <= $now AND NOT is_quarantined')
    .run({ purpose, now: nowMs, next: untilMs ?? nowMs + cooldownMs })
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
    cause: row.cause as LetterCause,
    rounds: Number(row.rounds),
    nextMs: Number(row.next_at),
    isQuarantined: row.is_quarantined === 1,
    createdAt: String(row.created_at),
  }
}
