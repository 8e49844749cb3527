// Measures the effect of a practice by how often its own pattern occurs; other metrics are reported
// beside it. An effect requires that the interval excludes zero, the exact test agrees, and a step
// explains the change better than a trend: two of the three alone err too often.
import { type Metric, metrics, type Observation, type Stratum } from './observe.ts'
import { isClear, type MeasuredChange, proportionChange } from './proportions.ts'
import { mean, nonEmptySamples, type StratumSample, sum, weightedMean, weightsOf } from './strata.ts'

export type EffectVerdict = 'helps' | 'no effect' | 'hurts' | 'too early'

export interface Effect {
  verdict: EffectVerdict
  /** Explanation for people. */
  because: string
  before: CohortSummary
  after: CohortSummary
  /** Change of the share of sessions with the pattern; null where there is nothing to compare. */
  change: MeasuredChange | null
  others: OtherChange[]
}

export interface CohortSummary {
  sessions: number
  firstMs: number
  lastMs: number
}

export interface OtherChange extends MeasuredChange {
  metric: string
  kind: Metric['kind']
  /** p corrected for the number of metrics (Holm). */
  corrected: number
  verdict: 'better' | 'worse' | 'no clear change'
}

/** Smallest relevant change: a third of the share before, and at least five percentage points. */
const relevantPart = 1 / 3
const relevantShare = 0.05
const minSessions = 10

export function measureEffect(strata: readonly Stratum[], wanted: MeasuredPattern): Effect {
  return { ...judgePractice(strata, wanted), others: changesIn(strata) }
}

export interface MeasuredPattern {
  pattern: string
  /** Fewer occurrences are better. */
  isProblem: boolean
}

/** Judges by the pattern of the practice only. */
export function judgePractice(
  strata: readonly Stratum[],
  { pattern, isProblem }: MeasuredPattern,
): Omit<Effect, 'others'> {
  const matched = strata.filter(({ before, after }) => before.length > 0 && after.length > 0)
  const counted = matched.length > 0 ? matched : strata // so that a new publication shows what there is
  const before = summariseCohort(counted.flatMap((stratum) => stratum.before))
  const after = summariseCohort(counted.flatMap((stratum) => stratum.after))
  const samples = samplesOf(matched, ({ patterns }) => Number(patterns.includes(pattern)))
  if (samples.length === 0) return { ...tooEarly(before, after), before, after, change: null }
  const change = proportionChange(samples)
  return { ...judge({ change, samples, before, after, isProblem }), before, after, change }
}

interface JudgeInput {
  change: MeasuredChange
  samples: readonly StratumSample[]
  before: CohortSummary
  after: CohortSummary
  isProblem: boolean
}

function judge({ change, samples, before, after, isProblem }: JudgeInput): Pick<Effect, 'verdict' | 'because'> {
  if (Math.min(before.sessions, after.sessions) < minSessions) return tooEarly(before, after)
  if (isClear(change)) {
    if (!isStep(samples)) return { verdict: 'too early', because: 'a steady trend explains the change as well' }
    return { verdict: change.difference < 0 === isProblem ? 'helps' : 'hurts', because: '' }
  }
  const relevant = Math.max(relevantShare, change.before * relevantPart)
  const points = Math.round(relevant * 100)
  const widest = Math.max(-change.interval[0], change.interval[1])
  if (widest < relevant) return { verdict: 'no effect', because: `a change of ${points} points or more is ruled out` }
  return { verdict: 'too early', because: `a change of ${points} points can neither be seen nor ruled out yet` }
}

function tooEarly(before: CohortSummary, after: CohortSummary): Pick<Effect, 'verdict' | 'because'> {
  const short = [
    ...(before.sessions < minSessions ? [`${before.sessions} before`] : []),
    ...(after.sessions < minSessions ? [`${after.sessions} after`] : []),
  ]
  const found = short.length === 0 ? 'no project and agent has sessions on both sides' : `only ${short.join(' and ')}`
  return { verdict: 'too early', because: `${found}; a verdict needs ${minSessions} sessions before and after` }
}

