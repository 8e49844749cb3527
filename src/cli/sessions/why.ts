import { ownCommand } from '../../core/shell/command-line.ts'
import { plural } from '../../core/units.ts'
import { type CommandContext, countOption, examples, withLedger } from '../command.ts'
import { memoryLine } from '../memories/memory-text.ts'
import { blameContext, nothingFoundText, sessionText } from './blame.ts'

interface Options {
  json?: boolean
  project?: string
  limit?: string
}

export function addWhy({ program, terminal, exit }: CommandContext): void {
  program
    .command('why <file>')
    .description('Show decisions about a file, and the sessions behind it')
    .option('--project <project>', 'Project of the file (name, identity or folder)')
    .option('--limit <n>', 'Maximum number of sessions (default: 3)')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect why src/queue.ts', 'recollect why src/queue.ts --limit 10 --json'))
    .action((asked: string, options: Options) =>
      withLedger(async (app, ledger) => {
        const { whyFile } = await import('../../history/why.ts')
        const context = await blameContext(app, ledger, asked, options)
        const reasons = whyFile(context, countOption(options.limit, 'limit') ?? defaultLimit)
        const { memories, sessions, total } = reasons
        if (memories.length + total === 0) exit(1)
        if (options.json) return terminal.json(reasons)
        for (const memory of memories) terminal.tell(memoryLine(ledger, memory, app, terminal.style))
        if (memories.length > 0 && sessions.length > 0) terminal.print('')
        if (sessions.length > 0)
          terminal.print(sessions.map((session) => sessionText(session, app.zone, terminal.style)).join('\n\n'))
        if (total > sessions.length)
          terminal.say(`${plural(total - sessions.length, 'more session')} changed it: ${ownCommand('blame', asked)}`)
        if (memories.length + total === 0) terminal.say(await nothingFoundText(context))
      }),
    )
}

const defaultLimit = 3
