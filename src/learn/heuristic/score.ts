// How much a sentence looks like a learning, and of which kind: a weighted sum over named features.
import type { MemoryKind } from '../../memory/memory.ts'
import { memoryKinds } from '../../memory/memory.ts'
import type { Features } from './features.ts'
import { kindWeights, learningWeights } from './weights.ts'

/** Above it a sentence is kept: chosen for precision, since a wrong memory costs more than a missing one. */
export const threshold = -0.35

export function learningScore(features: Features): number {
  if (features.has('withheld')) return Number.NEGATIVE_INFINITY
  const weight = weightedSum(features, learningWeights)
  return explicitKind(features) ? Math.max(weight, threshold + 0.5) : weight
}

/** The kind that a sentence says it is. */
function explicitKind(features: Features): MemoryKind | undefined {
  return memoryKinds.find((kind) => features.has(`outright ${kind}`))
}

export function kindOf(features: Features): MemoryKind {
  const said = explicitKind(features)
  if (said) return said
  let best: MemoryKind = 'decision'
  for (const kind of memoryKinds) {
    if (weightedSum(features, kindWeights[kind]) > weightedSum(features, kindWeights[best])) best = kind
  }
  return best
}

function weightedSum(features: Features, weights: Record<string, number>): number {
  let total = 0
  for (const [name, value] of features) total += value * (weights[name] ?? 0)
  return total
}
