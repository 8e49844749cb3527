// How a mean over sessions changed. Interval: bootstrap, sessions drawn again within their stratum and side, the middle 95 % of
// the differences. Test: a permutation of before and after within strata. Both from a seeded generator.
import { seededIndex } from './random.ts'
import type { Change } from './shares.ts'
import { mean, type Sample, sum, weightedMean, weightsOf } from './strata.ts'

const draws = 1000
const seed = 20_261_116

/** No stratum is empty on a side. */
export function changeOfMeans(samples: readonly Sample[]): Change {
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

function bootstrapInterval(samples: readonly Sample[], weights: readonly number[]): [number, number] {
  const index = seededIndex(seed)
  const differences = Array.from({ length: draws }, () =>
    sum(samples.map(({ before, after }, at) => weights[at]! * (redrawn(after, index) - redrawn(before, index)))),
  ).sort((a, b) => a - b)
  return [differences[Math.floor(draws * 0.025)]!, differences[Math.ceil(draws * 0.975) - 1]!]
}

function redrawn(values: readonly number[], index: (below: number) => number): number {
  let total = 0
  for (let count = 0; count < values.length; count++) total += values[index(values.length)]!
  return total / values.length
}

/** With these weights a difference is as unusual as the total after is, so that is what is counted. */
function permutationP(samples: readonly Sample[]): number {
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

/** The total of some of the values, none twice; they are left in another order, which is as good for the next draw. */
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
