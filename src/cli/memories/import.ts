import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type App, createApp } from '../../app.ts'
import { findAgent } from '../../core/agent-names.ts'
import type { LockOwner } from '../../core/lock.ts'
import { expandHome, shortPath } from '../../core/paths.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { plural } from '../../core/units.ts'
import type { SourceImportReport } from '../../import/import.ts'
import type { FoundSource } from '../../import/registry.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type CommandContext, examples, oneOf, projectOption, refreshMemoryFiles, withLedger } from '../command.ts'
import { lockOwnerText, maxWaitMs, withWaitLimit } from '../reports.ts'
import { printImportReport } from './import-text.ts'

interface Options {
  from?: string
  project?: string
  dryRun?: boolean
  json?: boolean
}

export function addImport(cli: CommandContext): void {
  cli.program
    .command('import')
    .description('Import memories of agents and of other programs')
    .argument('[what]', 'An agent, or a file or folder of another program')
    .option(
      '--from <source>',
      'The program: claude-mem, claude-memory, memoria, basic-memory, server-memory, specstory',
    )
    .option('--project <project>', 'Statements of the other program hold in this project only')
    .option('--dry-run', 'Show what would be imported without importing it')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect import --dry-run',
        'recollect import claude-code',
        'recollect import --from claude-mem',
        'recollect import ~/notes/basic-memory --dry-run',
        'recollect import .specstory',
        'recollect import ~/backup/recollect.jsonl',
      ),
    )
    .action(async (what: string | undefined, options: Options) => {
      const app = createApp()
      const able = app.agents.filter(({ memories }) => memories)
      const agent = what === undefined ? undefined : findAgent(able, what)?.id
      if (options.from === undefined && (what === undefined || agent !== undefined))
        return withLedger((app, ledger) => importAgents(cli, app, ledger, { ...options, agent }))
      const found = await sourceOf(app, what, { ...options, able: able.map(({ id }) => id) })
      // Sessions are compared with captured ones, so there have to be some.
      const ledger = found.source.countSessions ? app.existingLedger() : app.ledger()
      try {
        await importFound(cli, app, ledger, found, options)
      } finally {
        ledger.close()
      }
    })
}

/** The memories that agents keep themselves. */
async function importAgents(
  { terminal, exit }: CommandContext,
  app: App,
  ledger: Ledger,
  { agent, dryRun, json }: Options & { agent: string | undefined },
): Promise<void> {
  const [{ importNative }, { findSources }] = await Promise.all([
    import('../../learn/bridge/import.ts'),
    import('../../import/registry.ts'),
  ])
  const report = await importNative(app.context(ledger), { ...(agent ? { agent } : {}), isDryRun: dryRun ?? false })
  if (!dryRun) await refreshMemoryFiles(app, ledger)
  const others = agent === undefined ? findSources(app.machine) : []
  if (report.files === 0) exit(1)
  if (json) return terminal.json({ ...report, others: others.map(({ source, path }) => ({ source: source.id, path })) })
  for (const { path, reason } of report.skipped) terminal.say(`${path}: skipped, ${reason}`)
  if (report.files === 0) terminal.say('No memories of agents found.')
  else {
    for (const memory of report.kept) terminal.print(`+ ${memory.id}  ${memory.text}`)
    for (const memory of report.superseded) terminal.print(`- ${memory.id}  ${memory.text}`)
    for (const memory of report.inbox) terminal.print(`? ${memory.id}  ${memory.text}`)
    for (const memory of report.forgotten) terminal.print(`- ${memory.id}  ${memory.text}`)
    const counts = [
      `${report.kept.length} new`,
      `${report.merged.length + report.known} already known`,
      `${report.updated.length + report.superseded.length} changed`,
      ...(report.forgotten.length > 0 ? [`${report.forgotten.length} forgotten`] : []),
      `${report.inbox.length} in the inbox`,
      `${report.dropped.length} skipped`,
    ]
    terminal.say(`${plural(report.files, 'file')}: ${counts.join(', ')}.`)
    const changed = [
      report.kept,
      report.merged,
      report.updated,
      report.superseded,
      report.forgotten,
      report.inbox,
    ].flat().length
    if (dryRun) terminal.say('Dry run: nothing was changed.')
    else if (changed > 0) terminal.say('To undo: recollect undo')
  }
  for (const { source, path } of others) {
    terminal.say(`Also found: ${source.name} in ${shortPath(path, app.machine.home)}`)
    terminal.say(
      `  To import it: ${ownCommand('import', '--from', source.id, ...(isDefault(source.id, path, others) ? [] : [path]))}`,
    )
  }
}

/** The first place of a source is used if no path is given. */
function isDefault(id: string, path: string, found: readonly FoundSource[]): boolean {
  return found.find(({ source }) => source.id === id)?.path === path
}

async function sourceOf(
  app: App,
  what: string | undefined,
  { from, able }: Options & { able: readonly string[] },
): Promise<FoundSource> {
  const { detectSource, importSources, namedSource } = await import('../../import/registry.ts')
  const ids = importSources.map(({ id }) => id)
  const path = what === undefined ? undefined : resolve(expandHome(what, app.machine.home))
  if (from !== undefined) return namedSource(app.machine, oneOf('source', from, ids), path)
  if (existsSync(path!) || /[\\/.~]/.test(what!)) return detectSource(path!)
  // A name without a path: of a source, or mistyped.
  return namedSource(app.machine, oneOf('agent or source', what!, [...able, ...ids]), undefined)
}

async function importFound(
  { terminal, exit }: CommandContext,
  app: App,
  ledger: Ledger,
  found: FoundSource,
  { project, dryRun, json }: Options,
): Promise<void> {
  const { importSource } = await import('../../import/import.ts')
  const progress = terminal.progress()
  const report = await withWaitLimit(() =>
    importSource(app.context(ledger), found, {
      project: projectOption(app, ledger, project) ?? null,
      isDryRun: dryRun ?? false,
      onProgress: (done, of) => progress.show('Importing', done, of, 'sessions'),
      onWait: (owner: LockOwner | undefined) => terminal.say(`Waiting for ${lockOwnerText(owner)} to end`),
      maxWaitMs,
    }),
  )
  progress.end()
  if (!dryRun) await refreshMemoryFiles(app, ledger)
  if (isEmpty(report)) exit(1)
  if (json) return terminal.json(report)
  const { home } = app.machine
  printImportReport(terminal, report, { name: found.source.name, home, isDryRun: dryRun ?? false })
}

/** Nothing that could be imported was found. */
function isEmpty({
  kept,
  candidates,
  merged,
  superseded,
  inbox,
  dropped,
  known,
  left,
  ofTeams,
  ...rest
}: SourceImportReport): boolean {
  const { written, known: seen, captured, left: out } = rest.sessions
  const { days, articles, known: same, left: other } = rest.pages
  const lists = [kept, candidates, merged, superseded, inbox, dropped, left, days, articles, other].flat().length
  return lists + known + ofTeams + written + seen + captured + out + same === 0
}
