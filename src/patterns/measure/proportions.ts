// Change of a share of sessions. Interval: Wilson per cohort, combined for a difference after
// Newcombe (method 10); valid for few sessions and for shares near 0 and 1, where a bootstrap has
// no spread. Test: Fisher's exact test over strata.
import { type StratumSample, sum, weightedMean, weightsOf } from './strata.ts'

export interface MeasuredChange {
  before: number
  after: number
  difference: number
  /** 95 % confidence interval. */
  interval: [number, number]
  /** Two-sided p value. */
  p: number
}

const level = 0.05

/** Both the interval and the test exclude zero. */
export function isClear({ interval: [low, high], p }: MeasuredChange): boolean {
  return (low > 0 || high < 0) && p <= level
}

/** Values must be 0 or 1; every stratum must have values before and after. */
export function proportionChange(samples: readonly StratumSample[]): MeasuredChange {
  const weights = weightsOf(samples)
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const share = weightedMean(samples, weights, side)
    // Effective sample size (Kish).
    const sessions = 1 / sum(samples.map((sample, index) => weights[index]! ** 2 / sample[side].length))
    return { share, ...wilson(share, sessions) }
  }) as [ProportionBounds, ProportionBounds]
  const difference = after.share - before.share
  const low = difference - Math.hypot(after.share - after.low, before.high - before.share)
  const high = difference + Math.hypot(after.high - after.share, before.share - before.low)
  return { before: before.share, after: after.share, difference, interval: [low, high], p: exactP(samples) }
}

/** 95 % interval of a share of sessions (Wilson). */
export function shareInterval(share: number, sessions: number): [number, number] {
  const { low, high } = wilson(share, sessions)
  return [low, high]
}

interface ProportionBounds {
  share: number
  low: number
  high: number
}

/** 97.5 % quantile of the normal distribution. */
const z = 1.959964

function wilson(share: number, sessions: number): { low: number; high: number } {
  const middle = (share + z ** 2 / (2 * sessions)) / (1 + z ** 2 / sessions)
  const half =
    (z / (1 + z ** 2 / sessions)) * Math.sqrt((share * (1 - share)) / sessions + z ** 2 / (4 * sessions ** 2))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** With these weights the number of occurrences after is equivalent as a test statistic. */
function exactP(samples: readonly StratumSample[]): number {
  let chances: CountDistribution = { from: 0, of: [1] }
  let occurred = 0
  let expected = 0
  for (const { before, after } of samples) {
    const [sessions, times] = [before.length + after.length, sum(before) + sum(after)]
    occurred += sum(after)
    expected += (after.length * times) / sessions
    chances = convolve(chances, hypergeometric(sessions, times, after.length))
  }
  const least = Math.abs(occurred - expected) - 1e-9
  return Math.min(1, sum(chances.of.filter((_, index) => Math.abs(chances.from + index - expected) >= least)))
}

/** Probabilities of counts, starting at `from`. */
interface CountDistribution {
  from: number
  of: number[]
}

/** Distribution of occurrences among `drawn` of all sessions. */
function hypergeometric(sessions: number, times: number, drawn: number): CountDistribution {
  const from = Math.max(0, drawn + times - sessions)
  const to = Math.min(times, drawn)
  const all = logChoose(sessions, drawn)
  const of: number[] = []
  for (let count = from; count <= to; count++) {
    of.push(Math.exp(logChoose(times, count) + logChoose(sessions - times, drawn - count) - all))
  }
  return { from, of }
}

function convolve(one: CountDistribution, other: CountDistribution): CountDistribution {
  const of = new Array<number>(one.of.length + other.of.length - 1).fill(0)
  for (const [i, a] of one.of.entries()) {
    // Negligible terms, which are most of a long table.
    if (a < 1e-15) continue
    for (const [j, b] of other.of.entries()) of[i + j]! += a * b
  }
  return { from: one.from + other.from, of }
}

function logChoose(from: number, take: number): number {
  return logFactorial(from) - logFactorial(take) - logFactorial(from - take)
}

const logFactorials = [0]

function logFactorial(number: number): number {
  for (let next = logFactorials.length; next <= number; next++) {
    logFactorials.push(logFactorials[next - 1]! + Math.log(next))
  }
  return logFactorials[number]!
}
