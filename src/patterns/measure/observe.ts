// Sessions as measuring sees them: what was counted in each, and which patterns occurred. Some patterns show only when all
// sessions were seen, so they are observed together and looked at afterwards.
import { toolKind } from '../../digest/tool-kind.ts'
import type { Ledger } from '../../store/ledger.ts'
import { workSessions } from '../../store/patterns.ts'
import { sessionSpans } from '../../store/session-spans.ts'
import { newLeaders, repeatedCorrections } from '../detect/corrections.ts'
import { costsOf } from '../detect/costs.ts'
import { untestedChange } from '../detect/courses.ts'
import { signalsOf } from '../detect/detect.ts'
import { errorKind, wrongArguments } from '../detect/error-kind.ts'
import { addSteps, commandSequences, newSequences } from '../detect/sequences.ts'
import { type SeenSession, seen } from '../detect/session.ts'
import { newTestHabits, noteTests, untestedWhereTestsRun } from '../detect/test-habits.ts'
import type { Pattern } from '../pattern.ts'
import type { Signal } from '../signal.ts'
import type { Observation } from './observation.ts'

export interface Observed {
  /** In the order in which they ended. */
  observations: Observation[]
  /** Digested before everything was kept that patterns are found by. */
  olderSessions: number
}

/** As detecting has it: below that, a session is a question and a look. */
const fewestCalls = 3

/** `wants` says which patterns are looked for in which sessions; `onSignal` is told of each signal of those. */
export function observe(
  ledger: Ledger,
  wants: (key: string, observation: Observation) => boolean,
  onSignal?: (signal: Signal, key: string, observation: Observation) => void,
): Observed {
  const observations = new Map<string, Observation>()
  const parts = { leaders: newLeaders(), sequences: newSequences(), habits: newTestHabits() }
  const [costs, spans] = [costsOf(ledger, fewestCalls), sessionSpans(ledger)]
  let olderSessions = 0
  const note = (signals: Iterable<Signal>) => {
    for (const signal of signals) {
      const key = patternKey(signal)
      const observation = observations.get(signal.session)!
      if (!wants(key, observation)) continue
      if (!observation.patterns.includes(key)) observation.patterns = [...observation.patterns, key]
      onSignal?.(signal, key, observation)
    }
  }
  for (const row of workSessions(ledger, { fewestCalls })) {
    const session = seen(row, costs.usdOf(row.id), costs.usualOf(row.id))
    const { startedMs, tokens } = spans.get(row.id)!
    observations.set(row.uid, observationOf(session, startedMs, tokens))
    note(signalsOf(session))
    note(repeatedCorrections(parts.leaders, session))
    addSteps(parts.sequences, session)
    noteTests(parts.habits, session, untestedChange(session))
    if (!session.state.friction) olderSessions++
  }
  note(untestedWhereTestsRun(parts.habits))
  note(commandSequences(parts.sequences))
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

function isManaging(tool: string): boolean {
  return /^(?:task list|waiting|tool search)$/.test(toolKind(tool))
}

function total(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0)
}
