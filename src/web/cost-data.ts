// The rows of the view Cost and of its CSV file: usage from the activity index, filtered and grouped.
import { type CalendarUnit, daysBetween, isDay, unitOf } from '../core/days.ts'
import type { Ledger } from '../store/ledger.ts'
import type { CostRow } from '../store/sessions/usage.ts'
import type { ActivityIndex, DayUsage, SessionActivity } from './activity.ts'
import { byCost, groupUsage, keepByVersion, modelKey, totalUsage } from './usage-groups.ts'

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
  usage: DayUsage[]
  /** Named by key: a day, a row id of a session, a project. */
  rows: CostRow[]
  total: CostRow
  /** First and last day with usage; undefined without one. */
  days: { first: string; last: string } | undefined
}

const kept = keepByVersion<CostData>()

export function costData(activity: ActivityIndex, ledger: Ledger, query: CostQuery): CostData {
  const key = JSON.stringify(query)
  return kept(activity, ledger, key, () => compute([...activity.sessions(ledger)], query))
}

function compute(sessions: readonly SessionActivity[], query: CostQuery): CostData {
  const usage = sessions.filter((session) => isWanted(session, query)).flatMap((one) => usageWithin(one, query))
  const isTime = query.by === 'day' || query.by === 'week' || query.by === 'month'
  const rows = groupUsage(usage, keyFunction(sessions, query.by))
  rows.sort(isTime ? (a, b) => (a.name < b.name ? 1 : -1) : byCost)
  return { usage, rows, total: totalUsage(usage), days: daysOf(usage) }
}

export function isWanted(session: SessionActivity, { agent, project }: CostQuery): boolean {
  return (agent === undefined || session.agent === agent) && (project === undefined || session.project === project)
}

function usageWithin({ usage }: SessionActivity, { from, to }: CostQuery): readonly DayUsage[] {
  if (from === undefined && to === undefined) return usage
  return usage.filter(({ day }) => day !== '' && (from === undefined || day >= from) && (to === undefined || day <= to))
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
      return ({ day }) => (day === '' ? '' : unitOf(day, by))
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

/** The session that started a subagent, and the one that started that. */
export function rootFunction(sessions: readonly SessionActivity[]): (session: SessionActivity) => SessionActivity {
  const byId = new Map(sessions.map((session) => [session.id, session]))
  return (session) => {
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
