// The figures of the overview, in one pass over all sessions.
import { dayAfter, daysBetween, weekOf } from '../core/days.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ActivityIndex, DayUsage, SessionActivity } from './activity.ts'
import { keepByVersion, sumOf } from './usage-groups.ts'

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
  /** Sessions of the chosen agent and day; not subagents. */
  sessions: SessionActivity[]
  /** Their usage, with that of subagents. */
  usage: DayUsage[]
  agents: AgentActivity[]
}

export interface AgentActivity {
  agent: string
  /** Sessions by week. */
  weeks: number[]
  /** Of the chosen day. */
  sessions: number
  costUsd: number
  /** Responses without a known price. */
  unpriced: number
  responses: number
  /** When a session of it was last captured. */
  lastCapture: string
}

const kept = keepByVersion<OverviewData>()
const weeksBefore = 52

export function overviewData(activity: ActivityIndex, ledger: Ledger, filter: OverviewFilter): OverviewData {
  const key = [filter.today, filter.agent ?? '', filter.day ?? ''].join('\n')
  return kept(activity, ledger, key, () => compute(activity.sessions(ledger), filter))
}

function compute(all: Iterable<SessionActivity>, { today, agent, day }: OverviewFilter): OverviewData {
  const from = dayAfter(weekOf(today), -7 * weeksBefore)
  const weeks = Array.from({ length: weeksBefore + 1 }, (_, at) => dayAfter(from, 7 * at))
  const places = placesOf(from, today)
  const data: OverviewData = {
    ...{ from, weeks, sessionsByDay: new Map(), costByDay: new Map(), sessionsByWeek: weeks.map(() => 0) },
    ...{ sessions: [], usage: [], agents: [] },
  }
  const agents = new Map<string, AgentActivity>()
  const isShown = (one: string) => (day === undefined ? places.has(one) : one === day)
  for (const session of all) {
    const own = agents.get(session.agent) ?? emptyAgent(session.agent, weeks.length)
    agents.set(session.agent, own)
    if (session.capturedAt > own.lastCapture) own.lastCapture = session.capturedAt
    const isChosen = agent === undefined || session.agent === agent
    addUsageOf(session, { data, own, isChosen, isShown, isInWindow: (one) => places.has(one) })
    if (session.lineage === 'subagent' || (session.kind === 'empty' && session.usage.length === 0)) continue
    const isActive = session.days.some(isShown)
    if (isActive) own.sessions++
    if (isActive && isChosen) data.sessions.push(session)
    for (const week of new Set(session.days.map((one) => places.get(one)))) {
      if (week === undefined) continue
      own.weeks[week]!++
      if (isChosen) data.sessionsByWeek[week]!++
    }
    if (isChosen) for (const one of session.days) if (places.has(one)) count(data.sessionsByDay, one, 1)
  }
  data.agents = [...agents.values()].sort((a, b) => sumOf(b.weeks) - sumOf(a.weeks) || (a.agent < b.agent ? -1 : 1))
  return data
}

interface UsageTarget {
  data: OverviewData
  own: AgentActivity
  isChosen: boolean
  isShown(day: string): boolean
  isInWindow(day: string): boolean
}

function addUsageOf(session: SessionActivity, { data, own, isChosen, isShown, isInWindow }: UsageTarget): void {
  for (const row of session.usage) {
    if (isChosen && isInWindow(row.day)) count(data.costByDay, row.day, row.costUsd)
    if (!isShown(row.day)) continue
    own.costUsd += row.costUsd
    own.unpriced += row.unpriced
    own.responses += row.responses
    if (isChosen) data.usage.push(row)
  }
}

/** The week of each day of the heatmap. */
function placesOf(from: string, to: string): Map<string, number> {
  const days = daysBetween(from, to) + 1
  return new Map(Array.from({ length: days }, (_, at) => [dayAfter(from, at), Math.floor(at / 7)]))
}

function emptyAgent(agent: string, weeks: number): AgentActivity {
  const none = { sessions: 0, costUsd: 0, unpriced: 0, responses: 0, lastCapture: '' }
  return { agent, weeks: new Array<number>(weeks).fill(0), ...none }
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
