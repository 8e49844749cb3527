import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import type { ExportFormat } from '../../export/export-data.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  agentOption,
  type CommandContext,
  examples,
  oneOf,
  projectOption,
  sessionNamed,
  withLedger,
} from '../command.ts'
import { askForConsent, type ConsentOptions, exitCodeOf } from '../prompts.ts'

interface Options extends ConsentOptions {
  to?: string
  format?: string
  project?: string
  remove?: boolean
  session?: string
}

export function addExport(cli: CommandContext): void {
  cli.program
    .command('export [folder]')
    .description('Export everything to a folder, or memories to an agent')
    .option('--format <format>', 'markdown, json or html (a site that opens from disk)')
    .option('--session <id>', 'Only this session, as one HTML file')
    .option('--to <agent>', 'Agent to export to: claude-code')
    .option('--project <project>', 'With --to: the project (default: the one of the current folder)')
    .option('--remove', 'With --to: remove everything that was exported')
    .option('--dry-run', 'With --to: show the changes without making them')
    .option('--yes', 'With --to: do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect export --format html ~/wiki-site',
        'recollect export --session 0a1b2c3d session.html',
        'recollect export --format markdown ~/notes/recollect',
        'recollect export --format json ~/backup',
        'recollect export --to claude-code --dry-run',
        'recollect export --to claude-code --project app --yes',
        'recollect export --to claude-code --remove',
      ),
    )
    .action((folder: string | undefined, options: Options) => {
      const { session } = options
      if (session !== undefined)
        return withLedger((app, ledger) => toFile(cli, app, ledger, folder, { ...options, session }))
      if ((options.format === undefined) === (options.to === undefined))
        throw new UserError(
          'Missing --format or --to: give one of them',
          'For example: recollect export --format html ~/wiki-site, or recollect export --to claude-code',
        )
      return withLedger((app, ledger) =>
        options.format === undefined
          ? toAgent(cli, app, ledger, options)
          : toFolder(cli, app, ledger, folder, { ...options, format: options.format }),
      )
    })
}

/** Never over an existing file: it may be another session. */
async function toFile(
  { terminal }: CommandContext,
  app: App,
  ledger: Ledger,
  file: string | undefined,
  { session: id, format, json }: Options & { session: string },
): Promise<void> {
  if (format !== undefined && format !== 'html')
    throw new UserError('A session is exported as HTML', 'Remove --format, or give html.')
  const session = sessionNamed(ledger, id)
  const { sessionDocument } = await import('../../export/html/session-page.ts')
  const path = resolve(file ?? `${shortId(session.id).replace(/[^\w.-]/g, '_')}.html`)
  if (existsSync(path)) throw new UserError(`${path} exists already`, 'Give another file name.')
  writeFileSync(path, sessionDocument(ledger, session, { zone: app.zone }), { mode: 0o600 })
  if (json) return terminal.json({ session: session.id, path })
  terminal.say(`Saved as ${path}`)
}

async function toFolder(
  { terminal, exit }: CommandContext,
  app: App,
  ledger: Ledger,
  folder: string | undefined,
  options: Options & { format: string },
): Promise<void> {
  const [{ exportFormats }, { exportTo }] = await Promise.all([
    import('../../export/export-data.ts'),
    import('../../export/export.ts'),
  ])
  const format = oneOf('format', options.format, [...exportFormats]) as ExportFormat
  if (folder === undefined)
    throw new UserError('Missing output folder', `For example: recollect export --format ${format} ~/recollect`)
  const unfit = (['project', 'remove', 'dryRun', 'yes'] as const).find((name) => options[name] !== undefined)
  if (unfit) throw new UserError(`--${unfit === 'dryRun' ? 'dry-run' : unfit} only works with --to`, 'Remove it.')
  const report = await exportTo(ledger, { format, folder, zone: app.zone })
  if (report.left.length > 0) exit(1)
  if (options.json) return terminal.json(report)
  for (const path of report.left) terminal.say(`${path} was changed since the export; it is left as it is.`)
  const changed = `${report.written} written, ${report.removed} removed`
  terminal.say(`${plural(report.files, 'file')} in ${report.folder}: ${changed}.`)
  if (format === 'html') terminal.say(`Open ${report.folder}/index.html in a browser.`)
}

async function toAgent({ terminal, exit }: CommandContext, app: App, ledger: Ledger, options: Options): Promise<void> {
  const id = agentOption(app, options.to)
  const agent = app.agents.find((one) => one.id === id)!
  const project = projectOption(app, ledger, options.project ?? '.')
  if (!project) throw new UserError('The current folder belongs to no known project', 'Add --project <project>.', 1)
  const [{ planExport }, { applyEdits, removeFolders }, { renderDiff }] = await Promise.all([
    import('../../learn/bridge/export.ts'),
    import('../../install/apply.ts'),
    import('../../install/diff.ts'),
  ])
  const plan = planExport({ ledger, machine: app.machine }, agent, project, options.remove)
  const isNeeded = plan.edits.length > 0
  if (!options.json && isNeeded) terminal.print(renderDiff(plan.edits))
  for (const path of plan.changed) terminal.say(`${path} was changed since the export; it is left as it is.`)
  const consent = isNeeded ? await askForConsent(terminal, options) : options.dryRun ? 'not asked' : 'given'
  if (consent === 'given') {
    const { layout, clock } = app
    applyEdits(plan.edits, { agent: agent.id, backups: layout.backups, ownFolder: layout.root, clock })
    if (options.remove) removeFolders(plan.folders.flatMap((folder) => [folder, dirname(folder)]))
  }
  if (options.json) terminal.json({ isDone: consent === 'given', ...plan, edits: plan.edits.map(({ path }) => path) })
  else if (!isNeeded) terminal.say('Nothing to change.')
  else if (consent === 'given') {
    terminal.say(
      options.remove
        ? `Removed from ${agent.name}.`
        : `${plural(plan.exported, 'memory', 'memories')} exported to ${plan.folders.join(', ')}; ${plan.left} did not fit.`,
    )
  }
  exit(exitCodeOf(consent))
}
