// What a request consumed, from the row that was written when it started and completed when it ended.
import type { Usage } from '../../core/session.ts'
import { asCount, asObject, asUsd, type JsonObject, optionalString } from '../json-values.ts'

/** Of Cline's providers these count what came from the cache into `tokensIn`; the others do not. */
const countingCache = new Set('openai litellm doubao fireworks hicap lmstudio qwen xai zai'.split(' '))
/** Roo Code 3.29.5: from here on `tokensIn` is the whole prompt, whatever the provider. */
const wholePrompt = '2025-11-01'

export function usageOf(
  request: JsonObject,
  row: JsonObject,
  base: Pick<Usage, 'key' | 'ts' | 'model'>,
): Usage | undefined {
  const sent = asCount(request.tokensIn)
  const cacheRead = asCount(request.cacheReads)
  const cacheWrite = asCount(request.cacheWrites)
  const output = asCount(request.tokensOut)
  const costUsd = asUsd(request.cost)
  if (sent + cacheRead + cacheWrite + output + (costUsd ?? 0) === 0) return undefined // still running, or never answered
  const cached = cacheRead + cacheWrite
  const isWhole = sent >= cached && countsCache(request, row, base.ts ?? '')
  return {
    ...base,
    input: isWhole ? sent - cached : sent,
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output,
    reasoning: 0,
    costUsd,
  }
}

function countsCache(request: JsonObject, row: JsonObject, ts: string): boolean {
  const protocol = optionalString(request.apiProtocol)
  if (protocol) return protocol === 'openai' || ts >= wholePrompt
  return countingCache.has(optionalString(asObject(row.modelInfo).providerId) ?? '')
}
