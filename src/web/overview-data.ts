// The figures of the overview, computed once for each state of the ledger and choice of the user.
import { dayAfter, daysBetween, weekOf } from '../core/days.ts'
import type { ChartSeries } from '../html/charts.ts'
import { noUsage, type UsageCounts } from '../store/cost/counts.ts'
import { byCost, modelKey } from '../store/cost/groups.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ActivityIndex, SessionActivity } from './activity.ts'
import { costSeries, keepByVersion, sumBy, sumOf, type UsageCell, usageCells } from './usage-groups.ts'

export interface OverviewFilter {
  /** The last day of the heatmap. */
  today: string
  agent: string | undefined
  day: string | undefined
}

export interface OverviewData {
  /** The first day of the heatmap, a Monday. */
  from: string
  weeks: string[]
  /** Sessions by day of the heatmap, of the chosen agent. */
  sessionsByDay: Map<string, number>
  costByDay: Map<string, number>
  /** Sessions by week, of the chosen agent. */
  sessionsByWeek: number[]
  /** Of the chosen agent and day; without subagents. */
  sessions: number
  prompts: number
  /** Outcomes of sessions in which work was done. */
  outcomes: Map<string, number>
  /** Those that wait for an answer, the latest first. */
  waiting: SessionActivity[]
  /** With subagents. */
  total: UsageCounts
  byWeek: UsageCounts[]
  /** The most expensive first. */
  models: (UsageCounts & { name: string })[]
  /** Cost by week. */
  series: ChartSeries[]
  agents: AgentActivity[]
}

export interface AgentActivity {
  agent: string
  /** Sessions by week. */
  weeks: number[]
  /** Of the chosen day. */
  sessions: number
  usage: UsageCounts
  /** When a session of it was last captured. */
  lastCapture: string
}

const kept = keepByVersion<OverviewData>()
const weeksBefore = 52

export function overviewData(activity: ActivityIndex, ledger: Ledger, filter: OverviewFilter): OverviewData {
  const key = [filter.today, filter.agent ?? '', filter.day ?? ''].join('\n')
  return kept(activity, ledger, key, () => compute(activity.sessions(ledger), usageCells(activity, ledger), filter))
}

function compute(all: Iterable<SessionActivity>, cells: readonly UsageCell[], filter: OverviewFilter): OverviewData {
  const { today, agent, day } = filter
  const from = dayAfter(weekOf(today), -7 * weeksBefore)
  const weeks = Array.from({ length: weeksBefore + 1 }, (_, at) => dayAfter(from, 7 * at))
  const places = placesOf(from, today)
  const isShown = (one: string) => (day === undefined ? places.has(one) : one === day)
  const chosen = cells.filter((cell) => (agent === undefined || cell.agent === agent) && places.has(cell.day))
  const shown = chosen.filter((cell) => isShown(cell.day))
  const byAgent = sumBy(
    cells.filter((cell) => isShown(cell.day)),
    (cell) => cell.agent,
  )
  const byWeek = sumBy(shown, (cell) => weeks[places.get(cell.day) ?? -1] ?? '')
  const byDay = sumBy(chosen, (cell) => cell.day)
  return {
    from,
    weeks,
    ...sessionCounts(all, { agent, places, isShown, weeks: weeks.length, usage: byAgent }),
    costByDay: new Map([...byDay].map(([one, { costUsd }]) => [one, costUsd])),
    total: sumBy(shown, () => '').get('') ?? noUsage(),
    byWeek: weeks.map((week) => byWeek.get(week) ?? noUsage()),
    models: [...sumBy(shown, modelKey)].map(([name, counts]) => ({ name, ...counts })).sort(byCost),
    series: costSeries(shown, { units: weeks, unit: 'week', keyOf: modelKey, maxSeries: 5 }),
  }
}

interface CountOptions {
  agent: string | undefined
  /** Weeks by day. */
  places: ReadonlyMap<string, number>
  isShown(day: string): boolean
  weeks: number
  usage: ReadonlyMap<string, UsageCounts>
}

type SessionCounts = Pick<
  OverviewData,
  'sessionsByDay' | 'sessionsByWeek' | 'sessions' | 'prompts' | 'outcomes' | 'waiting' | 'agents'
>

function sessionCounts(all: Iterable<SessionActivity>, options: CountOptions): SessionCounts {
  const { agent, places, isShown, weeks, usage } = options
  const counts: SessionCounts = {
    ...{ sessionsByDay: new Map(), sessionsByWeek: new Array<number>(weeks).fill(0), sessions: 0, prompts: 0 },
    ...{ outcomes: new Map(), waiting: [], agents: [] },
  }
  const agents = new Map<string, AgentActivity>()
  for (const session of all) {
    const own = agents.get(session.agent) ?? emptyAgent(session.agent, weeks, usage.get(session.agent))
    agents.set(session.agent, own)
    if (session.capturedAt > own.lastCapture) own.lastCapture = session.capturedAt
    if (session.lineage === 'subagent' || (session.kind === 'empty' && session.usage.length === 0)) continue
    const isChosen = agent === undefined || session.agent === agent
    const isActive = session.days.some(isShown)
    if (isActive) own.sessions++
    if (isActive && isChosen) countSession(counts, session)
    let last: number | undefined
    for (const day of session.days) {
      const week = places.get(day)
      if (week === undefined) continue
      if (week !== last) own.weeks[week]!++
      if (isChosen && week !== last) counts.sessionsByWeek[week]!++
      if (isChosen) count(counts.sessionsByDay, day)
      last = week
    }
  }
  counts.waiting.sort((a, b) => (b.endedMs ?? 0) - (a.endedMs ?? 0))
  counts.agents = [...agents.values()].sort((a, b) => sumOf(b.weeks) - sumOf(a.weeks) || (a.agent < b.agent ? -1 : 1))
  return counts
}

function countSession(counts: SessionCounts, session: SessionActivity): void {
  counts.sessions++
  counts.prompts += session.prompts
  if (session.outcome === 'waiting') counts.waiting.push(session)
  if (session.kind === 'work' && session.outcome !== null) count(counts.outcomes, session.outcome)
}

/** The week of each day of the heatmap. */
function placesOf(from: string, to: string): Map<string, number> {
  const days = daysBetween(from, to) + 1
  return new Map(Array.from({ length: days }, (_, at) => [dayAfter(from, at), Math.floor(at / 7)]))
}

function emptyAgent(agent: string, weeks: number, usage = noUsage()): AgentActivity {
  return { agent, weeks: new Array<number>(weeks).fill(0), sessions: 0, usage, lastCapture: '' }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
