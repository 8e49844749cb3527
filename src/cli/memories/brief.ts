import { composeBrief } from '../../brief/brief.ts'
import { UserError } from '../../core/errors.ts'
import { type CommandContext, examples, projectOption, withLedger } from '../command.ts'

interface Options {
  json?: boolean
  project?: string
}

export function addBrief({ program, terminal }: CommandContext): void {
  program
    .command('brief')
    .description('what an agent is told at the start of a session in this folder')
    .option('--project <project>', 'of this project instead of the one around the current folder')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect brief', 'recollect brief --project app --json'))
    .action((options: Options) =>
      withLedger((app, ledger) => {
        const project = projectOption(app, ledger, options.project ?? '.')!
        const brief = composeBrief({ ledger, clock: app.clock, zone: app.zone }, project)
        if (!brief)
          throw new UserError(
            `Of ${project} there is nothing to tell yet`,
            'recollect sessions shows what is known.',
            1,
          )
        if (options.json) terminal.json(brief)
        else terminal.print(brief.text.trimEnd())
      }),
    )
}
