import { plural } from '../../core/units.ts'
import { type CommandContext, examples, oneOf, refreshMemoryFiles, withLedger } from '../command.ts'

interface Options {
  dryRun?: boolean
  json?: boolean
}

export function addImport({ program, terminal, exit }: CommandContext): void {
  program
    .command('import')
    .description('Import memories of Claude Code, Codex and Gemini CLI')
    .argument('[agent]', 'Only this agent')
    .option('--dry-run', 'Show what would be imported without importing it')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect import --dry-run', 'recollect import claude-code', 'recollect import codex --json'),
    )
    .action((name: string | undefined, options: Options) =>
      withLedger(async (app, ledger) => {
        const able = app.agents.filter(({ memories }) => memories).map(({ id }) => id)
        const agent = name === undefined ? undefined : oneOf('agent', name, able)
        const { importNative } = await import('../../learn/bridge/import.ts')
        const report = await importNative(app.context(ledger), {
          ...(agent ? { agent } : {}),
          isDryRun: options.dryRun ?? false,
        })
        if (!options.dryRun) await refreshMemoryFiles(app, ledger)
        if (report.files === 0) exit(1)
        if (options.json) return terminal.json(report)
        for (const { path, reason } of report.skipped) terminal.say(`${path}: skipped, ${reason}`)
        if (report.files === 0) return terminal.say('No memories of agents found.')
        for (const memory of report.kept) terminal.print(`+ ${memory.id}  ${memory.text}`)
        for (const memory of report.superseded) terminal.print(`- ${memory.id}  ${memory.text}`)
        for (const memory of report.inbox) terminal.print(`? ${memory.id}  ${memory.text}`)
        const counts = [
          `${report.kept.length} new`,
          `${report.merged.length + report.known} already known`,
          `${report.updated.length + report.superseded.length} changed`,
          `${report.inbox.length} in the inbox`,
          `${report.dropped.length} skipped`,
        ]
        terminal.say(`${plural(report.files, 'file')}: ${counts.join(', ')}.`)
        const changed = [report.kept, report.merged, report.updated, report.superseded, report.inbox].flat().length
        if (options.dryRun) terminal.say('Dry run: nothing was changed.')
        else if (changed > 0) terminal.say('To undo: recollect undo')
      }),
    )
}
