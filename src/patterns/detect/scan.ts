// Scans all sessions that are evidence and emits their signals: first those of single sessions,
// then those that need all sessions.
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
import { readScannedSession, type ScannedSession } from './scanned-session.ts'
import { addSteps, commandSequences, createSequences } from './sequences.ts'
import { createTestHabits, recordTests, sessionSignals, untestedChange, untestedSignals } from './session-signals.ts'
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
