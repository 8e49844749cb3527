// Counts tokens of Continue. The command line keeps sums of a session, which survive the compaction
// of its items; items have counts of their own since 1.5. `promptTokens` exclude cached tokens
// wherever those are recorded.
import type { Usage } from '../../core/session.ts'
import { asCount, asObject, asUsd, type JsonObject, optionalString } from '../json-values.ts'

export function sessionUsage(id: string, document: JsonObject, items: JsonObject[]): Omit<Usage, 'ts'>[] {
  const parts = items.flatMap((item, index) => itemUsage(`${id}/${index}`, asObject(asObject(item.message).usage)))
  const sum = asObject(document.usage)
  const cached = asObject(sum.promptTokensDetails)
  const tokens = {
    input: asCount(sum.promptTokens),
    cacheRead: asCount(cached.cachedTokens),
    cacheWrite: asCount(cached.cacheWriteTokens),
    output: asCount(sum.completionTokens),
  }
  if (tokens.input + tokens.output === 0) return parts
  return [{ ...none, key: `${id}/usage`, model: null, ...tokens, costUsd: costOf(sum) }]
}

const none = { cacheWrite1h: 0, reasoning: 0 }

function itemUsage(key: string, usage: JsonObject): Omit<Usage, 'ts'>[] {
  const details = asObject(usage.prompt_tokens_details ?? usage.promptTokensDetails)
  const cacheRead = asCount(details.cache_read_tokens ?? details.cachedTokens)
  const cacheWrite = asCount(details.cache_write_tokens ?? details.cacheWriteTokens)
  const input = asCount(usage.prompt_tokens ?? usage.promptTokens)
  const output = asCount(usage.completion_tokens ?? usage.completionTokens)
  if (input + output === 0) return []
  return [{ ...none, key, model: optionalString(usage.model) ?? null, input, cacheRead, cacheWrite, output }]
}

/** For models that it does not know, Continue takes 1 and 2 dollars for a million tokens: no cost. */
function costOf(sum: JsonObject): number | undefined {
  const guess = (asCount(sum.promptTokens) + 2 * asCount(sum.completionTokens)) / 1_000_000
  const cost = asUsd(sum.totalCost)
  return cost === undefined || Math.abs(cost - guess) < 1e-9 ? undefined : cost
}
