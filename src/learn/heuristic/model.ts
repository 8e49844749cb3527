// The trained model: a weighted sum over the features of a sentence says how likely it is worth
// remembering. scripts/train writes the weights.
import type { Features } from './features.ts'
import { calibration, weightTable } from './weights.ts'

/** By the name of the feature. */
export type FeatureWeights = ReadonlyMap<string, number>

export interface RankingModel {
  weights: FeatureWeights
  calibration: Calibration
}

/** From log odds to a probability, and the minimum probability of a candidate. */
export interface Calibration {
  slope: number
  offset: number
  threshold: number
}

/** Log odds that a sentence is a learning; not calibrated. */
export function learningLogit(features: Features, weights: FeatureWeights): number {
  let total = 0
  for (const [name, value] of features) total += value * (weights.get(name) ?? 0)
  return total
}

/**
 * What the other sentences of a message add: a message with several likely ones is more likely to
 * carry a learning.
 */
export function messageLift(logits: number[]): number {
  if (logits.length === 0) return 0
  const highest = Math.max(...logits)
  const sum = logits.reduce((total, logit) => total + Math.exp(liftSharpness * (logit - highest)), 0)
  return Math.log(sum) / liftSharpness
}

const liftSharpness = 2

/** How many of such messages people would want remembered. */
export function probabilityOf(logit: number, { slope, offset }: Omit<Calibration, 'threshold'>): number {
  return 1 / (1 + Math.exp(-(slope * logit + offset)))
}

/** Entries of a weight in hundredths and the name of its feature. */
function parseTable(table: string): FeatureWeights {
  const entries = table.trim().split(/[\n;]/)
  return new Map(
    entries.map((entry): [string, number] => {
      const space = entry.indexOf(' ')
      return [entry.slice(space + 1), Number(entry.slice(0, space)) / 100]
    }),
  )
}

/** The model that ships. */
export const trainedModel: RankingModel = { weights: parseTable(weightTable), calibration }
