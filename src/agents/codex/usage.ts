// Counts tokens. Codex reports a running total of the thread after each response; the usage of one
// response is the difference to the previous total, so that the sum over a thread equals its last
// total. `last_token_usage` is wrong if counts are resent.

import { fastName } from '../../core/usage/model-names.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { rateLimitsIn } from './rate-limits.ts'
import {
  addTotals,
  areEqual,
  type CodexThread,
  keyScope,
  noTokens,
  parseTotals,
  sessionOf,
  subtractTotals,
  type TokenState,
  type TokenTotals,
} from './state.ts'

/** `token_count`; `info` is null if only rate limits changed. */
export function readTokenCount(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const { tokens } = thread
  const info = asObject(payload.info)
  if (ts !== null) thread.out.rateLimits(rateLimitsIn(asObject(payload.rate_limits), ts))
  const total = parseTotals(info.total_token_usage)
  const response = parseTotals(info.last_token_usage)
  if (!total && !response) return
  tokens.countedBy = 'totals'
  tokens.held = undefined
  const next = total ?? addTotals(tokens.last, response!)
  const used = usedSince(tokens, next, response)
  tokens.last = next
  tokens.isKnown = true
  if (used) emitUsage(thread, used, ts, optionalString(info.model))
}

/**
 * `token_usage_record`, one per response; in all versions seen a `token_count` with the same
 * numbers follows, but only after the tool that the response calls. So that a killed session has
 * them, a running total that continues ours is counted at once.
 */
export function readUsageRecord(thread: CodexThread, payload: JsonObject, ts: string | null): void {
  const usage = parseTotals(payload.usage)
  if (!usage) return
  const { tokens } = thread
  const total = parseTotals(payload.thread_token_usage)
  if (total && tokens.countedBy !== 'records' && areEqual(total, addTotals(tokens.last, usage))) {
    tokens.countedBy = 'totals'
    tokens.held = undefined
    tokens.last = total
    tokens.isKnown = true
    return emitUsage(thread, usage, ts, undefined)
  }
  if (tokens.countedBy === 'totals') return
  if (thread.tokens.held) countPendingUsage(thread, ts)
  thread.tokens.held = usage
  if (thread.tokens.countedBy === 'records') countPendingUsage(thread, ts)
}

/**
 * Counts a usage record after all: the turn ended, or the next record came, without a running
 * total.
 */
export function countPendingUsage(thread: CodexThread, ts: string | null): void {
  const { tokens } = thread
  if (!tokens.held) return
  const used = tokens.held
  tokens.countedBy = 'records'
  tokens.held = undefined
  tokens.last = addTotals(tokens.last, used)
  emitUsage(thread, used, ts, undefined)
}

/** Sets the running total at which a fork starts. */
export function startTotalsAt(thread: CodexThread, total: TokenTotals | undefined): void {
  thread.tokens.last = total ?? noTokens
  thread.tokens.isKnown = total !== undefined
}

export function totalsIn(payload: JsonObject): TokenTotals | undefined {
  return parseTotals(asObject(payload.info).total_token_usage)
}

function usedSince(
  { last, isKnown }: TokenState,
  total: TokenTotals,
  response: TokenTotals | undefined,
): TokenTotals | undefined {
  if (areEqual(total, last)) return undefined // resent
  if (!isKnown) return response ?? total
  if (response && areEqual(total, response)) return total // the total was reset
  const isLess = total.input < last.input || total.output < last.output
  return isLess ? (response ?? total) : subtractTotals(total, last)
}

function emitUsage(thread: CodexThread, used: TokenTotals, ts: string | null, model: string | undefined): void {
  const { input, cached, written, output, reasoning } = used
  if (input + output === 0) return
  const { last } = thread.tokens
  sessionOf(thread).usage({
    key: `${keyScope(thread)}/tokens/${last.input}+${last.output}`,
    ts,
    model: pricedModel(thread, model),
    input: Math.max(0, input - cached - written),
    cacheRead: cached,
    cacheWrite: written,
    cacheWrite1h: 0,
    output,
    reasoning,
  })
}

function pricedModel(thread: CodexThread, named: string | undefined): string | null {
  const model = named ?? thread.model
  if (!model) return null
  return thread.isFast ? fastName(model) : model
}

/**
 * `service_tier` of the settings (0.144, seen in the sources of other readers only): `priority`, before
 * that `fast`.
 */
export function readServiceTier(thread: CodexThread, settings: JsonObject): void {
  if (settings.service_tier === undefined) return
  thread.isFast = /^(?:priority|fast)$/.test(asString(settings.service_tier))
}
