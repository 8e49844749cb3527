// Cost by session: what its subagents cost is included, and what it cost without them stands beside it.
import { shortId } from '../../core/session.ts'
import { formatCount } from '../../core/units.ts'
import { type CostRow, costText, csvFields, noUsage } from '../../store/cost/counts.ts'
import { groupUsage, keyFunction, rootFunction, type SessionUsage, sortRows } from '../../store/cost/groups.ts'
import { sessionFacts } from '../../store/sessions/session-facts.ts'
import { sessionsByNumber } from '../../store/sessions/sessions.ts'
import { csvOf } from '../../text/csv.ts'
import { oneLine } from '../../text/truncate.ts'
import type { Column } from '../column-widths.ts'
import { table } from '../terminal.ts'
import { type CostOutput, costColumn, sayBounds, totalOf } from './cost-output.ts'

interface SessionCost extends CostRow {
  title: string | null
  agent: string
  project: string | null
  subagents: number
  /** Without subagents. */
  own: CostRow
}

/** Returns whether there was nothing to print. */
export function printSessionCost({ terminal, ledger, options }: CostOutput, usage: readonly SessionUsage[]): boolean {
  const facts = [...sessionFacts(ledger)]
  const rootOf = rootFunction(facts)
  const keyOf = keyFunction('session', rootOf)
  const groups = sortRows(groupUsage(usage, keyOf), 'session')
  const ownUsage = usage.filter(({ session }) => rootOf(session.number) === session.number)
  const own = new Map(groupUsage(ownUsage, keyOf).map((row) => [row.name, row]))
  const numbers = groups.map(({ name }) => Number(name))
  const views = new Map(sessionsByNumber(ledger, numbers).map((view) => [view.id, view]))
  const ids = new Map(facts.map(({ number, id }) => [String(number), id]))
  const rows = groups.flatMap((row): SessionCost[] => {
    const view = views.get(ids.get(row.name) ?? '')
    if (!view) return [] // deleted since its usage was read
    const { id: name, title, agent, project } = view
    const alone = own.get(row.name) ?? { ...noUsage(), name, sessions: 0 }
    return [{ ...row, name, title, agent, project, subagents: row.sessions - alone.sessions, own: alone }]
  })
  if (options.json) terminal.json({ by: 'session', rows: rows.map(jsonRow), total: totalOf(usage) })
  else if (options.csv) terminal.print(csvOf(rows.map(csvRow)).trimEnd())
  else if (rows.length > 0) {
    const hasSubagents = rows.some(({ subagents }) => subagents > 0)
    const total = { ...totalOf(usage), own: totalOf(ownUsage) }
    const subagents = rows.reduce((sum, row) => sum + row.subagents, 0)
    const cells = [
      ...rows.map((row) => [oneLine(row.title ?? ''), row.agent, ...cellsOf(row), shortId(row.name)]),
      ['total', '', ...cellsOf({ ...total, subagents }), ''],
    ]
    const shown = columns.map((column) => hasSubagents || !ofSubagents.has(column.title))
    const chosen = <T>(items: readonly T[]) => items.filter((_, index) => shown[index])
    terminal.print(table(chosen(columns), cells.map(chosen), terminal.columns))
    sayBounds(terminal, usage)
  }
  return rows.length === 0
}

const right = { align: 'right' as const }
const columns: Column[] = [
  { title: 'session', isFlexible: true },
  { title: 'agent', rank: 6 },
  { title: 'responses', ...right, rank: 9 },
  { title: 'input', ...right, rank: 7 },
  { title: 'from cache', ...right, rank: 5 },
  { title: 'to cache', ...right, rank: 8 },
  { title: 'output', ...right, rank: 4 },
  { title: 'subagents', ...right, rank: 3 },
  { title: 'own', ...right, rank: 2 },
  costColumn,
  { title: 'id' },
]
const ofSubagents: ReadonlySet<string> = new Set(['subagents', 'own'])

function cellsOf(row: CostRow & { own: CostRow; subagents: number }): string[] {
  const { responses, input, cacheRead, cacheWrite, output, subagents } = row
  const counts = [responses, input, cacheRead, cacheWrite, output].map(formatCount)
  const apart = subagents === 0 ? ['', ''] : [formatCount(subagents), costText(row.own)]
  return [...counts, ...apart, costText(row)]
}

function jsonRow({ own, ...row }: SessionCost): object {
  return { ...row, ownCostUsd: own.costUsd, ownUnpriced: own.unpriced }
}

function csvRow(row: SessionCost): Record<string, string | number | null> {
  const { name: session, sessions, title, agent, project, subagents, own } = row
  return { session, sessions, ...csvFields(row), own_cost_usd: own.costUsd, subagents, title, agent, project }
}
