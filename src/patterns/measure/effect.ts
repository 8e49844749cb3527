// What a practice did, judged by how often its own pattern occurs; everything else is told beside it. An effect is claimed if the
// interval leaves nought out, the exact test agrees, and a step explains it better than a trend: two of them alone err too often.
import { changeOfMeans } from './means.ts'
import { type Metric, metrics, type Observation, type Stratum } from './observation.ts'
import { type Change, changeOfShares, isClear } from './shares.ts'
import { comparable, type Sample } from './strata.ts'
import { isStep } from './trend.ts'

export type EffectVerdict = 'helps' | 'no effect' | 'hurts' | 'too early'

export interface Effect {
  verdict: EffectVerdict
  /** Why it is too early, or how far one can tell; for people. */
  because: string
  before: Side
  after: Side
  /** Of the share of sessions in which the pattern occurs; null where there is nothing to compare. */
  change: Change | null
  others: OtherChange[]
}

export interface Side {
  sessions: number
  firstMs: number
  lastMs: number
}

export interface OtherChange extends Change {
  metric: string
  kind: Metric['kind']
  /** Corrected for the number of metrics (Holm). */
  corrected: number
  verdict: 'better' | 'worse' | 'no clear change'
}

/** A change that is worth knowing: a third of what was, and at least five sessions in a hundred. */
const relevantPart = 1 / 3
const relevantShare = 0.05
const fewest = 10

export function effectOf(strata: readonly Stratum[], wanted: Wanted): Effect {
  return { ...judgePractice(strata, wanted), others: changesIn(strata) }
}

export interface Wanted {
  pattern: string
  /** One to get rid of, and not one to repeat. */
  isProblem: boolean
}

/** By its own pattern alone. */
export function judgePractice(strata: readonly Stratum[], { pattern, isProblem }: Wanted): Omit<Effect, 'others'> {
  const matched = strata.filter(({ before, after }) => before.length > 0 && after.length > 0)
  const before = sideOf(matched.flatMap((stratum) => stratum.before))
  const after = sideOf(matched.flatMap((stratum) => stratum.after))
  const samples = samplesOf(matched, ({ patterns }) => Number(patterns.includes(pattern)))
  if (samples.length === 0) return { ...tooEarly(before, after), before, after, change: null }
  const change = changeOfShares(samples)
  return { ...judge({ change, samples, before, after, isProblem }), before, after, change }
}

interface Judged {
  change: Change
  samples: readonly Sample[]
  before: Side
  after: Side
  isProblem: boolean
}

function judge({ change, samples, before, after, isProblem }: Judged): Pick<Effect, 'verdict' | 'because'> {
  if (Math.min(before.sessions, after.sessions) < fewest) return tooEarly(before, after)
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

function tooEarly(before: Side, after: Side): Pick<Effect, 'verdict' | 'because'> {
  const short = [
    ...(before.sessions < fewest ? [`${before.sessions} before`] : []),
    ...(after.sessions < fewest ? [`${after.sessions} after`] : []),
  ]
  return { verdict: 'too early', because: `only ${short.join(' and ')}; ${fewest} sessions on each side are the least` }
}

/** Of everything else that is counted. */
export function changesIn(strata: readonly Stratum[]): OtherChange[] {
  const changes = metrics.flatMap((metric) => {
    const samples = comparable(samplesOf(strata, metric.of))
    if (!hasEnough(samples)) return []
    return [{ metric, ...(metric.kind === 'share' ? changeOfShares(samples) : changeOfMeans(samples)) }]
  })
  const corrected = holm(changes.map(({ p }) => p))
  return changes.map(({ metric, ...change }, index) => ({
    metric: metric.name,
    kind: metric.kind,
    ...(metric.kind === 'ratio' ? asRatio(change) : change),
    corrected: corrected[index]!,
    verdict: verdictBeside(metric, { ...change, p: corrected[index]! }),
  }))
}

function hasEnough(samples: readonly Sample[]): boolean {
  const count = (side: 'before' | 'after') => samples.reduce((all, sample) => all + sample[side].length, 0)
  return count('before') >= fewest && count('after') >= fewest
}

function verdictBeside({ isLowerBetter }: Metric, change: Change): OtherChange['verdict'] {
  if (!isClear(change)) return 'no clear change'
  return change.difference < 0 === isLowerBetter ? 'better' : 'worse'
}

/** Means of logarithms as what they stand for; the difference becomes a factor. */
function asRatio({ before, after, difference, interval, p }: Change): Change {
  return {
    before: Math.exp(before),
    after: Math.exp(after),
    difference: Math.exp(difference),
    interval: [Math.exp(interval[0]), Math.exp(interval[1])],
    p,
  }
}

/** The smallest p as often as there are metrics, the next one time less, and never below the one before it. */
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

function samplesOf(strata: readonly Stratum[], of: (observation: Observation) => number | null): Sample[] {
  const values = (side: readonly Observation[]) => side.map(of).filter((value) => value !== null)
  return strata.map(({ before, after }) => ({ before: values(before), after: values(after) }))
}

function sideOf(observations: readonly Observation[]): Side {
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, 0]
  for (const { startedMs, endedMs } of observations) {
    firstMs = Math.min(firstMs, startedMs)
    lastMs = Math.max(lastMs, endedMs)
  }
  return { sessions: observations.length, firstMs: observations.length === 0 ? 0 : firstMs, lastMs }
}
