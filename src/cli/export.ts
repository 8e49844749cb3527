import { dirname } from 'node:path'
import { UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import { agentOption, type Door, examples, projectOption, withLedger } from './command.ts'
import { type ConsentOptions, consentTo, exitCodeOf } from './consent.ts'

interface Options extends ConsentOptions {
  to?: string
  project?: string
  remove?: boolean
}

export function addExport({ program, terminal, exit }: Door): void {
  program
    .command('export')
    .description("put the memories of a project into an agent's own memory folder, or take them out again")
    .requiredOption('--to <agent>', 'the agent: claude-code')
    .option('--project <project>', 'which project; the one around this folder by default')
    .option('--remove', 'take out everything that was exported')
    .option('--dry-run', 'show what would be changed, change nothing')
    .option('--yes', 'do it without asking')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect export --to claude-code --dry-run',
        'recollect export --to claude-code --project app --yes',
        'recollect export --to claude-code --remove',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const id = agentOption(app, options.to)
        const agent = app.agents.find((one) => one.id === id)!
        const project = projectOption(app, ledger, options.project ?? '.')
        if (!project) throw new UserError('No project is known here', 'Name one: --project <project>', 1)
        const [{ planExport }, { applyEdits, removeFolders }, { renderDiff }] = await Promise.all([
          import('../learn/bridge/export.ts'),
          import('../install/apply.ts'),
          import('../install/diff.ts'),
        ])
        const plan = planExport({ ledger, machine: app.machine }, agent, project, options.remove)
        const isNeeded = plan.edits.length > 0
        if (!options.json && isNeeded) terminal.print(renderDiff(plan.edits))
        for (const path of plan.changed) terminal.say(`${path} was changed since: it stays as it is.`)
        const consent = isNeeded ? await consentTo(terminal, options) : options.dryRun ? 'not asked' : 'given'
        if (consent === 'given') {
          const { layout, clock } = app
          applyEdits(plan.edits, { agent: agent.id, backups: layout.backups, ownFolder: layout.root, clock })
          if (options.remove) removeFolders(plan.folders.flatMap((folder) => [folder, dirname(folder)]))
        }
        if (options.json)
          terminal.json({ isDone: consent === 'given', ...plan, edits: plan.edits.map(({ path }) => path) })
        else if (!isNeeded) terminal.say('Nothing to change.')
        else if (consent === 'given') {
          terminal.say(
            options.remove
              ? `Taken out of ${agent.name}.`
              : `${plural(plan.exported, 'memory', 'memories')} in ${plan.folders.join(', ')}; ${plan.left} found no room.`,
          )
        }
        exit(exitCodeOf(consent))
      }),
    )
}
