import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { ProgramUse } from '../../fixes/how-program.ts'
import type { ProgramCommand } from '../../store/fixes/program-runs.ts'
import { nearest } from '../../text/nearest.ts'
import { type CommandContext, countOption, currentProject, examples, projectOption, withLedger } from '../command.ts'
import { type Terminal, wrapText } from '../terminal.ts'
import { fixesText, heldText } from './fix.ts'

interface Options {
  json?: boolean
  project?: string
  all?: boolean
  limit?: string
}

export function addHow({ program, terminal, exit }: CommandContext): void {
  program
    .command('how <program...>')
    .description('Show how a program is run here, and what to avoid')
    .option('--project <project>', 'In this project (default: the one of the current folder)')
    .option('--all', 'In all projects')
    .option('--limit <n>', 'Maximum number of commands (default: 5)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect how pytest', 'recollect how npm test', 'recollect how docker compose --all --json'),
    )
    .action((words: string[], options: Options) =>
      withLedger(async (app, ledger) => {
        const { howProgram, knownPrograms } = await import('../../fixes/how-program.ts')
        const named = words.join(' ').trim()
        const own = projectOption(app, ledger, options.project) ?? currentProject(app, ledger)
        const project = options.all ? null : own
        const limit = countOption(options.limit, 'limit') ?? defaultLimit
        const use = howProgram(ledger, named, { project, limit })
        const isNothing = use.commands.length + use.traps.length === 0
        if (isNothing) exit(1)
        if (options.json) return terminal.json(use)
        if (use.held > 0) terminal.say(heldText(use.held))
        if (!isNothing) return terminal.print(await useText(use, app.zone, terminal))
        const near = nearest(named, knownPrograms(ledger, project))
        terminal.say(`Nothing found.${near ? ` Did you mean ${near}?` : ''}`)
      }),
    )
}

const defaultLimit = 5
const maxColumns = 80

async function useText({ commands, traps }: ProgramUse, zone: Zone, terminal: Terminal): Promise<string> {
  const width = Math.min(terminal.columns, maxColumns)
  const parts = commands.map((one) => commandText(one, zone, terminal, width))
  if (traps.length === 0) return parts.join('\n')
  const avoided = await fixesText(traps, zone, terminal)
  return [...parts, ...(parts.length > 0 ? [''] : []), terminal.style.bold('Failed before:'), avoided].join('\n')
}

function commandText(
  { command, folder, passed, failed, at, session, seq }: ProgramCommand,
  zone: Zone,
  { style }: Terminal,
  width: number,
): string {
  const counts = `passed ${plural(passed, 'time')}${failed > 0 ? `, failed ${plural(failed, 'time')}` : ''}`
  const about = [counts, at ? `last ${zone.day(at)}` : '', `${shortId(session)}#${seq}`, folder && `in ${folder}`]
  return [
    ...wrapText(command, width, { keepsWords: true }),
    ...wrapText(about.filter(Boolean).join('  '), width - 2).map((line) => style.dim(`  ${line}`)),
  ].join('\n')
}
