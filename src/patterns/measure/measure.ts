// measure: how work goes, and whether practices changed it. Read only; the verdicts are a person's to act upon.
import type { Ledger } from '../../store/ledger.ts'
import { allPublications, type Publication } from '../../store/patterns/practices.ts'
import type { Practice } from '../practice.ts'
import { type Baseline, newBaseline } from './baseline.ts'
import { type Effect, effectOf } from './effect.ts'
import type { Observation } from './observation.ts'
import { observe, patternKey } from './observe.ts'
import { sidesOf } from './sides.ts'

export interface Measurement {
  baseline: Baseline
  practices: MeasuredPractice[]
  /** Left out of before and after: their digests do not tell. `recollect rebuild` makes them anew where their text is still there. */
  olderSessions: number
  /** How intervals and verdicts are found. */
  method: typeof method
}

export type MeasuredPractice = Pick<Practice, 'id' | 'path' | 'title' | 'version' | 'status'> & {
  /** Where it was, and until when. */
  published: Publication[]
} & (
    | ({ kind: 'measured' } & Effect)
    | { kind: 'not published' }
    /** A person wrote it: there is nothing that it should change. */
    | { kind: 'no pattern' }
  )

export const method = {
  verdict: 'share of sessions in which the pattern occurs; only sessions of the same project and agent are compared',
  interval: 'Wilson and Newcombe for shares, bootstrap of 1,000 seeded draws for means; 95 %',
  test: "Fisher's exact test over strata for shares, 1,000 seeded permutations for means; Holm's correction beside the verdict",
} as const

export interface MeasureOptions {
  project?: string
}

export function measure(ledger: Ledger, practices: readonly Practice[], { project }: MeasureOptions = {}): Measurement {
  const keys = new Set(practices.flatMap(({ pattern }) => (pattern ? [patternKey(decidingPattern(pattern))] : [])))
  const { observations, olderSessions } = observe(ledger, (key) => keys.has(key))
  const looked = project === undefined ? observations : observations.filter((one) => one.project === project)
  const baseline = newBaseline()
  for (const observation of looked) baseline.take(observation)
  const published = Map.groupBy(allPublications(ledger), ({ practice }) => practice)
  return {
    baseline: baseline.baseline(),
    practices: practices.map((practice) => measured(practice, published.get(practice.id) ?? [], looked)),
    olderSessions,
    method,
  }
}

function measured(
  practice: Practice,
  published: Publication[],
  observations: readonly Observation[],
): MeasuredPractice {
  const { id, path, title, version, status, pattern } = practice
  const about = { id, path, title, version, status, published }
  if (published.length === 0) return { ...about, kind: 'not published' }
  if (!pattern) return { ...about, kind: 'no pattern' }
  const sides = sidesOf(published)
  for (const observation of observations) sides.take(observation)
  const deciding = decidingPattern(pattern)
  const wanted = { pattern: patternKey(deciding), isProblem: deciding.polarity === 'problem' }
  return { ...about, kind: 'measured', ...effectOf(sides.strata(), wanted) }
}

/** A way out of an error is needed less often where the error is rarer: it has helped if the error no longer comes again and again. */
function decidingPattern(pattern: NonNullable<Practice['pattern']>): NonNullable<Practice['pattern']> {
  if (pattern.type !== 'recovery') return pattern
  return { polarity: 'problem', type: 'repeated error', locus: pattern.locus.split(' > ')[0]! }
}

/** In use, and worse with them than without. */
export function toRetire(practices: readonly MeasuredPractice[]): MeasuredPractice[] {
  return practices.filter((one) => one.kind === 'measured' && one.verdict === 'hurts' && one.status === 'approved')
}
