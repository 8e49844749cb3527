// Counts tokens of Devin CLI: the steps of a transcript in ATIF 1.7, a format for trajectories of
// agents. Costs are in ACU, a unit of Devin, and not kept.
import type { Usage } from '../../core/session.ts'
import { asArray, asCount, asIsoTime, asObject, type JsonObject, optionalString } from '../json-values.ts'

export function stepUsages(session: string, { agent, steps }: JsonObject, model: string | undefined): Usage[] {
  const usual = optionalString(asObject(agent).model_name) ?? model ?? null
  return asArray(steps).flatMap((value, index) => {
    const step = asObject(value)
    const metrics = asObject(step.metrics)
    const extra = { ...asObject(step.extra), ...asObject(step.metadata) }
    const cacheRead = asCount(metrics.cached_tokens)
    const tokens = {
      input: Math.max(0, asCount(metrics.prompt_tokens) - cacheRead), // prompt tokens include cached ones
      cacheRead,
      output: asCount(metrics.completion_tokens),
    }
    if (tokens.input + tokens.cacheRead + tokens.output === 0) return []
    const { step_id } = step
    return {
      key: `${session}/step ${typeof step_id === 'number' || typeof step_id === 'string' ? step_id : index}`,
      ts: asIsoTime(step.timestamp) ?? asIsoTime(extra.created_at),
      model: optionalString(extra.generation_model) ?? optionalString(step.model_name) ?? usual,
      ...tokens,
      cacheWrite: 0,
      cacheWrite1h: 0,
      reasoning: 0,
    }
  })
}
