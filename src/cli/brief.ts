import { resolve } from 'node:path'
import { UserError } from '../core/errors.ts'
import { projectOf } from '../core/project.ts'
import { composeBrief } from '../recall/brief.ts'
import { projectAt, projectKeys } from '../store/projects.ts'
import { type Door, examples, projectOption, withLedger } from './command.ts'

interface Options {
  json?: boolean
  project?: string
}

export function addBrief({ program, terminal }: Door): void {
  program
    .command('brief')
    .description('what an agent is told at the start of a session in this folder')
    .option('--project <project>', 'of this project instead of the one around the current folder')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect brief', 'recollect brief --project app --json'))
    .action((options: Options) =>
      withLedger((app, ledger) => {
        const here = resolve('.')
        const around = projectOf(here, undefined, app.config.projects).key
        const project =
          projectOption(ledger, options.project) ??
          (projectKeys(ledger).includes(around) ? around : projectAt(ledger, here))
        const brief = project ? composeBrief({ ledger, clock: app.clock, zone: app.zone }, project) : undefined
        if (!brief) {
          const what = options.project ? `the project ${options.project}` : `a project around ${here}`
          throw new UserError(`Nothing is known of ${what} yet`, 'recollect sessions shows what is.', 1)
        }
        if (options.json) terminal.json(brief)
        else terminal.print(brief.text.trimEnd())
      }),
    )
}
