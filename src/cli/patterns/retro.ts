import { isoTime } from '../../core/clock.ts'
import { shortId } from '../../core/session.ts'
import { formatUsd, plural } from '../../core/units.ts'
import type { MetricShift, ProjectRetro, Retro, TopPattern } from '../../patterns/measure/retro.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { oneLine } from '../../text/truncate.ts'
import { type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { changeText, type ProjectNames, projectText } from './measure.ts'

interface Options {
  days?: string
  project?: string
  json?: boolean
}

export function addRetro({ program, terminal, exit }: CommandContext): void {
  program
    .command('retro')
    .description('Summarise recent problems and progress per project')
    .option('--days <n>', 'Number of days to look back (default: 14)')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect retro', 'recollect retro --days 30 --project .', 'recollect retro --json'),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const [{ readPractices }, { retro }] = await Promise.all([
          import('../../patterns/catalogue.ts'),
          import('../../patterns/measure/retro.ts'),
        ])
        const project = projectOption(app, ledger, options.project)
        const days = countOption(options.days, 'days') ?? 14
        const looked = { days, nowMs: app.clock.nowMs(), ...(project !== undefined && { project }) }
        const result = retro(ledger, await readPractices(app.layout), looked)
        if (result.projects.length === 0) exit(1)
        if (options.json) return terminal.json(result)
        if (result.projects.length === 0)
          return terminal.say(`No session with work by an agent in the last ${plural(days, 'day')}.`)
        printRetro(terminal, result, { names: projectNames(ledger), day: (ms) => app.zone.day(isoTime(ms)) })
      }),
    )
}

interface RetroContext {
  names: ProjectNames
  day(ms: number): string
}

function printRetro(
  { print, say, style }: Terminal,
  { fromMs, toMs, projects }: Retro,
  { names, day }: RetroContext,
): void {
  print(`${day(fromMs)} to ${day(toMs)}`)
  const isQuiet = ({ top, better, worse }: ProjectRetro) => top.length + better.length + worse.length === 0
  for (const project of projects.filter((one) => !isQuiet(one))) {
    print(`\n${style.bold(projectText(project.project, names))}  ${style.dim(sessionsText(project))}`)
    for (const [index, pattern] of project.top.entries()) {
      print(`\n ${index + 1}. ${style.bold(pattern.title)}`)
      for (const line of patternLines(pattern)) print(`    ${line}`)
    }
    const shifts = [
      ...project.better.map((shift) => ({ is: 'Better', shift })),
      ...project.worse.map((shift) => ({ is: 'Worse', shift })),
    ]
    if (shifts.length > 0) print('')
    for (const { is, shift } of shifts)
      print(` ${is === 'Better' ? style.green(is) : style.red(is)}: ${shiftText(shift)}`)
  }
  const quiet = projects.filter(isQuiet)
  if (quiet.length > 0)
    print(`\nNo recurring problem: ${quiet.map(({ project }) => projectText(project, names)).join(', ')}`)
  say('\nTo measure the effect of practices: recollect patterns measure')
}

function sessionsText({ sessions, sessionsBefore, agents }: ProjectRetro): string {
  return `${plural(sessions, 'session')} with ${agents.join(', ')}; ${sessionsBefore} in the period before`
}

function patternLines({ id, sessions, times, costUsd, example, todo }: TopPattern): string[] {
  const cost = costUsd >= 0.01 ? `, about ${formatUsd(costUsd)}` : ''
  const place = `${shortId(example.session)}${example.seq === null ? '' : `#${example.seq}`}`
  return [
    `${plural(times, 'time')} in ${plural(sessions, 'session')}${cost}`,
    `for example: ${example.detail}`,
    `  recollect show ${place}`,
    ...todoLines(id, todo),
  ]
}

function todoLines(id: string | null, todo: TopPattern['todo']): string[] {
  switch (todo.kind) {
    case 'follow':
      return [
        `→ A practice is published: ${oneLine(todo.rule)}`,
        '  To see whether it helps: recollect patterns measure',
      ]
    case 'publish':
      return [`→ A practice exists: ${oneLine(todo.rule)}`, '  To publish it: recollect patterns publish']
    case 'review':
      return [`→ recollect patterns review ${id}`]
    case 'detect':
      return ['→ recollect patterns detect']
    default:
      return todo satisfies never
  }
}

function shiftText({ what, kind, ...change }: MetricShift): string {
  return `${what}: ${changeText(kind, change)}`
}
