// What Goose counted: a ledger of single answers since schema 15, and sums over the session before and beside it.
import type { Usage } from '../../core/session.ts'
import { count, type Fields, money, named, text, time } from '../values.ts'

export function ledgerUsages(rows: Fields[]): Usage[] {
  return rows.map((row) => ({
    key: `${text(row.session_id)}/ledger/${count(row.id)}`,
    ts: time(row.created_timestamp),
    model: named(row.model) ?? null,
    ...tokens(row, ''),
    costUsd: money(row.cost),
  }))
}

/** The part of the session's sums that no answer in the ledger accounts for: all of it in older versions. */
export function accumulatedUsage(
  session: string,
  facts: Fields,
  about: Pick<Usage, 'model' | 'ts'>,
  counted: Usage[] = [],
): Usage | undefined {
  const isSummed = count(facts.accumulated_output_tokens) > 0
  const sums = tokens(facts, isSummed ? 'accumulated_' : '')
  const sum = (pick: (usage: Usage) => number) => counted.reduce((total, usage) => total + pick(usage), 0)
  const cost = money(facts.accumulated_cost)
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
    isLowerBound: isSummed ? undefined : true, // only the last answer
  }
}

/** Goose adds cached tokens to the input of every provider. */
function tokens(row: Fields, prefix: string) {
  const cacheRead = count(row[`${prefix}cache_read_tokens`])
  const cacheWrite = count(row[`${prefix}cache_write_tokens`])
  const input = Math.max(0, count(row[`${prefix}input_tokens`]) - cacheRead - cacheWrite)
  return { input, cacheRead, cacheWrite, cacheWrite1h: 0, output: count(row[`${prefix}output_tokens`]), reasoning: 0 }
}
