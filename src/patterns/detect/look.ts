// Every session that is evidence, and every signal in it: first what each tells by itself, then what only shows beside others.
import type { Ledger } from '../../store/ledger.ts'
import { type DigestedSession, withoutMemoryMap, workSessions } from '../../store/patterns/patterns.ts'
import type { Signal } from '../signal.ts'
import { newLeaders, repeatedCorrections } from './corrections.ts'
import { costsOf } from './costs.ts'
import { courses, untestedChange } from './courses.ts'
import { failures } from './failures.ts'
import { addSteps, commandSequences, newSequences } from './sequences.ts'
import { type SeenSession, seen } from './session.ts'
import { newTestHabits, noteTests, untestedWhereTestsRun } from './test-habits.ts'
import { toolSignals } from './tools.ts'

export interface Part {
  project?: string
  agent?: string
}

export interface Looking {
  /** Told before the signals of the session. */
  onSession?(session: SeenSession, row: DigestedSession): void
  onSignal(signal: Signal): void
}

export interface Looked {
  sessions: number
  /** Those of them whose digest is older than what some signals need. */
  olderSessions: number
}

/** Below that, a session is a question and a look. */
const fewestCalls = 3

export function lookAtSessions(ledger: Ledger, part: Part, looking: Looking): Looked {
  return withoutMemoryMap(ledger, () => lookAtAll(ledger, part, looking))
}

function lookAtAll(ledger: Ledger, part: Part, { onSession, onSignal }: Looking): Looked {
  const leaders = newLeaders()
  const sequences = newSequences()
  const habits = newTestHabits()
  const costs = costsOf(ledger, fewestCalls)
  const looked: Looked = { sessions: 0, olderSessions: 0 }
  for (const row of workSessions(ledger, { minCalls: fewestCalls, ...part })) {
    const session = seen(row, costs.usdOf(row.id), costs.usualOf(row.id))
    onSession?.(session, row)
    for (const signal of signalsOf(session)) onSignal(signal)
    for (const signal of repeatedCorrections(leaders, session)) onSignal(signal)
    addSteps(sequences, session)
    noteTests(habits, session, untestedChange(session))
    looked.sessions++
    if (!session.state.friction) looked.olderSessions++
  }
  for (const signal of untestedWhereTestsRun(habits)) onSignal(signal)
  for (const signal of commandSequences(sequences)) onSignal(signal)
  return looked
}

function signalsOf(session: SeenSession): Signal[] {
  return [...failures(session), ...courses(session), ...toolSignals(session)]
}
