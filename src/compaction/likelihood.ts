// How likely the agent needs a name or a command again soon after a compaction: a weighted sum of
// when and how it was used last (how often, and by whom, made no difference). `npm run bench -- uncompact` fits the weights.
import type { CommandFact, FactState, NameFact } from './fact-state.ts'

export type FactFeatures = Readonly<Record<string, number>>
export type FactWeights = Readonly<Record<string, number>>

/** Features of a name at the end of the events that the state has seen. */
export function nameFeatures(fact: NameFact, state: FactState): FactFeatures {
  const { kind, lastSeq, isUsed, editSeq } = fact
  return {
    [kind]: 1,
    recency: recency(state, lastSeq),
    ...(isUsed ? { used: 1, usedRecency: recency(state, lastSeq) } : {}),
    ...(editSeq === undefined ? {} : { editRecency: recency(state, editSeq) }),
    ...(lastSeq >= (state.prompts.at(-1) ?? 0) ? { inLastExchange: 1 } : {}),
  }
}

export function commandFeatures({ lastSeq }: Pick<CommandFact, 'lastSeq'>, state: FactState): FactFeatures {
  return {
    command: 1,
    recency: recency(state, lastSeq),
    used: 1,
    usedRecency: recency(state, lastSeq),
    ...(lastSeq >= (state.prompts.at(-1) ?? 0) ? { inLastExchange: 1 } : {}),
  }
}

/** 1 for the last event, half of it for every doubling of the distance from 8 events on. */
function recency({ through }: FactState, seq: number): number {
  return 8 / (8 + Math.max(0, through - seq - 1))
}

export function likelihood(features: FactFeatures, weights: FactWeights = fittedWeights): number {
  let logit = 0
  for (const [name, value] of Object.entries(features)) logit += value * (weights[name] ?? 0)
  return 1 / (1 + Math.exp(-logit))
}

/** Fitted to all sessions of the benchmark. */
export const fittedWeights: FactWeights = {
  path: -3.69,
  identifier: -4.26,
  value: -3.84,
  command: -3.78,
  recency: -1.28,
  used: 0.45,
  usedRecency: 2.35,
  editRecency: 2.4,
  inLastExchange: 1.1,
}
