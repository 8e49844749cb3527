// detect: what keeps happening. Digests become signals, signals of the same kind become patterns; no model is asked, and the
// same history gives the same patterns.
import type { Ledger } from '../../store/ledger.ts'
import { savePatterns, unmapped, workSessions } from '../../store/patterns.ts'
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
  /** What is given back; what is saved is what people review, whatever was looked for last. */
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

export function detect(ledger: Ledger, { minFrequency = 0, ...part }: DetectOptions = {}): Detection {
  const found = unmapped(ledger, () => detectIn(ledger, part))
  if (part.project === undefined && part.agent === undefined) savePatterns(ledger, found.patterns)
  return { ...found, patterns: found.patterns.filter(({ frequency }) => frequency >= minFrequency) }
}

function detectIn(ledger: Ledger, part: Pick<DetectOptions, 'project' | 'agent'>): Detection {
  const clusters = newClusters()
  const leaders = newLeaders()
  const sequences = newSequences()
  const habits = newTestHabits()
  const costs = costsOf(ledger, fewestCalls)
  let sessions = 0
  let olderSessions = 0
  for (const row of workSessions(ledger, { fewestCalls, ...part })) {
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
  return { patterns: patternsOf(clusters), sessions, olderSessions }
}

/** What one session tells by itself; what only shows beside others is added by `detect`. */
export function signalsOf(session: SeenSession): Signal[] {
  return [...failures(session), ...courses(session), ...toolSignals(session)]
}
