// Counts tokens of a turn: one record per prompt, split by model, with the price charged.
import type { Usage } from '../../core/session.ts'
import { asCount, asObject, asString, asUsd, type JsonObject } from '../json-values.ts'
import type { Update } from './timeline.ts'

/** A turn can be closed more than once; the last record per prompt counts. */
export function turnUsages(updates: Update[], model: string | undefined): Usage[] {
  const turns = new Map<string, Update>()
  for (const update of updates) {
    if (update.kind !== 'turn_completed' || Object.keys(asObject(update.update.usage)).length === 0) continue
    const prompt = asString(update.update.prompt_id)
    turns.set(prompt ? `${update.origin}/${prompt}` : update.key, update)
  }
  return [...turns].flatMap(([key, update]) => usagesOf(key, update, model))
}

function usagesOf(key: string, update: Update, model: string | undefined): Usage[] {
  const total = asObject(update.update.usage)
  const perModel = Object.entries(asObject(total.modelUsage)).map(([name, value]) => [name, asObject(value)] as const)
  const counted = perModel.filter(([, tokens]) => asCount(tokens.inputTokens) + asCount(tokens.outputTokens) > 0)
  if (counted.length === 0) return [usageOf(key, perModel[0]?.[0] ?? model, total, total, update)]
  const isPriced = counted.some(([, tokens]) => ticks(tokens) !== undefined)
  return counted.map(([name, tokens], index) =>
    usageOf(key, name, tokens, isPriced || index > 0 ? tokens : total, update),
  )
}

function usageOf(
  key: string,
  model: string | undefined,
  tokens: JsonObject,
  priced: JsonObject,
  update: Update,
): Usage {
  const cacheRead = asCount(tokens.cachedReadTokens)
  const cacheWrite = asCount(tokens.cacheCreationTokens)
  return {
    key: `${key}/${model ?? ''}`,
    ts: update.ts,
    model: model ?? null,
    input: Math.max(0, asCount(tokens.inputTokens) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
    output: asCount(tokens.outputTokens),
    reasoning: asCount(tokens.reasoningTokens),
    costUsd: ticks(priced),
    isLowerBound: asObject(update.update.usage).usageIsIncomplete === true ? true : undefined,
  }
}

/** Ten thousand million ticks are one dollar. */
function ticks(tokens: JsonObject): number | undefined {
  const value = tokens.costIsPartial === true ? undefined : asUsd(tokens.costUsdTicks)
  return value === undefined ? undefined : value / 1e10
}
