import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { formatCount, formatUsd, type Zone } from '../../core/units.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { type CostGroup, type CostRow, costGroups, type UsageRow, usageRows } from '../../store/sessions/usage.ts'
import { agentOption, type CommandContext, examples, projectOption, sinceOption, withLedger } from '../command.ts'
import { table } from '../terminal.ts'
import { printJudgeCost } from './judge-cost.ts'

interface Options {
  json?: boolean
  judge?: boolean
  by: string
  since?: string
  agent?: string
  project?: string
}

export function addCost({ program, terminal, exit }: CommandContext): void {
  program
    .command('cost')
    .description('Show tokens and cost by day, model, project or agent')
    .option('--by <group>', `Group by ${costGroups.join(', ')}`, 'day')
    .option('--since <time>', 'Only since this time: 7d, 24h or a date')
    .option('--agent <agent>', 'Only this agent')
    .option('--project <project>', 'Only this project')
    .option('--judge', 'List the model calls of Recollect itself (default: last 7 days)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect cost',
        'recollect cost --by model --since 30d',
        'recollect cost --by project --agent claude-code',
        'recollect cost --judge --since 30d',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        if (options.judge) return printJudgeCost({ terminal, exit }, app, ledger, options)
        const by = groupOf(options.by)
        const filter = {
          sinceMs: sinceOption(options.since, app),
          agent: agentOption(app, options.agent),
          project: projectOption(app, ledger, options.project),
        }
        const source = [...usageRows(ledger, filter)]
        const rows = groupRows(source, by, app.zone)
        if (rows.length === 0) exit(1)
        if (options.json) return terminal.json({ by, rows, total: sum(source, 'total') })
        if (rows.length === 0) return terminal.say('No usage recorded.')
        const shown = by === 'project' ? rows.map((row) => ({ ...row, name: projectName(ledger, row.name) })) : rows
        terminal.print(costTable([...shown, sum(source, 'total')], by, terminal.columns))
        const unpriced = sum(source, '').unpriced
        if (unpriced > 0)
          terminal.say(`The cost excludes ${formatCount(unpriced)} responses of models without a known price.`)
      }),
    )
}

function groupOf(value: string): CostGroup {
  const group = costGroups.find((name) => name === value)
  if (!group)
    throw new UserError(
      `--by takes one of ${costGroups.join(', ')}, not "${value}"`,
      'For example: recollect cost --by model',
    )
  return group
}

function groupRows(source: UsageRow[], by: CostGroup, zone: Zone): CostRow[] {
  const groups = Map.groupBy(source, (row) => nameOf(row, by, zone))
  const rows = [...groups].map(([name, members]) => sum(members, name))
  return rows.sort((a, b) =>
    by === 'day' ? (a.name < b.name ? -1 : 1) : b.costUsd - a.costUsd || (a.name < b.name ? -1 : 1),
  )
}

function nameOf(row: UsageRow, by: CostGroup, zone: Zone): string {
  if (by === 'day') return row.quarter === null ? 'unknown' : zone.day(isoTime(row.quarter * 900_000))
  return row[by] ?? 'unknown'
}

function sum(rows: UsageRow[], name: string): CostRow {
  const total = (pick: (row: UsageRow) => number) => rows.reduce((result, row) => result + pick(row), 0)
  return {
    name,
    sessions: new Set(rows.map((row) => row.session)).size,
    responses: total((row) => row.responses),
    input: total((row) => row.input),
    cacheRead: total((row) => row.cacheRead),
    cacheWrite: total((row) => row.cacheWrite),
    output: total((row) => row.output),
    costUsd: total((row) => row.costUsd),
    unpriced: total((row) => row.unpriced),
  }
}

function costTable(rows: CostRow[], by: CostGroup, width: number): string {
  const numbers = ['sessions', 'responses', 'input', 'cacheRead', 'cacheWrite', 'output'] as const
  const titles = ['sessions', 'responses', 'input', 'from cache', 'to cache', 'output']
  const ranks = [1, 5, 3, 2, 4, 1]
  return table(
    [
      { title: by, isFlexible: true },
      ...titles.map((title, index) => ({ title, align: 'right' as const, rank: ranks[index]! })),
      { title: 'cost', align: 'right' },
    ],
    rows.map((row) => [row.name, ...numbers.map((name) => formatCount(row[name])), costText(row)]),
    width,
  )
}

function costText({ costUsd, unpriced, responses }: CostRow): string {
  if (unpriced === responses) return 'unknown'
  return `${unpriced > 0 ? '≥ ' : ''}${formatUsd(costUsd)}`
}
