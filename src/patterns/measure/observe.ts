// Sessions as measuring sees them: what was counted in each, and which patterns occurred. Some patterns show only when all
// sessions were seen, so they are observed together and looked at afterwards.
import type { Ledger } from '../../store/ledger.ts'
import { sessionTokens } from '../../store/sessions/usage.ts'
import { errorKind, wrongArguments } from '../detect/error-kind.ts'
import { lookAtSessions } from '../detect/look.ts'
import type { SeenSession } from '../detect/session.ts'
import { isManaging } from '../detect/tools.ts'
import type { Pattern } from '../pattern.ts'
import type { Signal } from '../signal.ts'
import type { Observation } from './observation.ts'

export interface Observed {
  /** In the order in which they ended. */
  observations: Observation[]
  /** Digested before everything was kept that patterns are found by. */
  olderSessions: number
}

/** `wants` says which patterns are looked for in which sessions; `onSignal` is told of each signal of those. */
export function observe(
  ledger: Ledger,
  wants: (key: string, observation: Observation) => boolean,
  onSignal?: (signal: Signal, key: string, observation: Observation) => void,
): Observed {
  const observations = new Map<string, Observation>()
  const spans = sessionTokens(ledger)
  const { olderSessions } = lookAtSessions(
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

/** What makes two signals, a signal and a pattern, a pattern and a practice about the same. */
export function patternKey({ polarity, type, locus }: Pick<Pattern, 'polarity' | 'type' | 'locus'>): string {
  return `${polarity}\n${type}\n${locus}`
}

function observationOf(session: SeenSession, startedMs: number, tokens: number | null): Observation {
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
    overheadCalls: total(Object.entries(state.tools).map(([tool, times]) => (isManaging(tool) ? times : 0))),
    tokens,
    isSuccess: judgement.outcome === 'unknown' ? null : judgement.outcome === 'success',
    isWhole: state.friction !== undefined,
    patterns: [],
  }
}

function total(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
