// How a share of sessions changed. Interval: Wilson's for each side, joined as Newcombe does for a difference (his method 10). It
// holds for few sessions and for shares near nought and one, where a bootstrap finds no spread at all.
// Test: Fisher's exact one, over strata: given how often something occurred in a stratum, every way of spreading it over the
// sessions before and after is as likely as another, if nothing changed.
import { type Sample, sum, weightedMean, weightsOf } from './strata.ts'

export interface Change {
  before: number
  after: number
  difference: number
  /** At 95 %. */
  interval: [number, number]
  /** That so large a difference, either way, comes about by chance. */
  p: number
}

const level = 0.05

/** Neither the interval nor the test lets it be nothing. */
export function isClear({ interval: [low, high], p }: Change): boolean {
  return (low > 0 || high < 0) && p <= level
}

/** Of noughts and ones; no stratum is empty on a side. */
export function changeOfShares(samples: readonly Sample[]): Change {
  const weights = weightsOf(samples)
  const [before, after] = (['before', 'after'] as const).map((side) => {
    const share = weightedMean(samples, weights, side)
    // What the weighted share is worth in sessions (Kish).
    const sessions = 1 / sum(samples.map((sample, index) => weights[index]! ** 2 / sample[side].length))
    return { share, ...wilson(share, sessions) }
  }) as [Bounds, Bounds]
  const difference = after.share - before.share
  const low = difference - Math.hypot(after.share - after.low, before.high - before.share)
  const high = difference + Math.hypot(after.high - after.share, before.share - before.low)
  return { before: before.share, after: after.share, difference, interval: [low, high], p: exactP(samples) }
}

interface Bounds {
  share: number
  low: number
  high: number
}

/** Of the normal distribution, for 95 %. */
const z = 1.959964

function wilson(share: number, sessions: number): { low: number; high: number } {
  const middle = (share + z ** 2 / (2 * sessions)) / (1 + z ** 2 / sessions)
  const half =
    (z / (1 + z ** 2 / sessions)) * Math.sqrt((share * (1 - share)) / sessions + z ** 2 / (4 * sessions ** 2))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** With these weights a difference is as unusual as the number of occurrences after is. */
function exactP(samples: readonly Sample[]): number {
  let chances: Chances = { from: 0, of: [1] }
  let occurred = 0
  let expected = 0
  for (const { before, after } of samples) {
    const [sessions, times] = [before.length + after.length, sum(before) + sum(after)]
    occurred += sum(after)
    expected += (after.length * times) / sessions
    chances = joined(chances, hypergeometric(sessions, times, after.length))
  }
  const least = Math.abs(occurred - expected) - 1e-9
  return Math.min(1, sum(chances.of.filter((_, index) => Math.abs(chances.from + index - expected) >= least)))
}

/** Of counts: the first one, and the chance of each from there. */
interface Chances {
  from: number
  of: number[]
}

/** How many of `drawn` sessions are among the `times` in which it occurred. */
function hypergeometric(sessions: number, times: number, drawn: number): Chances {
  const from = Math.max(0, drawn + times - sessions)
  const to = Math.min(times, drawn)
  const all = logChoose(sessions, drawn)
  const of: number[] = []
  for (let count = from; count <= to; count++) {
    of.push(Math.exp(logChoose(times, count) + logChoose(sessions - times, drawn - count) - all))
  }
  return { from, of }
}

function joined(one: Chances, other: Chances): Chances {
  const of = new Array<number>(one.of.length + other.of.length - 1).fill(0)
  for (const [i, a] of one.of.entries()) {
    // Too small to matter in any sum; most of the terms of long tables are.
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
