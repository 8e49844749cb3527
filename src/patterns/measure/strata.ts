// Numbers before and after, by stratum. A stratum counts by the sessions on both of its sides, as Mantel and Haenszel weigh
// tables: one with sessions on one side only says nothing about a change.

export interface Sample {
  before: number[]
  after: number[]
}

export function comparable(samples: readonly Sample[]): Sample[] {
  return samples.filter(({ before, after }) => before.length > 0 && after.length > 0)
}

/** Adding up to one. */
export function weightsOf(samples: readonly Sample[]): number[] {
  const raw = samples.map(({ before, after }) => (before.length * after.length) / (before.length + after.length))
  const total = sum(raw)
  return raw.map((weight) => weight / total)
}

/** The mean of one side, each stratum with its weight. */
export function weightedMean(samples: readonly Sample[], weights: readonly number[], side: 'before' | 'after'): number {
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
