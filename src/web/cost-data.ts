// The rows of the view Cost and of its CSV file: usage from the activity index, filtered and grouped.
import { type CalendarUnit, daysBetween, isDay, unitOf } from '../core/days.ts'
import type { Ledger } from '../store/ledger.ts'
import type { CostRow } from '../store/sessions/usage.ts'
import { type ActivityIndex, type DayUsage, noUsage, type SessionActivity } from './activity.ts'
import { byCost, groupUsage, keepByVersion, modelKey, type UsageCell, usageCells } from './usage-groups.ts'

export const costViews = ['day', 'week', 'month', 'session', 'project', 'model', 'agent', 'block'] as const
export type CostView = (typeof costViews)[number]

export interface CostQuery {
  by: CostView
  agent: string | undefined
  project: string | undefined
  /** Days, both included. */
  from: string | undefined
  to: string | undefined
}

export function costQueryOf(query: URLSearchParams): CostQuery {
  const value = (name: string) => query.get(name) || undefined
  const day = (name: string) => (isDay(query.get(name) ?? '') ? query.get(name)! : undefined)
  const by = costViews.find((name) => name === query.get('by')) ?? 'day'
  return { by, agent: value('agent'), project: value('project'), from: day('from'), to: day('to') }
}

export interface CostData {
  /** Named by key: a day, a row id of a session, a project. */
  rows: CostRow[]
  total: CostRow
  /** The usage summed up over sessions, for charts. */
  cells: UsageCell[]
  /** By session: the session of a row, and the row ids of it and its subagents. */
  roots: Map<string, { session: SessionActivity; members: Set<number> }>
  /** First and last day with usage; undefined without one. */
  days: { first: string; last: string } | undefined
}

const kept = keepByVersion<CostData>()

export function costData(activity: ActivityIndex, ledger: Ledger, query: CostQuery): CostData {
  const key = JSON.stringify(query)
  return kept(activity, ledger, key, () => ({
    ...compute([...activity.sessions(ledger)], query),
    cells: usageCells(activity, ledger).filter((cell) => isWanted(cell, query) && isWithin(cell, query)),
  }))
}

/** The usage that the rows are made of. */
export function* costUsage(sessions: Iterable<SessionActivity>, query: CostQuery): Generator<DayUsage> {
  for (const session of sessions) {
    if (!isWanted(session, query)) continue
    for (const row of session.usage) if (isWithin(row, query)) yield row
  }
}

function compute(sessions: readonly SessionActivity[], query: CostQuery): Omit<CostData, 'cells'> {
  const usage = [...costUsage(sessions, query)]
  const isTime = query.by === 'day' || query.by === 'week' || query.by === 'month'
  const roots: CostData['roots'] = query.by === 'session' ? rootsOf(sessions, usage) : new Map()
  const rows = groupUsage(usage, keyFunction(sessions, query.by))
  rows.sort(isTime ? (a, b) => (a.name < b.name ? 1 : -1) : byCost)
  const total = groupUsage(usage, () => 'total')[0] ?? { name: 'total', sessions: 0, ...noUsage() }
  return { rows, total, roots, days: daysOf(usage) }
}

function rootsOf(sessions: readonly SessionActivity[], usage: readonly DayUsage[]): CostData['roots'] {
  const rootOf = rootFunction(sessions)
  const roots: CostData['roots'] = new Map()
  for (const { session } of usage) {
    const root = rootOf(session)
    const known = roots.get(String(root.number))
    if (known) known.members.add(session.number)
    else roots.set(String(root.number), { session: root, members: new Set([session.number]) })
  }
  return roots
}

function isWanted(from: Pick<SessionActivity, 'agent' | 'project'>, { agent, project }: CostQuery): boolean {
  return (agent === undefined || from.agent === agent) && (project === undefined || from.project === project)
}

function isWithin({ day }: Pick<DayUsage, 'day'>, { from, to }: CostQuery): boolean {
  if (from === undefined && to === undefined) return true
  return day !== '' && (from === undefined || day >= from) && (to === undefined || day <= to)
}

function daysOf(usage: readonly DayUsage[]): CostData['days'] {
  let [first, last] = ['', '']
  for (const { day } of usage) {
    if (day === '') continue
    if (first === '' || day < first) first = day
    if (day > last) last = day
  }
  return first === '' ? undefined : { first, last }
}

function keyFunction(sessions: readonly SessionActivity[], by: CostView): (row: DayUsage) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month':
      return unitFunction(by)
    case 'session': {
      const root = rootFunction(sessions)
      return ({ session }) => String(root(session).number)
    }
    case 'project':
      return ({ session }) => session.project ?? ''
    case 'agent':
      return ({ session }) => session.agent
    // Blocks have rows of their own, which are finer than a day.
    case 'block':
    case 'model':
      return modelKey
    default:
      return by satisfies never
  }
}

/** Many rows have the same day. */
function unitFunction(unit: CalendarUnit): (row: DayUsage) => string {
  const units = new Map<string, string>([['', '']])
  return ({ day }) => {
    let name = units.get(day)
    if (name === undefined) {
      name = unitOf(day, unit)
      units.set(day, name)
    }
    return name
  }
}

/** The session that started a subagent, and the one that started that. */
function rootFunction(sessions: readonly SessionActivity[]): (session: SessionActivity) => SessionActivity {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  return (session) => {
    if (session.lineage !== 'subagent') return session
    let root = session
    const seen = new Set([session])
    while (root.lineage === 'subagent' && root.parent !== null) {
      const parent = byId.get(root.parent)
      if (!parent || seen.has(parent)) break
      seen.add(parent)
      root = parent
    }
    return root
  }
}

/** A chart has at most this many bars; older ones are left out. */
export const maxBars = 90
const maxBarsOfSpan = 62

/** The unit of the chart: that of the table, or the finest with which the bars are not too many. */
export function chartUnit(by: CostView, days: { first: string; last: string }): CalendarUnit {
  if (by === 'day' || by === 'week' || by === 'month') return by
  const span = daysBetween(days.first, days.last) + 1
  if (span <= maxBarsOfSpan) return 'day'
  return span <= maxBarsOfSpan * 7 ? 'week' : 'month'
}
