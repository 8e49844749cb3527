// Measures sessions and the effect of practices. Read only: people act on the verdicts.
import type { Ledger } from '../../store/ledger.ts'
import { allPublications, type Publication } from '../../store/patterns/practices.ts'
import type { Practice } from '../types.ts'
import { type Baseline, createBaseline } from './baseline.ts'
import { createCohorts } from './cohorts.ts'
import { type Effect, measureEffect } from './effect.ts'
import type { Observation } from './observe.ts'
import { observe, patternKey } from './observe.ts'

export interface Measurement {
  baseline: Baseline
  practices: MeasuredPractice[]
  /**
   * Sessions left out because of old digests; `recollect rebuild` renews them where the text still
   * exists.
   */
  olderSessions: number
  /** Description of the statistics. */
  method: typeof method
}

export type MeasuredPractice = Pick<Practice, 'id' | 'path' | 'title' | 'version' | 'status'> & {
  /** Publications with their end. */
  published: Publication[]
} & (
    | ({ kind: 'measured' } & Effect)
    | { kind: 'not published' }
    /** Written by hand, so there is no pattern to measure. */
    | { kind: 'no pattern' }
  )

export const method = {
  sessions: 'sessions of work with at least 3 tool calls, without subagents',
  success:
    'share of all these sessions whose outcome is success; those that are waiting, open, failed, abandoned or unknown are not left out',
  errorRate: 'errors per tool call',
  perSession: 'retries, corrections and schemaErrors: mean per session',
  overhead: 'share of tool calls that manage the work, such as task lists',
  tokens: 'median and 90th percentile of sessions whose agent records tokens',
  verdict: 'share of sessions in which the pattern occurs; only sessions of the same project and agent are compared',
  interval: 'Wilson and Newcombe for shares, bootstrap of 1,000 seeded draws for means; 95 %',
  test: "Fisher's exact test over strata for shares, 1,000 seeded permutations for means; Holm's correction beside the verdict",
} as const

export interface MeasureOptions {
  project?: string
  /** Only sessions that ended since. */
  sinceMs?: number
}

export function measure(
  ledger: Ledger,
  practices: readonly Practice[],
  { project, sinceMs = 0 }: MeasureOptions = {},
): Measurement {
  const keys = new Set(practices.flatMap(({ pattern }) => (pattern ? [patternKey(decidingPattern(pattern))] : [])))
  const { observations, olderSessions } = observe(ledger, (key) => keys.has(key))
  const looked = observations.filter(
    (one) => (project === undefined || one.project === project) && one.endedMs >= sinceMs,
  )
  const baseline = createBaseline()
  for (const observation of looked) baseline.take(observation)
  const published = Map.groupBy(allPublications(ledger), ({ practice }) => practice)
  return {
    baseline: baseline.baseline(),
    practices: practices.map((practice) => measurePractice(practice, published.get(practice.id) ?? [], looked)),
    olderSessions,
    method,
  }
}

function measurePractice(
  practice: Practice,
  published: Publication[],
  observations: readonly Observation[],
): MeasuredPractice {
  const { id, path, title, version, status, pattern } = practice
  const about = { id, path, title, version, status, published }
  if (published.length === 0) return { ...about, kind: 'not published' }
  if (!pattern) return { ...about, kind: 'no pattern' }
  const sides = createCohorts(published)
  for (const observation of observations) sides.take(observation)
  const deciding = decidingPattern(pattern)
  const wanted = { pattern: patternKey(deciding), isProblem: deciding.polarity === 'problem' }
  return { ...about, kind: 'measured', ...measureEffect(sides.strata(), wanted) }
}

/** A recovery is measured by its error: it helped if the error is repeated less often. */
function decidingPattern(pattern: NonNullable<Practice['pattern']>): NonNullable<Practice['pattern']> {
  if (pattern.type !== 'recovery') return pattern
  return { polarity: 'problem', type: 'repeated error', locus: pattern.locus.split(' > ')[0]! }
}

/** Approved practices with the verdict `hurts`. */
export function harmfulPractices(practices: readonly MeasuredPractice[]): MeasuredPractice[] {
  return practices.filter((one) => one.kind === 'measured' && one.verdict === 'hurts' && one.status === 'approved')
}
