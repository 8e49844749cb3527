// Tokens. Codex tells a running total of the thread after each response; what one response took is the difference to the
// total before, so that the sum over a thread is its last total. `last_token_usage` alone is off where counts were resent.
import { asObject, type JsonObject, optionalString } from '../json-values.ts'
import { scope, sessionOf, type Thread } from './thread.ts'
import { difference, isSame, none, sum, type TokenState, type Totals, totals } from './totals.ts'

/** `token_count`; `info` is null where only rate limits changed. */
export function readTokenCount(thread: Thread, payload: JsonObject, ts: string | null): void {
  const { tokens } = thread
  const info = asObject(payload.info)
  const total = totals(info.total_token_usage)
  const response = totals(info.last_token_usage)
  if (!total && !response) return
  tokens.countedBy = 'totals'
  tokens.held = undefined
  const next = total ?? sum(tokens.last, response!)
  const used = usedSince(tokens, next, response)
  tokens.last = next
  tokens.isKnown = true
  if (used) emitUsage(thread, used, ts, optionalString(info.model))
}

/** `token_usage_record`, one per response; in all versions seen a `token_count` with the same numbers follows. */
export function readUsageRecord(thread: Thread, payload: JsonObject, ts: string | null): void {
  const usage = totals(payload.usage)
  if (!usage || thread.tokens.countedBy === 'totals') return
  if (thread.tokens.held) countHeld(thread, ts)
  thread.tokens.held = usage
  if (thread.tokens.countedBy === 'records') countHeld(thread, ts)
}

/** A turn ended, or another record came, and still no running total: the records are all there is. */
export function countHeld(thread: Thread, ts: string | null): void {
  const { tokens } = thread
  if (!tokens.held) return
  const used = tokens.held
  tokens.countedBy = 'records'
  tokens.held = undefined
  tokens.last = sum(tokens.last, used)
  emitUsage(thread, used, ts, undefined)
}

/** The running total of a fork's parent: where the fork starts. */
export function startFrom(thread: Thread, total: Totals | undefined): void {
  thread.tokens.last = total ?? none
  thread.tokens.isKnown = total !== undefined
}

export function totalOf(payload: JsonObject): Totals | undefined {
  return totals(asObject(payload.info).total_token_usage)
}

function usedSince({ last, isKnown }: TokenState, total: Totals, response: Totals | undefined): Totals | undefined {
  if (isSame(total, last)) return undefined // sent again
  if (!isKnown) return response ?? total
  if (response && isSame(total, response)) return total // the total began anew
  const isLess = total.input < last.input || total.output < last.output
  return isLess ? (response ?? total) : difference(total, last)
}

function emitUsage(thread: Thread, used: Totals, ts: string | null, model: string | undefined): void {
  const { input, cached, written, output, reasoning } = used
  if (input + output === 0) return
  const { last } = thread.tokens
  sessionOf(thread).usage({
    key: `${scope(thread)}/tokens/${last.input}+${last.output}`,
    ts,
    model: model ?? (thread.model || null),
    input: Math.max(0, input - cached - written),
    cacheRead: cached,
    cacheWrite: written,
    cacheWrite1h: 0,
    output,
    reasoning,
  })
}
