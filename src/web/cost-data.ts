// The rows of the view Cost and of its CSV file: usage from the activity index, filtered and grouped.
import { type CalendarUnit, daysBetween, isDay } from '../core/days.ts'
import { type CostRow, noUsage } from '../store/cost/counts.ts'
import {
  type CostGroup,
  costGroups,
  groupUsage,
  keyFunction,
  rootFunction,
  sortRows,
  type TableGroup,
} from '../store/cost/groups.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ActivityIndex, DayUsage, SessionActivity } from './activity.ts'
import { keepByVersion, type UsageCell, usageCells } from './usage-groups.ts'

export interface CostQuery {
  by: CostGroup
  agent: string | undefined
  project: string | undefined
  /** Days, both included. */
  from: string | undefined
  to: string | undefined
}

export function costQueryOf(query: URLSearchParams): CostQuery {
  const value = (name: string) => query.get(name) || undefined
  const day = (name: string) => (isDay(query.get(name) ?? '') ? query.get(name)! : undefined)
  const by = costGroups.find((name) => name === query.get('by')) ?? 'day'
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
  // Blocks have rows of their own; the totals above them are the same.
  const by: TableGroup = query.by === 'block' ? 'model' : query.by
  const rootOf = by === 'session' ? rootFunction(sessions) : (session: number) => session
  const rows = sortRows(groupUsage(usage, keyFunction(by, rootOf)), by)
  const isTime = by === 'day' || by === 'week' || by === 'month'
  const total = groupUsage(usage, () => 'total')[0] ?? { name: 'total', sessions: 0, ...noUsage() }
  const roots = by === 'session' ? rootsOf(sessions, usage, rootOf) : new Map()
  return { rows: isTime ? rows.reverse() : rows, total, roots, days: daysOf(usage) }
}

function rootsOf(
  sessions: readonly SessionActivity[],
  usage: readonly DayUsage[],
  rootOf: (session: number) => number,
): CostData['roots'] {
  const byNumber = new Map(sessions.map((session) => [session.number, session]))
  const roots: CostData['roots'] = new Map()
  for (const { session } of usage) {
    const root = byNumber.get(rootOf(session.number)) ?? session
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

/** A chart has at most this many bars; older ones are left out. */
export const maxBars = 90
const maxBarsOfSpan = 62

/** The unit of the chart: that of the table, or the finest with which the bars are not too many. */
export function chartUnit(by: CostGroup, days: { first: string; last: string }): CalendarUnit {
  if (by === 'day' || by === 'week' || by === 'month') return by
  const span = daysBetween(days.first, days.last) + 1
  if (span <= maxBarsOfSpan) return 'day'
  return span <= maxBarsOfSpan * 7 ? 'week' : 'month'
}
