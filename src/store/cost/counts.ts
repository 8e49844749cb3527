// Sums of tokens and cost, as the command line and the page show them.
import { formatUsd } from '../../core/units.ts'

export interface UsageCounts {
  responses: number
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  costUsd: number
  /** Responses without a known price, which `costUsd` does not include. */
  unpriced: number
  /** Responses of which the agent recorded only a part of the tokens, and no cost. */
  lowerBounds: number
}

/** The usage of a group. */
export interface CostRow extends UsageCounts {
  name: string
  sessions: number
}

export function noUsage(): UsageCounts {
  return {
    responses: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    costUsd: 0,
    unpriced: 0,
    lowerBounds: 0,
  }
}

export function addUsage(to: UsageCounts, from: UsageCounts): void {
  to.responses += from.responses
  to.input += from.input
  to.cacheRead += from.cacheRead
  to.cacheWrite += from.cacheWrite
  to.output += from.output
  to.costUsd += from.costUsd
  to.unpriced += from.unpriced
  to.lowerBounds += from.lowerBounds
}

export function tokensOf({ input, cacheRead, cacheWrite, output }: UsageCounts): number {
  return input + cacheRead + cacheWrite + output
}

/** Share of the input that came from a cache; null without input. */
export function cacheShare({ input, cacheRead, cacheWrite }: UsageCounts): number | null {
  const all = input + cacheRead + cacheWrite
  return all === 0 ? null : cacheRead / all
}

export type KnownCost = Pick<UsageCounts, 'responses' | 'costUsd' | 'unpriced' | 'lowerBounds'>

/** `≥ $3.10` if a part of the cost is not known, `unknown` if nothing of it is. */
export function costText({ responses, costUsd, unpriced, lowerBounds }: KnownCost): string {
  if (responses > 0 && unpriced === responses) return 'unknown'
  return formatUsd(costUsd, unpriced + lowerBounds > 0)
}

/** The columns of a CSV file after those that name the row. */
export function csvFields(row: UsageCounts): Record<string, number | null> {
  return {
    responses: row.responses,
    input: row.input,
    cached: row.cacheRead,
    cache_writes: row.cacheWrite,
    output: row.output,
    cost_usd: row.costUsd,
    responses_without_price: row.unpriced,
    cache_share: cacheShare(row),
    responses_with_unknown_tokens: row.lowerBounds,
  }
}
