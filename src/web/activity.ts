// Days, tokens and cost of every session, kept in memory: summing up the usage of years for each view
// would take seconds. Sessions that have grown are read again when the ledger has changed.
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { countSessions, dataVersion, type SessionFacts, sessionFacts } from '../store/sessions/session-facts.ts'
import { usageRows } from '../store/sessions/usage.ts'

/** What one session used on one day of one model. */
export interface DayUsage {
  session: SessionActivity
  day: string
  model: string | null
  responses: number
  input: number
  cacheRead: number
  cacheWrite: number
  output: number
  costUsd: number
  /** Responses of models without a known price, which `costUsd` does not include. */
  unpriced: number
}

export interface SessionActivity extends SessionFacts {
  /** Days on which it was active, the first one first; more than one if it ran over midnight. */
  days: readonly string[]
  usage: readonly DayUsage[]
}

export interface ActivityIndex {
  /** All sessions, in no order. */
  sessions(ledger: Ledger): Iterable<SessionActivity>
  /** Changes when any of them has changed. */
  version(ledger: Ledger): number
}

export function createActivityIndex(zone: Zone): ActivityIndex {
  const known = new Map<number, SessionActivity>()
  const dayOf = dayFunction(zone)
  let opened: Ledger | undefined
  let lastVersion = -1
  let lastCaptured = ''
  let version = 0

  function refresh(ledger: Ledger): void {
    const current = dataVersion(ledger)
    if (opened === ledger && current === lastVersion) return
    let facts = opened === ledger ? sessionFacts(ledger, lastCaptured) : sessionFacts(ledger)
    const added = facts.filter(({ number }) => !known.has(number)).length
    // Sessions were deleted, or their rows replaced.
    if (opened !== ledger || known.size + added !== countSessions(ledger)) {
      known.clear()
      facts = sessionFacts(ledger)
    }
    const sessions = known.size === 0 ? undefined : facts.map(({ number }) => number)
    const usage = Map.groupBy(usageRows(ledger, sessions ? { sessions } : {}), ({ session }) => session)
    for (const one of facts) {
      known.set(one.number, activityOf(one, usage.get(one.number) ?? [], dayOf))
      if (one.capturedAt > lastCaptured) lastCaptured = one.capturedAt
    }
    opened = ledger
    lastVersion = current
    version++
  }

  return {
    sessions(ledger) {
      refresh(ledger)
      return known.values()
    },
    version(ledger) {
      refresh(ledger)
      return version
    },
  }
}

const quarterMs = 900_000

type QuarterUsage = ReturnType<typeof usageRows>[number]

function activityOf(
  facts: SessionFacts,
  rows: readonly QuarterUsage[],
  dayOf: (quarter: number) => string,
): SessionActivity {
  const usage: DayUsage[] = []
  const session: SessionActivity = { ...facts, days: [], usage }
  for (const row of rows) {
    const day = row.quarter === null ? '' : dayOf(row.quarter)
    const same = usage.find((each) => each.day === day && each.model === row.model)
    if (same) addUsage(same, row)
    else usage.push({ session, day, model: row.model, ...countsOf(row) })
  }
  const ends = [facts.startedMs, facts.endedMs].flatMap((ms) => (ms === null ? [] : dayOf(Math.floor(ms / quarterMs))))
  const days = [...new Set([...ends, ...usage.map(({ day }) => day)])].filter((day) => day !== '').sort()
  return Object.assign(session, { days })
}

export type UsageCounts = Omit<DayUsage, 'session' | 'day' | 'model'>

export function noUsage(): UsageCounts {
  return { responses: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, costUsd: 0, unpriced: 0 }
}

function countsOf({ responses, input, cacheRead, cacheWrite, output, costUsd, unpriced }: UsageCounts): UsageCounts {
  return { responses, input, cacheRead, cacheWrite, output, costUsd, unpriced }
}

export function addUsage(to: UsageCounts, from: UsageCounts): void {
  to.responses += from.responses
  to.input += from.input
  to.cacheRead += from.cacheRead
  to.cacheWrite += from.cacheWrite
  to.output += from.output
  to.costUsd += from.costUsd
  to.unpriced += from.unpriced
}

/** Formatting a date takes microseconds, and there are many rows of few quarters. */
function dayFunction(zone: Zone): (quarter: number) => string {
  const days = new Map<number, string>()
  return (quarter) => {
    let day = days.get(quarter)
    if (day === undefined) {
      day = zone.day(new Date(quarter * quarterMs).toISOString())
      days.set(quarter, day)
    }
    return day
  }
}
