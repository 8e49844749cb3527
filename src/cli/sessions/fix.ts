import { UserError } from '../../core/errors.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { plural, type Zone } from '../../core/units.ts'
import type { FoundFix } from '../../fixes/find-fixes.ts'
import { ellipsize } from '../../text/truncate.ts'
import { type CommandContext, countOption, currentProject, examples, projectOption, withLedger } from '../command.ts'
import { type Terminal, wrapText } from '../terminal.ts'

interface Options {
  json?: boolean
  project?: string
  limit?: string
}

export function addFix({ program, terminal, exit }: CommandContext): void {
  program
    .command('fix <error...>')
    .description('Find what helped with an error before')
    .option('--project <project>', 'Only this project (default: all, the one of the current folder first)')
    .option('--limit <n>', 'Maximum number of answers (default: 3)')
    .option('--json', 'Print JSON')
    .allowUnknownOption() // an error may begin with dashes
    .addHelpText(
      'after',
      examples(
        'recollect fix "zsh: command not found: golangci-lint"',
        'recollect fix "$(npm test 2>&1)"',
        'recollect fix "Error: connect ECONNREFUSED 127.0.0.1:5432" --json',
      ),
    )
    .action((words: string[], options: Options) =>
      withLedger(async (app, ledger) => {
        const { findFixes } = await import('../../fixes/find-fixes.ts')
        const mistyped = words.find((word) => /^--[a-z][a-z-]*$/.test(word))
        if (mistyped) throw new UserError(`Unknown option ${mistyped}`, 'See: recollect fix --help')
        const text = words.join(' ')
        if (text.trim() === '')
          throw new UserError('Missing error', 'For example: recollect fix "command not found: jq"')
        const only = projectOption(app, ledger, options.project)
        const { fixes: found, held } = findFixes(ledger, {
          text,
          project: only ?? currentProject(app, ledger),
          isOnly: only !== undefined,
          limit: countOption(options.limit, 'limit') ?? defaultLimit,
        })
        if (found.length === 0) exit(1)
        if (options.json) return terminal.json(found)
        if (held.length > 0) terminal.say(heldText(held.length))
        if (found.length === 0) return terminal.say('Nothing found.')
        terminal.print(await fixesText(found, app.zone, terminal))
        terminal.say(`To read on: ${ownCommand('show', await placeOf(found[0]!))}`)
      }),
    )
}

const defaultLimit = 3

/** Agents run this command, too, so that they are told no more here than elsewhere. */
export function heldText(count: number): string {
  return `${plural(count, 'answer')} held back, because a command or text in it may harm: recollect status --runs`
}

const maxColumns = 80

export async function fixesText(
  found: readonly FoundFix[],
  zone: Zone,
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): Promise<string> {
  const { fixText } = await import('../../fixes/fix-text.ts')
  const width = Math.min(columns, maxColumns)
  const paint = { '+': style.green, '-': style.red, ' ': (line: string) => line }
  return found
    .map((fix) => {
      const { failure, remedy, diff, source } = fixText(fix, zone)
      return [
        ...wrapText(ellipsize(failure, width * 2), width).map(style.bold),
        ...hanging(remedy, width),
        ...diff.flatMap((line) => hanging(line, width).map(paint[line[0] as '+' | '-' | ' '] ?? paint[' '])),
        ...hanging(source, width).map(style.dim),
      ].join('\n')
    })
    .join('\n\n')
}

function hanging(text: string, width: number): string[] {
  return wrapText(text.trim(), width - 6).map((line, index) => `${index === 0 ? '  ' : '      '}${line}`)
}

async function placeOf(fix: FoundFix): Promise<string> {
  return (await import('../../fixes/fix-text.ts')).fixPlace(fix)
}
