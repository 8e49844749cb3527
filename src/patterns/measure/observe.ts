// Observes sessions for measuring: counts and patterns of each. Some patterns appear only after all
// sessions were scanned, so all are observed first.
import type { Outcome } from '../../digest/outcome.ts'
import type { Ledger } from '../../store/ledger.ts'
import { sessionTokens } from '../../store/sessions/usage.ts'
import { errorKind, wrongArguments } from '../detect/error-kind.ts'
import { scanSessions } from '../detect/scan.ts'
import type { ScannedSession } from '../detect/scanned-session.ts'
import { isManagingTool } from '../detect/tool-signals.ts'
import type { Pattern, Signal } from '../types.ts'

export interface ObservedSessions {
  /** In the order of their end. */
  observations: Observation[]
  /** Sessions whose digest lacks data that patterns need. */
  olderSessions: number
}

/** `wants` selects patterns per session; `onSignal` is called for each of their signals. */
export function observe(
  ledger: Ledger,
  wants: (key: string, observation: Observation) => boolean,
  onSignal?: (signal: Signal, key: string, observation: Observation) => void,
): ObservedSessions {
  const observations = new Map<string, Observation>()
  const spans = sessionTokens(ledger)
  const { olderSessions } = scanSessions(
    ledger,
    {},
    {
      onSession(session, { id, uid }) {
        const { startedMs, tokens } = spans.get(id)!
        observations.set(uid, observationOf(session, startedMs, tokens))
      },
      onSignal(signal) {
        const key = patternKey(signal)
        const observation = observations.get(signal.session)!
        if (!wants(key, observation)) return
        if (!observation.patterns.includes(key)) observation.patterns = [...observation.patterns, key]
        onSignal?.(signal, key, observation)
      },
    },
  )
  return { observations: [...observations.values()], olderSessions }
}

/** Key that signals, patterns and practices of the same subject share. */
export function patternKey({ polarity, type, locus }: Pick<Pattern, 'polarity' | 'type' | 'locus'>): string {
  return `${polarity}\n${type}\n${locus}`
}

function observationOf(session: ScannedSession, startedMs: number, tokens: number | null): Observation {
  const { agent, project, endedMs, toolCalls, state, judgement } = session
  const errors = Object.entries(state.errors).map(([fingerprint, error]) => ({ fingerprint, ...error }))
  return {
    agent,
    project,
    startedMs,
    endedMs,
    calls: toolCalls,
    errors: total(errors.map(({ count }) => count)),
    retries: state.counts.retries,
    corrections: state.counts.corrections,
    schemaErrors: total(errors.filter((error) => errorKind(error)?.locus === wrongArguments).map(({ count }) => count)),
    overheadCalls: total(Object.entries(state.tools).map(([tool, times]) => (isManagingTool(tool) ? times : 0))),
    tokens,
    outcome: judgement.outcome,
    isWhole: state.friction !== undefined,
    patterns: [],
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}

export interface Observation {
  agent: string
  project: string | null
  startedMs: number
  endedMs: number
  calls: number
  errors: number
  retries: number
  corrections: number
  /** Calls that failed because of invalid arguments. */
  schemaErrors: number
  /** Calls that manage the work. */
  overheadCalls: number
  /** Input, cached and output tokens; null where the agent does not record them. */
  tokens: number | null
  outcome: Outcome
  /**
   * The digest has all data that patterns need; an older one would look like a session without
   * problems.
   */
  isWhole: boolean
  /** Selected patterns that occurred. */
  patterns: readonly string[]
}

/** Sessions of one project and agent in order of time; only these are compared. */
export interface Stratum {
  before: Observation[]
  after: Observation[]
}

export interface Metric {
  name: string
  /** A share of sessions, a mean, or a mean of logarithms that is reported as a ratio. */
  kind: 'share' | 'mean' | 'ratio'
  isLowerBetter: boolean
  /** Null where the session has no value. */
  of(observation: Observation): number | null
}

/** Metrics beside the frequency of the practice's own pattern. */
export const metrics: readonly Metric[] = [
  { name: 'error rate', kind: 'mean', isLowerBetter: true, of: ({ errors, calls }) => perCall(errors, calls) },
  { name: 'retries', kind: 'mean', isLowerBetter: true, of: ({ retries }) => retries },
  { name: 'corrections', kind: 'mean', isLowerBetter: true, of: ({ corrections }) => corrections },
  { name: 'invalid arguments', kind: 'mean', isLowerBetter: true, of: ({ schemaErrors }) => schemaErrors },
  {
    name: 'overhead',
    kind: 'mean',
    isLowerBetter: true,
    of: ({ overheadCalls, calls }) => perCall(overheadCalls, calls),
  },
  { name: 'tokens', kind: 'ratio', isLowerBetter: true, of: ({ tokens }) => (tokens ? Math.log(tokens) : null) },
  {
    name: 'success',
    kind: 'share',
    isLowerBetter: false,
    of: ({ outcome }) => Number(outcome === 'success'),
  },
]

function perCall(count: number, calls: number): number | null {
  return calls === 0 ? null : count / calls
}
