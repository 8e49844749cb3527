import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { formatUsd, plural } from '../../core/units.ts'
import { changeText } from '../../patterns/measure/change-text.ts'
import type { MetricShift, ProjectRetro, Retro, TopPattern } from '../../patterns/measure/retro.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import { type Terminal, wrapText } from '../terminal.ts'
import { type ProjectNames, projectText } from './measure.ts'
import { adviceLines, exampleLines, headlines, indent, numbered } from './pattern-text.ts'

interface Options {
  days?: string
  project?: string
  publish?: boolean
  apply?: boolean
  json?: boolean
}

export function addRetro({ program, terminal, exit }: CommandContext): void {
  program
    .command('retro')
    .description('Summarise recent problems and progress per project')
    .option('--days <n>', 'Number of days to look back (default: 14)')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--publish', 'Then show how approved practices of this report would be published')
    .option('--apply', 'With --publish: write the changes to the instruction files')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect retro',
        'recollect retro --days 30 --project .',
        'recollect retro --publish --apply',
        'recollect retro --json',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        if (options.apply && !options.publish)
          throw new UserError('--apply only works with --publish', 'Add --publish.')
        const [{ readPractices }, { detect }, { retro }] = await Promise.all([
          import('../../patterns/catalogue.ts'),
          import('../../patterns/detect/detect.ts'),
          import('../../patterns/measure/retro.ts'),
        ])
        const project = projectOption(app, ledger, options.project)
        const days = countOption(options.days, 'days') ?? 14
        const looked = { days, nowMs: app.clock.nowMs(), ...(project !== undefined && { project }) }
        detect(ledger)
        const result = retro(ledger, await readPractices(app.layout), looked)
        if (result.projects.length === 0) exit(1)
        const day = (ms: number) => app.zone.day(isoTime(ms))
        if (!options.json) printRetro(terminal, result, { names: projectNames(ledger), days, day })
        const published = options.publish ? await publishRetro(app, ledger, terminal, result, options) : undefined
        if (published) exit(published.exitCode)
        if (options.json) terminal.json(published ? { ...result, published: published.result } : result)
      }),
    )
}

/** Publishes what the report proposes to publish; undefined where there is nothing. */
async function publishRetro(
  app: App,
  ledger: Ledger,
  terminal: Terminal,
  { projects }: Retro,
  { apply = false, json = false }: Options,
) {
  const practices = projects.flatMap(({ top }) => top.flatMap(({ id, todo }) => (todo.kind === 'publish' ? [id] : [])))
  if (practices.length === 0) {
    if (!json) terminal.say('No approved practice of this report is unpublished.')
    return undefined
  }
  const { publishPractices } = await import('./publish.ts')
  return publishPractices(app, ledger, terminal, { practices: [...new Set(practices)], apply, json })
}

interface RetroContext {
  names: ProjectNames
  days: number
  day(ms: number): string
}

function printRetro(terminal: Terminal, { fromMs, toMs, latestMs, projects }: Retro, context: RetroContext): void {
  const { print, tell, say, style, columns } = terminal
  if (projects.length === 0) {
    say(`No session with work by an agent in the last ${plural(context.days, 'day')}.`)
    if (latestMs > 0)
      say(`The latest ended on ${context.day(latestMs)}. To look further back: recollect retro --days <n>`)
    return
  }
  print(`${context.day(fromMs)} to ${context.day(toMs)}`)
  const isQuiet = ({ top, better, worse }: ProjectRetro) => top.length + better.length + worse.length === 0
  const told = new Set<string>()
  for (const project of projects.filter((one) => !isQuiet(one))) {
    tell(`\n${style.bold(projectText(project.project, context.names))}  ${style.dim(sessionsText(project, context))}`)
    for (const [index, pattern] of project.top.entries()) {
      const width = columns - indent.length
      const lines = [
        ...headlines(pattern, { style, columns: width }),
        ...patternLines(pattern, project.sessions, width, told.has(pattern.id)),
      ]
      print(`\n${numbered(index + 1, lines).join('\n')}`)
      told.add(pattern.id)
    }
    const shifts = [
      ...project.better.map((shift) => ({ is: style.green('Better'), shift })),
      ...project.worse.map((shift) => ({ is: style.red('Worse'), shift })),
    ]
    if (shifts.length > 0) print('')
    for (const { is, shift } of shifts) {
      const [first, ...rest] = wrapText(shiftText(shift), columns - 9)
      print(` ${is}: ${first}`)
      for (const line of rest) print(`   ${line}`)
    }
  }
  const quiet = new Set(projects.filter(isQuiet).map(({ project }) => projectText(project, context.names)))
  if (quiet.size > 0) print(`\n${wrapText(`No recurring problem in: ${[...quiet].join(', ')}`, columns).join('\n')}`)
  if (told.size > 0) say('\nTo read an example: recollect show <id>')
  say('To measure the effect of practices: recollect patterns measure')
}

function sessionsText({ sessions, sessionsBefore, agents }: ProjectRetro, { days }: RetroContext): string {
  return `${plural(sessions, 'session')} with ${agents.join(', ')}; ${sessionsBefore} in the ${plural(days, 'day')} before`
}

function patternLines(
  { id, sessions, times, costUsd, example, todo }: TopPattern,
  allSessions: number,
  columns: number,
  isTold: boolean,
): string[] {
  const cost = costUsd >= 0.01 ? `; about ${formatUsd(costUsd)}` : ''
  const often = times === sessions ? 'In' : `${plural(times, 'time')} in`
  return [
    `${often} ${sessions} of ${plural(allSessions, 'session')}${cost}`,
    ...exampleLines([example], columns),
    ...(isTold ? ['→ as above'] : todoLines(id, todo, columns)),
  ]
}

function todoLines(id: string, todo: TopPattern['todo'], columns: number): string[] {
  switch (todo.kind) {
    case 'follow':
      return [
        ...adviceLines(`Published already: ${todo.rule}`, columns),
        '  To see whether it helps: recollect patterns measure',
      ]
    case 'publish':
      return [
        ...adviceLines(`Approved, but not published: ${todo.rule}`, columns),
        `  To publish it: recollect patterns publish --practice ${id}`,
      ]
    case 'review':
      return [...adviceLines(todo.rule, columns), `  To make it a rule: recollect patterns review ${id}`]
    default:
      return todo satisfies never
  }
}

function shiftText({ what, kind, ...change }: MetricShift): string {
  return `${what}: ${changeText(kind, change)}`
}
