import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { formatCount } from '../../core/units.ts'
import { dayFunction } from '../../core/usage/day-of-quarter.ts'
import { modelName } from '../../core/usage/model-names.ts'
import { type CostRow, costText, csvFields } from '../../store/cost/counts.ts'
import {
  type CostGroup,
  costGroups,
  groupUsage,
  keyFunction,
  type SessionUsage,
  sortRows,
  type TableGroup,
} from '../../store/cost/groups.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { type UsageFilter, usageRows } from '../../store/sessions/usage.ts'
import { csvOf } from '../../text/csv.ts'
import type { Column } from '../column-widths.ts'
import { agentOption, type CommandContext, examples, periodOptions, projectOption, withLedger } from '../command.ts'
import { table } from '../terminal.ts'
import { printBlocks } from './cost-blocks.ts'
import { type CostOptions, type CostOutput, costColumn, sayBounds, totalOf } from './cost-output.ts'
import { printSessionCost } from './cost-sessions.ts'
import { printJudgeCost } from './judge-cost.ts'

export function addCost({ program, terminal, exit }: CommandContext): void {
  program
    .command('cost')
    .description('Show tokens and cost by day, project, model, session or block')
    .option('--by <group>', `Group by ${costGroups.join(', ')}`, 'day')
    .option('--since <time>', 'Only since a date, 7d (today and the six days before) or 24h')
    .option('--until <date>', 'Only until a date, which is included')
    .option('--agent <agent>', 'Only this agent')
    .option('--project <project>', 'Only this project')
    .option('--judge', 'List the model calls of Recollect itself (default: last 7 days)')
    .option('--csv', 'Print CSV')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect cost',
        'recollect cost --by model --since 30d',
        'recollect cost --by session --since 2026-09-01 --until 2026-09-07',
        'recollect cost --by block --agent claude-code',
        'recollect cost --by month --csv > cost.csv',
        'recollect cost --judge --since 30d',
      ),
    )
    .action((options: CostOptions) =>
      withLedger(async (app, ledger) => {
        if (options.judge) return printJudgeCost({ terminal, exit }, app, ledger, options)
        if (options.csv && options.json) throw new UserError('--csv and --json exclude each other', 'Give one of them.')
        const by = groupOf(options.by)
        const filter: UsageFilter = {
          ...periodOptions(options, app),
          agent: agentOption(app, options.agent),
          project: projectOption(app, ledger, options.project),
        }
        const printed = { terminal, app, ledger, options, filter }
        const isEmpty = by === 'block' ? printBlocks(printed) : printTable(printed, by)
        if (!isEmpty) return
        exit(1)
        if (!options.json && !options.csv) terminal.say('No usage recorded.')
      }),
    )
}

function groupOf(value: string): CostGroup {
  const group = costGroups.find((name) => name === value)
  if (group) return group
  throw new UserError(
    `--by takes one of ${costGroups.join(', ')}, not "${value}"`,
    'For example: recollect cost --by model',
  )
}

/** Returns whether there was nothing to print. */
function printTable(output: CostOutput, by: TableGroup): boolean {
  const { terminal, app, ledger, options, filter } = output
  const usage = sessionUsage(app, ledger, filter)
  if (by === 'session') return printSessionCost(output, usage)
  const named = groupUsage(
    usage,
    keyFunction(by, (session) => session),
  ).map((row) => ({
    ...row,
    name: row.name || 'unknown',
  }))
  const rows = sortRows(named, by)
  const total = totalOf(usage)
  if (options.json) terminal.json({ by, rows, total })
  else if (options.csv)
    terminal.print(csvOf(rows.map((row) => ({ [by]: row.name, sessions: row.sessions, ...csvFields(row) }))).trimEnd())
  else if (rows.length > 0) {
    const shown = by === 'project' ? rows.map((row) => ({ ...row, name: projectName(ledger, row.name) })) : rows
    const columns: Column[] = [{ title: by === 'week' ? 'week of' : by, isFlexible: true }, ...countColumns, costColumn]
    const cells = [...shown, total].map((row) => [row.name, ...countCells(row), costText(row)])
    terminal.print(table(columns, cells, terminal.columns))
    sayBounds(terminal, usage)
  }
  return rows.length === 0
}

/** Rows of a session follow each other. */
function sessionUsage(app: App, ledger: Ledger, filter: UsageFilter): SessionUsage[] {
  const dayOf = dayFunction(app.zone)
  return [...usageRows(ledger, filter)]
    .map(({ quarter, session, agent, project, model, ...counts }) => ({
      ...counts,
      session: { number: session, agent, project },
      day: quarter === null ? '' : dayOf(quarter),
      model: model === null ? null : modelName(model),
    }))
    .sort((a, b) => a.session.number - b.session.number)
}

/** The names are those of the JSON, in words. */
const countColumns: Column[] = [
  { title: 'sessions', align: 'right', rank: 1 },
  { title: 'responses', align: 'right', rank: 5 },
  { title: 'input', align: 'right', rank: 3 },
  { title: 'from cache', align: 'right', rank: 2 },
  { title: 'to cache', align: 'right', rank: 4 },
  { title: 'output', align: 'right', rank: 1 },
]

function countCells(row: CostRow): string[] {
  const { sessions, responses, input, cacheRead, cacheWrite, output } = row
  return [sessions, responses, input, cacheRead, cacheWrite, output].map(formatCount)
}
