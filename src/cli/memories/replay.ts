import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { NeedKind } from '../../replay/need.ts'
import type { ReplayCounts, ReplayExample, ReplayReport } from '../../replay/replay.ts'
import { type CommandContext, countOption, examples, projectOption, sinceOption, withLedger } from '../command.ts'
import { type Terminal, table, wrapText } from '../terminal.ts'

interface Options {
  json?: boolean
  project?: string
  since?: string
  limit?: string
}

export function addReplay({ program, terminal }: CommandContext): void {
  program
    .command('replay')
    .description('Show what past sessions needed again, and whether they would have been told')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--since <time>', 'Only sessions since this time: 30d, 24h or a date')
    .option('--limit <n>', `Maximum number of examples (default: ${defaultLimit})`)
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect replay', 'recollect replay --project . --since 30d', 'recollect replay --limit 50 --json'),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const { replay } = await import('../../replay/replay.ts')
        const project = projectOption(app, ledger, options.project)
        const sinceMs = sinceOption(options.since, app)
        const progress = terminal.progress()
        const report = replay(
          {
            ...app.briefContext(ledger),
            onProgress: (done, of) => progress.show('Replaying', done, of, 'sessions'),
          },
          {
            ...(project === undefined ? {} : { project }),
            ...(sinceMs === undefined ? {} : { sinceMs }),
            maxExamples: countOption(options.limit, 'limit') ?? defaultLimit,
          },
        )
        progress.end()
        if (options.json) return terminal.json(report)
        terminal.print(partsOf(report, app.zone, terminal).join('\n'))
        if (report.needed > 0 && !app.config.recall.perPrompt)
          terminal.say('Prompts get nothing so far. To switch it on: recollect config set recall.per_prompt true')
      }),
    )
}

const defaultLimit = 10
const maxColumns = 80

function partsOf(report: ReplayReport, zone: Zone, terminal: Terminal): string[] {
  const width = Math.min(terminal.columns, maxColumns)
  const parts = wrapText(summaryOf(report), width)
  if (report.needed === 0) return parts
  parts.push('', countsTable('Needed', kindRows(report), width))
  if (report.projects.length > 1)
    parts.push(
      '',
      countsTable(
        'Project',
        report.projects.map((one) => [one.name, one]),
        width,
      ),
    )
  const weeks = report.weeks.filter(({ needed }) => needed > 0).slice(-maxWeeks)
  if (weeks.length > 1)
    parts.push(
      '',
      countsTable(
        'Week of',
        weeks.map((one) => [one.week, one]),
        width,
      ),
    )
  return [...parts, '', ...report.examples.flatMap((example) => exampleLines(example, zone, terminal, width))]
}

const maxWeeks = 12

function summaryOf({ sessions, needed, delivered: { brief, prompt, asked } }: ReplayReport): string {
  if (sessions === 0) return 'There are no sessions to replay.'
  if (needed === 0) return `${plural(sessions, 'session')} needed nothing that an earlier session of the project knew.`
  const known = plural(needed, 'thing')
  return `Of ${known} known from before, sessions were told ${brief} at the start, ${prompt} with a prompt; ${asked} would have been found by asking.`
}

const kindNames: Record<NeedKind, string> = {
  said: 'Said again by you',
  command: 'Commands that failed first',
  file: 'Files searched for',
  error: 'Errors met before',
}

function kindRows({ byKind }: ReplayReport): [string, Omit<ReplayCounts, 'sessions'>][] {
  return Object.entries(kindNames)
    .map(([kind, name]): [string, Omit<ReplayCounts, 'sessions'>] => [name, byKind[kind as NeedKind]])
    .filter(([, { needed }]) => needed > 0)
}

function countsTable(title: string, rows: [string, Omit<ReplayCounts, 'sessions'>][], width: number): string {
  const cells = rows.map(([name, { needed, delivered }]) => [
    name,
    ...[needed, delivered.brief, delivered.prompt, delivered.asked].map(String),
  ])
  const columns = [
    { title },
    ...['known', 'start', 'prompt', 'asked'].map((name) => ({ title: name, align: 'right' as const })),
  ]
  return table(columns, cells, width)
}

/** What was needed, where, who knew it, and whether it was told. */
function exampleLines(example: ReplayExample, zone: Zone, { style }: Terminal, width: number): string[] {
  const { kind, needed, session, seq, at, known } = example
  const text = kind === 'said' ? `"${needed}"` : needed
  const about = `${zone.day(at)} ${shortId(session)}#${seq}, known from ${zone.day(known.at)} ${shortId(known.session)}: ${toldText(example)}`
  return [...wrapText(text, width), ...wrapText(about, width - 2).map((line) => style.dim(`  ${line}`))]
}

function toldText({ told, asked }: ReplayExample): string {
  if (told === 'brief') return 'told at the start'
  if (told === 'prompt') return 'told with a prompt'
  return asked ? 'not told, found by asking' : 'not told, not found'
}
