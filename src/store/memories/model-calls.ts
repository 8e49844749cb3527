// Calls of models with their cost (the ledger of spend), and dead letters: requests that failed.
// A call is written before it is made, with its maximum cost, so that a crash does not lose it.
import type { Ledger } from '../ledger.ts'

export interface ModelCall {
  id: number
  /** In milliseconds. */
  at: number
  purpose: string
  session: string | null
  provider: string
  model: string
  inputTokens: number
  outputTokens: number
  costUsd: number
  ms: number
  /** `ok`, or what went wrong: `malformed`, `timeout`, `http 500` … */
  result: string
}

/** Result of a call that has no answer yet; it stays if the process dies. */
const unfinished = 'not finished'

export function beginCall(ledger: Ledger, call: Omit<ModelCall, 'id' | 'ms' | 'result'>): number {
  const { lastInsertRowid } = ledger
    .sql(
      `INSERT INTO model_calls (at, purpose, session, provider, model, input_tokens, output_tokens, cost_usd, ms, result)
       VALUES ($at, $purpose, $session, $provider, $model, $inputTokens, $outputTokens, $costUsd, 0, '${unfinished}')`,
    )
    .run({ ...call })
  return Number(lastInsertRowid)
}

export function endCall(
  ledger: Ledger,
  call: Pick<ModelCall, 'id' | 'model' | 'inputTokens' | 'outputTokens' | 'costUsd' | 'ms' | 'result'>,
): void {
  ledger
    .sql(
      `UPDATE model_calls SET model = $model, input_tokens = $inputTokens, output_tokens = $outputTokens,
         cost_usd = $costUsd, ms = $ms, result = $result WHERE id = $id`,
    )
    .run({ ...call })
}

/** The oldest first. */
export function callsSince(ledger: Ledger, sinceMs: number): ModelCall[] {
  return ledger.sql('SELECT * FROM model_calls WHERE at >= ? ORDER BY at, id').all(sinceMs).map(callOf)
}

export interface Spending {
  usd: number
  /** Calls with a cost; a request that was refused before it ran has none. */
  calls: number
}

export function spentSince(ledger: Ledger, sinceMs: number, provider: string | null = null): Spending {
  const row = ledger
    .sql(
      `SELECT coalesce(sum(cost_usd), 0) AS usd, count(*) AS calls FROM model_calls
       WHERE at >= $since AND cost_usd > 0 AND ($provider IS NULL OR provider = $provider)`,
    )
    .get({ since: sinceMs, provider })!
  return { usd: Number(row.usd), calls: Number(row.calls) }
}

/** Whether a call to a provider about a session has failed since then. */
export function hasFailedSince(ledger: Ledger, provider: string, session: string, sinceMs: number): boolean {
  const row = ledger
    .sql(`SELECT 1 FROM model_calls WHERE at >= ? AND provider = ? AND session = ? AND result <> 'ok' LIMIT 1`)
    .get(sinceMs, provider, session)
  return row !== undefined
}

function callOf(row: Record<string, unknown>): ModelCall {
  return {
    id: Number(row.id),
    at: Number(row.at),
    purpose: String(row.purpose),
    session: row.session as string | null,
    provider: String(row.provider),
    model: String(row.model),
    inputTokens: Number(row.input_tokens),
    outputTokens: Number(row.output_tokens),
    costUsd: Number(row.cost_usd),
    ms: Number(row.ms),
    result: String(row.result),
  }
}

/** A failed request: it is repeated later, or after the third failure waits for a user. */
export interface DeadLetter {
  id: number
  purpose: string
  session: string
  fromSeq: number
  toSeq: number
  /** The request as JSON, complete enough to repeat it after the session's text is deleted. */
  input: string
  reason: string
  rounds: number
  nextMs: number
  isQuarantined: boolean
  createdAt: string
}

/** Time until a failed request is tried again: outages last minutes to hours. */
const cooldownMs = 6 * 3_600_000
/** Failures after which a request is only repeated by a user. */
const maxRounds = 3

interface NewDeadLetter extends Pick<DeadLetter, 'purpose' | 'session' | 'fromSeq' | 'toSeq' | 'input' | 'reason'> {
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

/** Requests that may be tried again, longest overdue first. */
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

export function sessionsWithDeadLetters(ledger: Ledger): Set<string> {
  const rows = ledger.sql('SELECT DISTINCT session FROM dead_letters').all()
  return new Set(rows.map((row) => String(row.session)))
}

export function deleteDeadLetter(ledger: Ledger, id: number): void {
  ledger.sql('DELETE FROM dead_letters WHERE id = ?').run(id)
}

/** Makes all requests due at once, also quarantined ones. */
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
