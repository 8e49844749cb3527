import { plural } from '../../core/units.ts'
import type { ConsolidateReport } from '../../learn/consolidate/consolidate.ts'
import type { ConsolidationFinding, ConsolidationKind } from '../../learn/consolidate/finding.ts'
import { type CommandContext, examples, projectOption, refreshMemoryFiles, withLedger } from '../command.ts'
import { lockOwnerText } from '../reports.ts'
import { type Terminal, withoutControls } from '../terminal.ts'

interface Options {
  dryRun?: boolean
  force?: boolean
  project?: string
  json?: boolean
}

export function addConsolidate({ program, terminal, exit }: CommandContext): void {
  program
    .command('consolidate')
    .description(
      'tidy memories: merge duplicates, make dates absolute, retire what is contradicted, hold them against the checkout',
    )
    .option('--dry-run', 'show what would change, at any time')
    .option('--force', 'also when it was done a short while ago or little has been said since')
    .option('--project <project>', 'only the memories of this project: its name, its identity or a folder in it')
    .option('--json', 'as JSON')
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
          terminal.say(
            `Memories are being worked on by ${lockOwnerText(result.owner)}. Nothing was done; try again later.`,
          )
          return exit(3)
        }
        if (result.kind === 'skipped') {
          terminal.say(`Nothing was done: ${result.reason}.`)
          terminal.say('"--force" does it anyway, "--dry-run" shows what it would do.')
          return exit(1)
        }
        if (!options.json) printReport(terminal, result)
      }),
    )
}

const titles: Record<ConsolidationKind, string> = {
  merged: 'Say the same as another, which counts them now',
  dated: 'Dates made absolute',
  retired: 'Retired: a later word says otherwise',
  waits: 'May contradict an earlier one, and wait for you: recollect inbox',
  doubted: 'Doubtful: what they name is gone from the checkout',
  trusted: 'No longer doubtful',
}

function printReport({ print, say, style }: Terminal, report: ConsolidateReport): void {
  const { findings, changes, memories, isDryRun } = report
  if (findings.length === 0) return say(`${plural(memories, 'memory', 'memories')} looked at: nothing to change.`)
  for (const kind of Object.keys(titles) as ConsolidationKind[]) {
    const found = findings.filter((finding) => finding.kind === kind)
    if (found.length > 0) print(style.bold(`${titles[kind]} (${found.length})`))
    for (const finding of found) for (const line of linesOf(finding)) print(`  ${line}`)
  }
  if (isDryRun) return say('A dry run: nothing was written.')
  for (const { id, about } of changes) say(`recollect undo ${id}  takes back: ${about}`)
}

function linesOf({ kind, memory, other, text, now }: ConsolidationFinding): string[] {
  const said = `${memory}: ${shown(text)}`
  switch (kind) {
    case 'merged':
      return [said, `  now ${other}: ${shown(now)}`]
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

/** From some words before the first difference on. */
function aroundChange(before: string, after: string): string {
  const at = after.split('').findIndex((unit, index) => unit !== before[index])
  const from = after.lastIndexOf(' ', Math.max(0, at - 80)) + 1
  return at < 100 ? after : `…${after.slice(from)}`
}

function shown(text: string): string {
  const line = withoutControls(text.replace(/\s+/g, ' '))
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`
}

const longest = 160