/** Changes of all other metrics. */
export function changesIn(strata: readonly Stratum[]): OtherChange[] {
  const changes = metrics.flatMap((metric) => {
    const samples = nonEmptySamples(samplesOf(strata, metric.of))
    if (!hasEnough(samples)) return []
    return [{ metric, ...(metric.kind === 'share' ? proportionChange(samples) : averageChange(samples)) }]
  })
  const corrected = holm(changes.map(({ p }) => p))
  return changes.map(({ metric, ...change }, index) => ({
    metric: metric.name,
    kind: metric.kind,
    ...(metric.kind === 'ratio' ? asRatio(change) : change),
    corrected: corrected[index]!,
    verdict: otherVerdict(metric, { ...change, p: corrected[index]! }),
  }))
}

function hasEnough(samples: readonly StratumSample[]): boolean {
  const count = (side: 'before' | 'after') => samples.reduce((all, sample) => all + sample[side].length, 0)
  return count('before') >= minSessions && count('after') >= minSessions
}

function otherVerdict({ isLowerBetter }: Metric, change: MeasuredChange): OtherChange['verdict'] {
  if (!isClear(change)) return 'no clear change'
  return change.difference < 0 === isLowerBetter ? 'better' : 'worse'
}

/** Converts means of logarithms; the difference becomes a ratio. */
function asRatio({ before, after, difference, interval, p }: MeasuredChange): MeasuredChange {
  return {
    before: Math.exp(before),
    after: Math.exp(after),
    difference: Math.exp(difference),
    interval: [Math.exp(interval[0]), Math.exp(interval[1])],
    p,
  }
}

/** Holm correction: p times the number of remaining metrics, monotonically increasing. */
export function holm(ps: readonly number[]): number[] {
  const corrected = ps.map(() => 1)
  let least = 0
  for (const [rank, { p, index }] of ps
    .map((p, index) => ({ p, index }))
    .sort((a, b) => a.p - b.p)
    .entries()) {
    least = Math.max(least, Math.min(1, p * (ps.length - rank)))
    corrected[index] = least
  }
  return corrected
}

function samplesOf(strata: readonly Stratum[], of: (observation: Observation) => number | null): StratumSample[] {
  const values = (side: readonly Observation[]) => side.map(of).filter((value) => value !== null)
  return strata.map(({ before, after }) => ({ before: values(before), after: values(after) }))
}

function summariseCohort(observations: readonly Observation[]): CohortSummary {
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, 0]
  for (const { startedMs, endedMs } of observations) {
    firstMs = Math.min(firstMs, startedMs)
    lastMs = Math.max(lastMs, endedMs)
  }
  return { sessions: observations.length, firstMs: observations.length === 0 ? 0 : firstMs, lastMs }
}

/**
 * Whether a step at the publication explains more of the variance than a steady trend: agents and
 * models improve by themselves. Values of a stratum must be in order of time.
 */
function isStep(samples: readonly StratumSample[]): boolean {
  const step = samples.map(({ before, after }) => [...before.map(() => 0), ...after.map(() => 1)])
  const steady = step.map((places) => places.map((_, index) => index / places.length))
  const values = samples.map(({ before, after }) => [...before, ...after])
  return explainedVariance(values, step) > explainedVariance(values, steady)
}

/** Sum of squares that a regression on `places` explains, with an intercept per stratum. */
function explainedVariance(values: readonly number[][], places: readonly number[][]): number {
  const ys = values.map(centred)
  const xs = places.map(centred)
  const together = sum(xs.flatMap((x, stratum) => x.map((value, index) => value * ys[stratum]![index]!)))
  const spread = sum(xs.flatMap((x) => x.map((value) => value ** 2)))
  return spread === 0 ? 0 : together ** 2 / spread
}

function centred(values: readonly number[]): number[] {
  const middle = mean(values)
  return values.map((value) => value - middle)
}

// Change of a mean over sessions. Interval: 95 % bootstrap, resampled within stratum and cohort.
// Test: permutation of before and after within strata. Both use a seeded generator.

const draws = 1000
const seed = 20_261_116

/** Every stratum must have values before and after. */
function averageChange(samples: readonly StratumSample[]): MeasuredChange {
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
