// Days, tokens and cost of every session, kept in memory: summing up the usage of years for each view
// would take seconds. Sessions that have grown are read again when the ledger has changed.

import type { Zone } from '../core/units.ts'
import { dayFunction, quarterMs } from '../core/usage/day-of-quarter.ts'
import { modelName } from '../core/usage/model-names.ts'
import { addUsage, noUsage, type UsageCounts } from '../store/cost/counts.ts'
import type { Ledger } from '../store/ledger.ts'
import { countSessions, dataVersion, type SessionFacts, sessionFacts } from '../store/sessions/session-facts.ts'
import { type UsageFilter, type UsageRow, usageRows } from '../store/sessions/usage.ts'

/** What one session used on one day of one model. */
export interface DayUsage extends UsageCounts {
  session: SessionActivity
  day: string
  model: string | null
}

export interface SessionActivity extends SessionFacts {
  /** Days on which it was active, the first one first; more than one if it ran over midnight. */
  days: readonly string[]
  usage: readonly DayUsage[]
}

export interface ActivityIndex {
  /** All sessions, in no order. */
  sessions(ledger: Ledger): Iterable<SessionActivity>
  /** Ids of the agents that have sessions. */
  agents(ledger: Ledger): ReadonlySet<string>
  /** Changes when any of them has changed. */
  version(ledger: Ledger): number
  /** Called when sessions are found that are new, have grown or were digested again. */
  onChange(listener: (changed: readonly SessionChange[]) => void): () => void
}

export interface SessionChange {
  id: string
  isNew: boolean
  /** Number of events that were added. */
  events: number
}

export function createActivityIndex(zone: Zone): ActivityIndex {
  const known = new Map<number, SessionActivity>()
  const agents = new Set<string>()
  const listeners = new Set<(changed: readonly SessionChange[]) => void>()
  const dayOf = dayFunction(zone)
  const daysOf = createDayLists(dayOf)
  let opened: Ledger | undefined
  let lastVersion = -1
  let lastChange = ''
  let version = 0

  function refresh(ledger: Ledger): void {
    const current = dataVersion(ledger)
    if (opened === ledger && current === lastVersion) return
    const changes = opened === ledger ? readChanges(ledger) : undefined
    // Sessions were deleted, or their rows replaced.
    const isReplaced = known.size !== countSessions(ledger)
    if (!changes || isReplaced) {
      known.clear()
      agents.clear()
      lastChange = ''
      readChanges(ledger)
    }
    opened = ledger
    lastVersion = current
    if (!changes || isReplaced || changes.length > 0) version++
    if (!changes?.length) return
    for (const listener of listeners) listener(changes)
  }

  function readChanges(ledger: Ledger): SessionChange[] {
    const changes: SessionChange[] = []
    const read: SessionActivity[] = []
    const isFirst = known.size === 0
    for (const facts of sessionFacts(ledger, lastChange)) {
      const before = known.get(facts.number)
      if (before?.changedAt === facts.changedAt && before.events === facts.events) continue
      if (!isFirst) changes.push({ id: facts.id, isNew: !before, events: facts.events - (before?.events ?? 0) })
      const session = Object.assign(facts, { days: noDays, usage: noUsages })
      known.set(facts.number, session)
      read.push(session)
      agents.add(facts.agent)
    }
    for (const { changedAt } of read) if (changedAt > lastChange) lastChange = changedAt
    for (const filter of isFirst ? ranges(known.keys()) : [{ sessions: read.map(({ number }) => number) }])
      for (const row of usageRows(ledger, filter)) addQuarter(known.get(row.session), row, dayOf)
    for (const session of read) session.days = daysOf(session)
    return changes
  }

  return {
    sessions(ledger) {
      refresh(ledger)
      return known.values()
    },
    agents(ledger) {
      refresh(ledger)
      return agents
    },
    version(ledger) {
      refresh(ledger)
      return version
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const sessionsAtOnce = 1000

function* ranges(numbers: Iterable<number>): Generator<UsageFilter> {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, 0]
  for (const number of numbers) {
    lowest = Math.min(lowest, number)
    highest = Math.max(highest, number)
  }
  for (let first = lowest; first <= highest; first += sessionsAtOnce)
    yield { range: { first, last: first + sessionsAtOnce - 1 } }
}

/** Shared until there are some: with tens of thousands of sessions, empty arrays take megabytes. */
const noDays: readonly string[] = []
const noUsages: readonly DayUsage[] = []

function addQuarter(session: SessionActivity | undefined, row: UsageRow, dayOf: (quarter: number) => string): void {
  if (!session) return // captured after the sessions were read
  const day = row.quarter === null ? '' : dayOf(row.quarter)
  const model = sharedName(row.model)
  const same = session.usage.find((each) => each.day === day && each.model === model)
  if (same) addUsage(same, row)
  else session.usage = [...session.usage, dayUsage(session, day, row)]
}

/** There are few models and many rows, each with a string of its own. */
const models = new Map<string, string>()

function sharedName(model: string | null): string | null {
  if (model === null) return null
  const known = models.get(model) ?? modelName(model)
  models.set(model, known)
  return known
}

function dayUsage(session: SessionActivity, day: string, row: UsageRow): DayUsage {
  const usage = { session, day, model: sharedName(row.model), ...noUsage() }
  addUsage(usage, row)
  return usage
}

function createDayLists(dayOf: (quarter: number) => string): (session: SessionActivity) => readonly string[] {
  const single = new Map<string, readonly string[]>()
  return ({ startedMs, endedMs, usage }) => {
    const days = new Set(usage.map(({ day }) => day))
    for (const ms of [startedMs, endedMs]) if (ms !== null) days.add(dayOf(Math.floor(ms / quarterMs)))
    days.delete('')
    if (days.size !== 1) return [...days].sort()
    const [day] = days as Set<string>
    const list = single.get(day!) ?? [day!]
    single.set(day!, list)
    return list
  }
}
