import { composeBrief } from '../../brief/brief.ts'
import { UserError } from '../../core/errors.ts'
import { type CommandContext, examples, projectOption, withLedger } from '../command.ts'

interface Options {
  json?: boolean
  project?: string
  hook?: string
}

export function addBrief({ program, terminal }: CommandContext): void {
  program
    .command('brief')
    .description('Show the brief that sessions in this folder start with')
    .option('--project <project>', 'Of this project (default: the one of the current folder)')
    .option('--hook <agent>', 'Print it for the session in a hook payload on standard input; never fails')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect brief', 'recollect brief --project app --json'))
    .action(async (options: Options) => {
      if (options.hook !== undefined) return (await import('./hook-answers.ts')).answerStart(options.hook, terminal)
      return withLedger((app, ledger) => {
        const project = projectOption(app, ledger, options.project ?? '.')!
        const brief = composeBrief(app.briefContext(ledger), project)
        if (!brief)
          throw new UserError(`No brief for ${project} yet`, 'To see which sessions are known: recollect sessions', 1)
        if (options.json) terminal.json(brief)
        else terminal.print(brief.text.trimEnd())
      })
    })
}
