// detect: what keeps happening. Digests become signals, signals of the same kind become patterns; no model is asked, and the
// same history gives the same patterns.
import type { Ledger } from '../../store/ledger.ts'
import { savePatterns, workSessions } from '../../store/patterns.ts'
import type { Pattern } from '../pattern.ts'
import type { Signal } from '../signal.ts'
import { addSignal, newClusters, patternsOf } from './clusters.ts'
import { newLeaders, repeatedCorrections } from './corrections.ts'
import { costsOf } from './costs.ts'
import { courses, untestedChange } from './courses.ts'
import { failures } from './failures.ts'
import { addSteps, commandSequences, newSequences } from './sequences.ts'
import { type SeenSession, seen } from './session.ts'
import { newTestHabits, noteTests, untestedWhereTestsRun } from './test-habits.ts'
import { toolSignals } from './tools.ts'

export interface DetectOptions {
  minFrequency?: number
  /** Sessions of one project, or of one agent: a look at a part, which is not saved. */
  project?: string
  agent?: string
}

export interface Detection {
  patterns: Pattern[]
  /** Sessions that were looked at, and those of them whose digest is older than what some signals need. */
  sessions: number
  olderSessions: number
}

/** Below that, a session is a question and a look. */
const fewestCalls = 3

export function detect(ledger: Ledger, { minFrequency = 2, project, agent }: DetectOptions = {}): Detection {
  const clusters = newClusters()
  const leaders = newLeaders()
  const sequences = newSequences()
  const habits = newTestHabits()
  const costs = costsOf(ledger, fewestCalls)
  let sessions = 0
  let olderSessions = 0
  const filter = { fewestCalls, ...(project && { project }), ...(agent && { agent }) }
  for (const row of workSessions(ledger, filter)) {
    const session = seen(row, costs.usdOf(row.id), costs.usualOf(row.id))
    for (const signal of signalsOf(session)) addSignal(clusters, signal)
    for (const signal of repeatedCorrections(leaders, session)) addSignal(clusters, signal)
    addSteps(sequences, session)
    noteTests(habits, session, untestedChange(session))
    sessions++
    if (!session.state.friction) olderSessions++
  }
  for (const signal of untestedWhereTestsRun(habits)) addSignal(clusters, signal)
  for (const signal of commandSequences(sequences)) addSignal(clusters, signal)
  const patterns = patternsOf(clusters, minFrequency)
  if (project === undefined && agent === undefined) savePatterns(ledger, patterns)
  return { patterns, sessions, olderSessions }
}

/** What one session tells by itself; what only shows beside others is added by `detect`. */
export function signalsOf(session: SeenSession): Signal[] {
  return [...failures(session), ...courses(session), ...toolSignals(session)]
}
