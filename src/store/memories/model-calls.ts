// Every call of a model: the ledger of spend. A call is written before it is made, with what it may cost, so that one which
// dies on the way is not forgotten.
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

/** What stands in the ledger while the answer is awaited, and for good when nobody is left to receive it. */
export const unfinished = 'not finished'

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
  /** Calls that cost something; one that was refused at the door did not. */
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

/** Whether a provider was asked about a session since then and gave no answer. */
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
