// Calls of models with their cost: the ledger of spend. A call is written before it is made, with
// its maximum cost, so that a crash does not lose it.
import { oneLine, truncate } from '../../text/truncate.ts'
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
  /** Memories that came of the answer, and elements of it that were dropped. */
  memoriesSaved: number | null
  dropped: number | null
  /** Why elements were dropped; empty if nobody recorded it. */
  drops: DroppedElement[]
  /** Characters of the question, and those that a person wrote; null if the question does not say. */
  inputChars: number | null
  personChars: number | null
  /** Only of forked sessions. */
  fork: ForkedCall | null
}

/** An element of an answer that did not become a memory. */
export interface DroppedElement {
  /** In a few words, the same for all elements with this problem: `no such quote`. */
  reason: string
  text: string
}

export interface ForkedCall {
  turns: number
  cacheReadTokens: number
  filesWritten: number
  /** It ended at a limit, after it had written files. */
  isCutShort: boolean
  refused: { tool: string; reason: string }[]
}

/** Refused calls that are stored of one fork, and dropped elements of one answer. */
const maxRefused = 20
const maxDrops = 20
const maxDropLength = 200

/** Result of a call that has no answer yet; it stays if the process dies. */
const unfinished = 'not finished'

type OutcomeOfCall = 'id' | 'ms' | 'result' | 'memoriesSaved' | 'dropped' | 'drops' | 'fork'

export function beginCall(
  ledger: Ledger,
  call: Omit<ModelCall, OutcomeOfCall | 'inputChars' | 'personChars'> &
    Partial<Pick<ModelCall, 'inputChars' | 'personChars'>>,
): number {
  const { lastInsertRowid } = ledger
    .sql(
      `INSERT INTO model_calls (at, purpose, session, provider, model, input_tokens, output_tokens, cost_usd, ms, result,
         input_chars, person_chars)
       VALUES ($at, $purpose, $session, $provider, $model, $inputTokens, $outputTokens, $costUsd, 0, '${unfinished}',
         $inputChars, $personChars)`,
    )
    .run({ inputChars: null, personChars: null, ...call })
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

export function saveForkedCall(ledger: Ledger, id: number, forked: ForkedCall): void {
  const { turns, cacheReadTokens, filesWritten, isCutShort, refused } = forked
  ledger
    .sql(
      `UPDATE model_calls SET turns = $turns, cache_read_tokens = $cacheReadTokens, files_written = $filesWritten,
         is_cut_short = $isCutShort, refused = $refused WHERE id = $id`,
    )
    .run({
      id,
      turns,
      cacheReadTokens,
      filesWritten,
      isCutShort: Number(isCutShort),
      refused: JSON.stringify(refused.slice(0, maxRefused)),
    })
}

/** What came of an answer. `drops` tells why elements were dropped; `dropped` counts all of them. */
export function saveCallYield(
  ledger: Ledger,
  id: number,
  { saved, dropped, drops = [] }: { saved: number; dropped: number; drops?: readonly DroppedElement[] },
): void {
  const stored = drops
    .slice(0, maxDrops)
    .map(({ reason, text }) => ({ reason, text: truncate(oneLine(text), maxDropLength) }))
  ledger
    .sql('UPDATE model_calls SET memories_saved = ?, dropped = ?, drop_reasons = ? WHERE id = ?')
    .run(saved, dropped, stored.length > 0 ? JSON.stringify(stored) : null, id)
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

/** The same by purpose; a purpose without a paid call is missing. */
export function spentByPurpose(ledger: Ledger, sinceMs: number): Map<string, Spending> {
  const rows = ledger
    .sql(
      `SELECT purpose, sum(cost_usd) AS usd, count(*) AS calls FROM model_calls
       WHERE at >= ? AND cost_usd > 0 GROUP BY purpose`,
    )
    .all(sinceMs)
  return new Map(rows.map((row) => [String(row.purpose), { usd: Number(row.usd), calls: Number(row.calls) }]))
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
    memoriesSaved: row.memories_saved as number | null,
    dropped: row.dropped as number | null,
    drops: row.drop_reasons === null ? [] : (JSON.parse(String(row.drop_reasons)) as DroppedElement[]),
    inputChars: row.input_chars as number | null,
    personChars: row.person_chars as number | null,
    fork: row.turns === null ? null : forkOf(row),
  }
}

function forkOf(row: Record<string, unknown>): ForkedCall {
  return {
    turns: Number(row.turns),
    cacheReadTokens: Number(row.cache_read_tokens),
    filesWritten: Number(row.files_written),
    isCutShort: row.is_cut_short === 1,
    refused: JSON.parse(String(row.refused)) as ForkedCall['refused'],
  }
}
