// Change of a mean over sessions. Interval: 95 % bootstrap, resampled within stratum and cohort.
// Test: permutation of before and after within strata. Both use a seeded generator.
import type { MeasuredChange } from './proportions.ts'
import { mean, type StratumSample, sum, weightedMean, weightsOf } from './strata.ts'

const draws = 1000
const seed = 20_261_116

/** Every stratum must have values before and after. */
export function averageChange(samples: readonly StratumSample[]): MeasuredChange {
  const weights = weightsOf(samples)
  const before = weightedMean(samples, weights, 'before')
  const after = weightedMean(samples, weights, 'after')
  return {
    before,
    after,
    difference: after - before,
    interval: bootstrapInterval(samples, weights),
    p: permutationP(samples),
  }
}

function bootstrapInterval(samples: readonly StratumSample[], weights: readonly number[]): [number, number] {
  const index = seededIndex(seed)
  const differences = Array.from({ length: draws }, () =>
    sum(
      samples.map(
        ({ before, after }, at) => weights[at]! * (resampledMean(after, index) - resampledMean(before, index)),
      ),
    ),
  ).sort((a, b) => a - b)
  return [differences[Math.floor(draws * 0.025)]!, differences[Math.ceil(draws * 0.975) - 1]!]
}

function resampledMean(values: readonly number[], index: (below: number) => number): number {
  let total = 0
  for (let count = 0; count < values.length; count++) total += values[index(values.length)]!
  return total / values.length
}

/** With these weights the total after is equivalent to the difference as a test statistic. */
function permutationP(samples: readonly StratumSample[]): number {
  const index = seededIndex(seed)
  const strata = samples.map(({ before, after }) => {
    const values = [...before, ...after]
    return { values, after: after.length, expected: mean(values) * after.length, total: sum(after) }
  })
  const expected = sum(strata.map((stratum) => stratum.expected))
  const seen = Math.abs(sum(strata.map((stratum) => stratum.total)) - expected)
  let atLeast = 1
  for (let draw = 0; draw < draws; draw++) {
    let total = 0
    for (const stratum of strata) total += drawnTotal(stratum.values, stratum.after, index)
    if (Math.abs(total - expected) >= seen - 1e-9 * Math.max(1, seen)) atLeast++
  }
  return atLeast / (draws + 1)
}

/**
 * Total of a random subset (partial Fisher-Yates). The values stay shuffled, which the next draw
 * allows.
 */
function drawnTotal(values: number[], count: number, index: (below: number) => number): number {
  let total = 0
  for (let at = 0; at < count; at++) {
    const other = at + index(values.length - at)
    const value = values[other]!
    values[other] = values[at]!
    values[at] = value
    total += value
  }
  return total
}

/**
 * Deterministic random indices, so that repeated measurements are identical. 32-bit xorshift
 * (Marsaglia).
 */
function seededIndex(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return Math.floor((state / 0x1_0000_0000) * below)
  }
}
