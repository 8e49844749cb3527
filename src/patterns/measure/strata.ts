// Values before and after per stratum, with Mantel-Haenszel weights. A stratum with sessions on one
// side only has no weight.

export interface StratumSample {
  before: number[]
  after: number[]
}

export function nonEmptySamples(samples: readonly StratumSample[]): StratumSample[] {
  return samples.filter(({ before, after }) => before.length > 0 && after.length > 0)
}

/** Weights add up to 1. */
export function weightsOf(samples: readonly StratumSample[]): number[] {
  const raw = samples.map(({ before, after }) => (before.length * after.length) / (before.length + after.length))
  const total = sum(raw)
  return raw.map((weight) => weight / total)
}

/** Weighted mean of one side. */
export function weightedMean(
  samples: readonly StratumSample[],
  weights: readonly number[],
  side: 'before' | 'after',
): number {
  return sum(samples.map((sample, index) => weights[index]! * mean(sample[side])))
}

export function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}
