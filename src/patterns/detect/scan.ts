// Scans all sessions that are evidence and emits their signals: first those of single sessions,
// then those that need all sessions.

import { formatUsd, plural } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  type DigestedSession,
  type SessionCost,
  sessionCosts,
  withoutMemoryMap,
  workSessions,
} from '../../store/patterns/patterns.ts'
import type { Signal } from '../types.ts'
import { createLeaders, repeatedCorrections } from './corrections.ts'
import { failureSignals } from './failure-signals.ts'
import { createSignal, readScannedSession, type ScannedSession } from './scanned-session.ts'
import { addSteps, commandSequences, createSequences } from './sequences.ts'
import { toolSignals } from './tool-signals.ts'

export interface ScanFilter {
  project?: string
  agent?: string
}

export interface ScanHandlers {
  /** Called before the signals of the session. */
  onSession?(session: ScannedSession, row: DigestedSession): void
  onSignal(signal: Signal): void
}

export interface ScanResult {
  sessions: number
  /** Sessions whose digest lacks data that some signals need. */
  olderSessions: number
}

/** Shorter sessions are only questions. */
const minCalls = 3

export function scanSessions(ledger: Ledger, part: ScanFilter, looking: ScanHandlers): ScanResult {
  return withoutMemoryMap(ledger, () => scanAll(ledger, part, looking))
}

function scanAll(ledger: Ledger, part: ScanFilter, { onSession, onSignal }: ScanHandlers): ScanResult {
  const leaders = createLeaders()
  const sequences = createSequences()
  const habits = createTestHabits()
  const costs = readCosts(ledger, minCalls)
  const looked: ScanResult = { sessions: 0, olderSessions: 0 }
  for (const row of workSessions(ledger, { minCalls: minCalls, ...part })) {
    const session = readScannedSession(row, costs.usdOf(row.id), costs.usualOf(row.id))
    onSession?.(session, row)
    for (const signal of signalsOf(session)) onSignal(signal)
    for (const signal of repeatedCorrections(leaders, session)) onSignal(signal)
    addSteps(sequences, session)
    recordTests(habits, session, untestedChange(session))
    looked.sessions++
    if (!session.state.friction) looked.olderSessions++
  }
  for (const signal of untestedSignals(habits)) onSignal(signal)
  for (const signal of commandSequences(sequences)) onSignal(signal)
  return looked
}

function signalsOf(session: ScannedSession): Signal[] {
  return [...failureSignals(session), ...sessionSignals(session), ...toolSignals(session)]
}

interface CostLookup {
  usdOf(id: number): number
  /**
   * The 90th percentile of the same agent and project; null where too few sessions have a price.
   */
  usualOf(id: number): number | null
}

/** With fewer sessions the 90th percentile is a single session. */
const minSessions = 20

function readCosts(ledger: Ledger, fewestCalls: number): CostLookup {
  const costs = sessionCosts(ledger, fewestCalls)
  const groups = new Map<string, number[]>()
  for (const cost of costs) {
    for (const name of groupsOf(cost)) {
      const group = groups.get(name)
      if (group) group.push(cost.costUsd)
      else groups.set(name, [cost.costUsd])
    }
  }
  const usual = new Map(
    [...groups].filter(([, group]) => group.length >= minSessions).map(([name, group]) => [name, percentile90(group)]),
  )
  const spent = new Map<number, number>()
  const usualOf = new Map<number, number | null>()
  for (const cost of costs) {
    const name = groupsOf(cost).find((group) => usual.has(group))
    spent.set(cost.id, cost.costUsd)
    usualOf.set(cost.id, name === undefined ? null : usual.get(name)!)
  }
  return { usdOf: (id) => spent.get(id) ?? 0, usualOf: (id) => usualOf.get(id) ?? null }
}

/** Narrowest group first. */
function groupsOf({ agent, project }: SessionCost): string[] {
  return [`${agent} ${project}`, agent, '']
}

function percentile90(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.ceil(0.9 * values.length) - 1]!
}

