// Counts tokens of Goose: a ledger of single answers since schema 15, and sums of the session.
import type { Usage } from '../../core/session.ts'
import { asCount, asIsoTime, asString, asUsd, type JsonObject, optionalString } from '../json-values.ts'

export function ledgerUsages(rows: JsonObject[]): Usage[] {
  return rows.map((row) => ({
    key: `${asString(row.session_id)}/ledger/${asCount(row.id)}`,
    ts: asIsoTime(row.created_timestamp),
    model: optionalString(row.model) ?? null,
    ...tokens(row, ''),
    costUsd: asUsd(row.cost),
  }))
}

/** The part of the session's sums that the ledger does not cover: all of it in older versions. */
export function accumulatedUsage(
  session: string,
  facts: JsonObject,
  about: Pick<Usage, 'model' | 'ts'>,
  counted: Usage[] = [],
): Usage | undefined {
  const isSummed = asCount(facts.accumulated_output_tokens) > 0
  const sums = tokens(facts, isSummed ? 'accumulated_' : '')
  const sum = (pick: (usage: Usage) => number) => counted.reduce((total, usage) => total + pick(usage), 0)
  const cost = asUsd(facts.accumulated_cost)
  const left = {
    input: Math.max(0, sums.input - sum((usage) => usage.input)),
    cacheRead: Math.max(0, sums.cacheRead - sum((usage) => usage.cacheRead)),
    cacheWrite: Math.max(0, sums.cacheWrite - sum((usage) => usage.cacheWrite)),
    output: Math.max(0, sums.output - sum((usage) => usage.output)),
  }
  if (left.input + left.cacheRead + left.cacheWrite + left.output === 0) return undefined
  return {
    key: `${session}/accumulated`,
    ...about,
    ...left,
    cacheWrite1h: 0,
    reasoning: 0,
    costUsd: cost === undefined ? undefined : Math.max(0, cost - sum((usage) => usage.costUsd ?? 0)),
    isLowerBound: isSummed ? undefined : true, // covers only the last answer
  }
}

/** Goose adds cached tokens to the input of every provider. */
function tokens(row: JsonObject, prefix: string) {
  const cacheRead = asCount(row[`${prefix}cache_read_tokens`])
  const cacheWrite = asCount(row[`${prefix}cache_write_tokens`])
  const input = Math.max(0, asCount(row[`${prefix}input_tokens`]) - cacheRead - cacheWrite)
  return { input, cacheRead, cacheWrite, cacheWrite1h: 0, output: asCount(row[`${prefix}output_tokens`]), reasoning: 0 }
}
