// Groups usage by time, session, project, model or agent: for the command `cost` and for the page.
import { type CalendarUnit, unitOf } from '../../core/days.ts'
import type { Lineage } from '../../core/session.ts'
import { addUsage, type CostRow, noUsage, type UsageCounts } from './counts.ts'

export const costGroups = ['day', 'week', 'month', 'session', 'project', 'model', 'agent', 'block'] as const
export type CostGroup = (typeof costGroups)[number]
/** Blocks have rows of their own, which are finer than a day. */
export type TableGroup = Exclude<CostGroup, 'block'>

/** What one session used on one day of one model. */
export interface SessionUsage extends UsageCounts {
  session: UsingSession
  /** Empty if the time is not known. */
  day: string
  model: string | null
}

export interface UsingSession {
  /** Row id. */
  number: number
  agent: string
  project: string | null
}

/** A session with the one that started it. */
export interface LinkedSession {
  number: number
  id: string
  lineage: Lineage
  parent: string | null
}

/** Rows of a session must follow each other. The name of a row is the key of its group. */
export function groupUsage<T extends SessionUsage>(rows: Iterable<T>, keyOf: (row: T) => string): CostRow[] {
  const groups = new Map<string, CostRow & { last: number }>()
  for (const row of rows) {
    const key = keyOf(row)
    let group = groups.get(key)
    if (!group) {
      group = { name: key, sessions: 0, ...noUsage(), last: -1 }
      groups.set(key, group)
    }
    addUsage(group, row)
    if (group.last !== row.session.number) group.sessions++
    group.last = row.session.number
  }
  return [...groups.values()].map(({ last: _, ...row }) => row)
}

/** Empty for usage without a day or a project. A session is named by the row id of its root. */
export function keyFunction(by: TableGroup, rootOf: (session: number) => number): (row: SessionUsage) => string {
  switch (by) {
    case 'day':
    case 'week':
    case 'month':
      return unitFunction(by)
    case 'session':
      return ({ session }) => String(rootOf(session.number))
    case 'project':
      return ({ session }) => session.project ?? ''
    case 'agent':
      return ({ session }) => session.agent
    case 'model':
      return modelKey
    default:
      return by satisfies never
  }
}

export function modelKey({ model }: { model: string | null }): string {
  return model ?? 'unknown'
}

/** Many rows have the same day. */
function unitFunction(unit: CalendarUnit): (row: SessionUsage) => string {
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

/** Times in their order; everything else the most expensive first. */
export function sortRows(rows: CostRow[], by: TableGroup): CostRow[] {
  const isTime = by === 'day' || by === 'week' || by === 'month'
  return rows.sort(isTime ? (a, b) => (a.name < b.name ? -1 : 1) : byCost)
}

export function byCost(a: UsageCounts & { name: string }, b: UsageCounts & { name: string }): number {
  return b.costUsd - a.costUsd || b.output - a.output || (a.name < b.name ? -1 : 1)
}

/** The session that started a subagent, or the one that started that; row ids. */
export function rootFunction(sessions: Iterable<LinkedSession>): (session: number) => number {
  const byId = new Map<string, LinkedSession>()
  const byNumber = new Map<number, LinkedSession>()
  for (const session of sessions) {
    byId.set(session.id, session)
    byNumber.set(session.number, session)
  }
  return (number) => {
    const seen = new Set<LinkedSession>()
    let root = byNumber.get(number)
    while (root?.lineage === 'subagent' && root.parent !== null && !seen.has(root)) {
      seen.add(root)
      const parent = byId.get(root.parent)
      if (!parent || seen.has(parent)) break
      root = parent
    }
    return root?.number ?? number
  }
}
