import { plural } from '../../core/units.ts'
import type { ConsolidateReport } from '../../learn/consolidate/consolidate.ts'
import type { ConsolidationFinding, ConsolidationKind } from '../../learn/consolidate/finding.ts'
import { shortLine } from '../../text/truncate.ts'
import { type CommandContext, examples, projectOption, refreshMemoryFiles, withLedger } from '../command.ts'
import { lockOwnerText } from '../reports.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  dryRun?: boolean
  force?: boolean
  project?: string
  json?: boolean
}

export function addConsolidate({ program, terminal, exit }: CommandContext): void {
  program
    .command('consolidate')
    .description('Merge duplicate memories, retire contradicted ones, fix dates')
    .option('--dry-run', 'Show the changes by rules; change nothing, ask no model')
    .option('--force', 'Run even if the last run was recent or little is new')
    .option('--project <project>', 'Only memories of this project (name, identity or folder)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect consolidate --dry-run', 'recollect consolidate --force', 'recollect undo --list'),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const project = projectOption(app, ledger, options.project)
        const { consolidateExclusively: consolidateAlone } = await import('../../learn/consolidate/consolidate.ts')
        const result = await consolidateAlone(app.context(ledger), {
          isDryRun: options.dryRun ?? false,
          isForced: options.force ?? false,
          ...(project === undefined ? {} : { project }),
        })
        if (result.kind === 'done' && result.changes.length > 0) await refreshMemoryFiles(app, ledger)
        if (options.json) terminal.json(result)
        if (result.kind === 'busy') {
          terminal.say(`Memories are locked by ${lockOwnerText(result.owner)}. Nothing was changed; try again later.`)
          return exit(3)
        }
        if (result.kind === 'skipped') {
          terminal.say(`Nothing was changed: ${result.reason}.`)
          terminal.say('To run it anyway: --force. To see what it would change: --dry-run.')
          return exit(1)
        }
        if (!options.json) printReport(terminal, result)
      }),
    )
}

const titles: Record<ConsolidationKind, string> = {
  merged: 'Merged into another memory that says the same',
  dated: 'Relative dates replaced by absolute dates',
  retired: 'Retired: a later memory contradicts them',
  waits: 'Moved to the inbox: may contradict an earlier memory (recollect inbox)',
  doubted: 'Doubtful: they name something that no longer exists in the checkout',
  trusted: 'No longer doubtful',
}

function printReport({ print, say, style }: Terminal, report: ConsolidateReport): void {
  const { findings, changes, memories, isDryRun } = report
  if (findings.length === 0) return say(`${plural(memories, 'memory', 'memories')} checked: nothing to change.`)
  for (const kind of Object.keys(titles) as ConsolidationKind[]) {
    const found = findings.filter((finding) => finding.kind === kind)
    if (found.length > 0) print(style.bold(`${titles[kind]} (${found.length})`))
    for (const finding of found) for (const line of linesOf(finding)) print(`  ${line}`)
  }
  if (isDryRun) return say('Dry run: nothing was changed, and no model was asked.')
  for (const { id, about } of changes) say(`To undo "${about}": recollect undo ${id}`)
}

function linesOf({ kind, memory, other, text, now }: ConsolidationFinding): string[] {
  const said = `${memory}: ${shown(text)}`
  switch (kind) {
    case 'merged':
      return [said, `  into ${other}: ${shown(now)}`]
    case 'retired':
      return [said, `  by ${other}: ${shown(now)}`]
    case 'waits':
      return [said, `  against ${other}: ${shown(now)}`]
    case 'dated':
      return [`${memory}: ${shown(aroundChange(text, now))}`]
    case 'doubted':
      return [said, `  ${shown(now)}`]
    case 'trusted':
      return [said]
    default:
      return kind satisfies never
  }
}

/** The text from shortly before its first difference. */
function aroundChange(before: string, after: string): string {
  const at = after.split('').findIndex((unit, index) => unit !== before[index])
  const from = after.lastIndexOf(' ', Math.max(0, at - 80)) + 1
  return at < 100 ? after : `…${after.slice(from)}`
}

function shown(text: string): string {
  return shortLine(text, maxLineLength)
}

const maxLineLength = 160
