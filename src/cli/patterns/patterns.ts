import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { formatCount, plural } from '../../core/units.ts'
import type { Detection } from '../../patterns/detect/detect.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { agentOption, type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import type { Terminal } from '../terminal.ts'
import { addPatternsMeasure } from './measure.ts'
import { addPatternsPublish } from './publish.ts'
import { addPatternsReview } from './review.ts'

interface Options {
  minFrequency?: string
  project?: string
  agent?: string
  all?: boolean
  json?: boolean
}

export function addPatterns(cli: CommandContext): void {
  const patterns = cli.program
    .command('patterns')
    .description('Find what keeps going wrong, and turn it into practices')
    .addHelpText(
      'after',
      examples(
        'recollect patterns detect',
        'recollect patterns review',
        'recollect patterns publish --dry-run',
        'recollect patterns measure',
      ),
    )
  addDetect(patterns, cli)
  addPatternsReview(patterns, cli)
  addPatternsPublish(patterns, cli)
  addPatternsMeasure(patterns, cli)
}

function addDetect(patterns: Command, { terminal, exit }: CommandContext): void {
  patterns
    .command('detect')
    .description('Find recurring problems and successes across sessions')
    .option('--min-frequency <n>', 'Minimum number of occurrences, in at least two sessions (default: 2)')
    .option('--project <project>', 'Only sessions of this project (name, identity or folder)')
    .option('--agent <agent>', 'Only sessions of this agent')
    .option('--all', 'Show all patterns instead of the first 10 of each section')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect patterns detect',
        'recollect patterns detect --project . --all',
        'recollect patterns detect --min-frequency 5 --json',
        'recollect patterns review',
      ),
    )
    .action((options: Options) =>
      withLedger(async (app, ledger) => {
        const minFrequency = countOption(options.minFrequency, 'min-frequency')
        const project = projectOption(app, ledger, options.project)
        const agent = agentOption(app, options.agent)
        const { detect } = await import('../../patterns/detect/detect.ts')
        const detection = detect(ledger, {
          ...(minFrequency !== undefined && { minFrequency }),
          ...(project !== undefined && { project }),
          ...(agent !== undefined && { agent }),
        })
        if (detection.patterns.length === 0) exit(1)
        if (options.json) return terminal.json(detection.patterns)
        await printReport(app, ledger, terminal, detection, options.all ?? false)
      }),
    )
}

const maxShown = 10

async function printReport(
  { zone }: App,
  ledger: Ledger,
  { print, say, style }: Terminal,
  { patterns, sessions, olderSessions }: Detection,
  isAll: boolean,
): Promise<void> {
  const { patternReport: reportOf } = await import('../../patterns/detect/report.ts')
  const max = isAll ? Number.POSITIVE_INFINITY : maxShown
  for (const { heading, paragraphs, left } of reportOf(patterns, { names: projectNames(ledger), zone, max })) {
    if (paragraphs.length === 0) continue
    print(style.bold(heading))
    for (const [index, { title, lines }] of paragraphs.entries()) {
      print(`\n${String(index + 1).padStart(2)}. ${style.bold(title)}`)
      for (const line of lines) print(`    ${line}`)
    }
    if (left > 0) print(style.dim(`\n    ${formatCount(left)} more. To see all: --all`))
    print('')
  }
  if (patterns.length === 0) say(`No pattern found in ${plural(sessions, 'session')} with work in them.`)
  else say(`${plural(patterns.length, 'pattern')} in ${plural(sessions, 'session')}. Next: recollect patterns review`)
  if (olderSessions > 0)
    say(
      `${plural(olderSessions, 'session')} digested by an older version were only partly used. To digest again: recollect rebuild`,
    )
}
