// Counts tokens of requests. The trace database has every call of the model, if the user has switched
// it on; a chat session only has the last call of each request.
import type { Usage } from '../../core/session.ts'
import type { EventBase } from '../agent.ts'
import { asCount, asObject, type JsonObject } from '../json-values.ts'
import type { ChatSpan } from './traces.ts'

/** Assigns calls to the request during which they began; both are in order. */
export function sharesOf(spans: ChatSpan[], times: string[]): ChatSpan[][] {
  const shares: ChatSpan[][] = times.map(() => [])
  let at = 0
  for (const span of spans) {
    while (at + 1 < times.length && times[at + 1]! <= span.ts) at++
    shares[at]?.push(span)
  }
  return shares
}

type RequestBase = EventBase & { model: string | undefined }

/**
 * Traces are deleted after a week, and the same key with a smaller output does not replace what was
 * counted with them.
 */
export function requestUsage(request: JsonObject, spans: ChatSpan[], base: RequestBase): Usage[] {
  return spans.length > 0 ? tracedUsage(spans, base.key) : lastCall(request, base)
}

/** One count for each model; that of the first call has the key of the request. */
function tracedUsage(spans: ChatSpan[], key: string): Usage[] {
  const byModel = new Map<string | null, Usage>()
  for (const { ts, model, tokens } of spans) {
    const known = byModel.get(model)
    const own = byModel.size === 0 ? key : `${key}/${model ?? ''}`
    byModel.set(model, known ? addUsage(known, tokens) : { key: own, ts, model, ...tokens })
  }
  return [...byModel.values()]
}

function addUsage(sum: Usage, tokens: ChatSpan['tokens']): Usage {
  return {
    ...sum,
    input: sum.input + tokens.input,
    cacheRead: sum.cacheRead + tokens.cacheRead,
    output: sum.output + tokens.output,
    reasoning: sum.reasoning + tokens.reasoning,
  }
}

const none = { cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, reasoning: 0 }

/** Its input includes cached tokens, which are not counted apart. */
function lastCall(request: JsonObject, { key, ts, model }: RequestBase): Usage[] {
  const result = asObject(request.result)
  const metadata = asObject(result.metadata)
  const usage = asObject(result.usage ?? request.usage)
  const input = asCount(usage.promptTokens ?? metadata.promptTokens)
  const output = asCount(usage.completionTokens ?? metadata.outputTokens)
  if (input + output === 0) return []
  return [{ key, ts, model: model ?? null, ...none, input, output, isLowerBound: true }]
}