// Signals of a session as a whole: its cost, its end, and untested changes.

function sessionSignals(session: ScannedSession): Signal[] {
  return [expensive(session), abandoned(session), cleanPass(session)].filter((one) => one !== undefined)
}

/** Of less nobody would change how they work. */
const minExcessUsd = 0.5

function expensive(session: ScannedSession): Signal | undefined {
  const { costUsd, usualUsd } = session
  if (usualUsd === null || costUsd - usualUsd < minExcessUsd) return undefined
  return createSignal(session, {
    type: 'expensive session',
    locus: costDriver(session),
    magnitude: costUsd,
    detail: `${formatUsd(costUsd)}; 90 % of sessions cost at most ${formatUsd(usualUsd)}`,
    costUsd: costUsd - usualUsd,
  })
}

/** The probable reason of the cost. */
function costDriver({ state: { counts, errors }, toolCalls }: ScannedSession): string {
  const failed = Object.values(errors).reduce((sum, { count }) => sum + count, 0)
  if (counts.compactions > 0) return 'outgrew the context'
  if (failed >= 5 && failed / toolCalls > 0.15) return 'many failures'
  return counts.corrections >= 2 ? 'many corrections' : ''
}

function abandoned(session: ScannedSession): Signal | undefined {
  const { judgement, toolCalls, costUsd } = session
  if (judgement.outcome !== 'abandoned') return undefined
  return createSignal(session, {
    type: 'abandoned',
    locus: judgement.because,
    magnitude: toolCalls,
    detail: `after ${plural(toolCalls, 'call')}`,
    seq: session.state.signals.interrupt ?? session.state.signals.prompt?.seq ?? null,
    costUsd,
  })
}

/** Requires a test run or a commit as proof of success. */
function cleanPass(session: ScannedSession): Signal | undefined {
  const { state, judgement, toolCalls } = session
  const { corrections, interrupts, denials, retries, undone } = state.counts
  const proof = proofs[judgement.because]
  const isClean = corrections + interrupts + denials + retries + undone === 0 && Object.keys(state.errors).length === 0
  if (judgement.outcome !== 'success' || !proof || !isClean || toolCalls < 5) return undefined
  return createSignal(session, {
    type: 'clean pass',
    polarity: 'success',
    locus: proof,
    magnitude: toolCalls,
    detail: `${plural(toolCalls, 'call')}`,
    seq: proof === 'tests' ? (state.signals.test?.seq ?? null) : state.signals.commit,
  })
}

const proofs: Record<string, string> = {
  'the last test run passed': 'tests',
  'ended with a commit': 'git commit',
}

/** Code changed after the last test run. Reported at the end, if the project runs tests at all. */
function untestedChange(session: ScannedSession): Signal | undefined {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.judgement.outcome === 'abandoned') return undefined
  if (friction.testRun !== null && friction.testRun > friction.codeEdit) return undefined
  return createSignal(session, {
    type: 'untested change',
    magnitude: 1,
    detail:
      friction.testRun === null ? 'code was changed and no test was run' : 'code was changed after the last test run',
    seq: friction.codeEdit,
  })
}

type TestHabits = Map<string, { changed: number; tested: number; untested: Signal[] }>

function createTestHabits(): TestHabits {
  return new Map()
}

const minChangedSessions = 3
/** Minimum share of sessions with changed code that ran tests. */
const minTestedShare = 1 / 3

function recordTests(habits: TestHabits, session: ScannedSession, untested: Signal | undefined): void {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.project === null) return
  const known = habits.get(session.project) ?? { changed: 0, tested: 0, untested: [] }
  habits.set(session.project, known)
  known.changed++
  if (friction.testRun !== null) known.tested++
  if (untested) known.untested.push(untested)
}

function untestedSignals(habits: TestHabits): Signal[] {
  return [...habits.values()]
    .filter(({ changed, tested }) => changed >= minChangedSessions && tested / changed >= minTestedShare)
    .flatMap(({ untested }) => untested)
}
