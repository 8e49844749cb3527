import { lastDropped } from '../../compaction/give-back.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { runningSessionNamed } from '../../store/sessions/running-sessions.ts'
import { type CommandContext, examples, sessionNamed, withLedger } from '../command.ts'
import { wrapText } from '../terminal.ts'

const maxColumns = 80

export function addUncompact({ program, terminal }: CommandContext): void {
  program
    .command('uncompact <session>')
    .description('Show what the last compaction of a session dropped')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect uncompact 0a1b2c3d', 'recollect uncompact 0a1b2c3d --json'))
    .action((id: string, options: { json?: boolean }) =>
      withLedger((app, ledger) => {
        const { id: uid } = sessionNamed(ledger, id)
        const session = runningSessionNamed(ledger, uid)
        if (!session)
          throw new UserError(
            `The text of ${shortId(uid)} is not stored any more`,
            `Run: ${ownCommand('show', shortId(uid))}`,
            1,
          )
        const dropped = lastDropped({ ...app, ledger }, session)
        if (options.json) return terminal.json(dropped)
        if (dropped.text === '')
          throw new UserError(
            `Nothing of ${shortId(uid)} would be given back`,
            `Run: ${ownCommand('show', shortId(uid))}`,
            1,
          )
        const columns = Math.min(terminal.columns, maxColumns)
        for (const line of dropped.text.split('\n')) {
          const [first = '', ...rest] = wrapText(line, columns - 2)
          terminal.print([first, ...rest.map((part) => `  ${part}`)].join('\n'))
        }
      }),
    )
}
