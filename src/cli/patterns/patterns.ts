import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { formatCount, plural } from '../../core/units.ts'
import { againLines, seenText } from '../../patterns/describe.ts'
import type { Detection } from '../../patterns/detect/detect.ts'
import type { QueuedPattern } from '../../patterns/review/queue.ts'
import type { Pattern } from '../../patterns/types.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { agentOption, type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'
import { type Terminal, wrapText } from '../terminal.ts'
import { addPatternsMeasure } from './measure.ts'
import { adviceLines, exampleLines, headlines, indent, numbered, type PatternDisplay } from './pattern-text.ts'
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
    .description('Find recurring problems, and turn them into practices')
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
    .option('--all', 'Show all patterns, also those that were decided or are not proposed')
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

const sections: [heading: string, polarity: Pattern['polarity']][] = [
  ['Problems', 'problem'],
  ['What works', 'success'],
]

/** New patterns; with `isAll` also those that were decided or are not proposed, with the reason. */
async function printReport(
  app: App,
  ledger: Ledger,
  { print, say, style, columns }: Terminal,
  { patterns, sessions, olderSessions }: Detection,
  isAll: boolean,
): Promise<void> {
  const [{ readPractices }, { patternStates }, { createDraft }] = await Promise.all([
    import('../../patterns/catalogue.ts'),
    import('../../patterns/review/queue.ts'),
    import('../../patterns/review/draft.ts'),
  ])
  const queued = patternStates(ledger, patterns, await readPractices(app.layout), app.clock.nowMs())
  const display: PatternDisplay = {
    style,
    zone: app.zone,
    columns: columns - indent.length,
    names: projectNames(ledger),
  }
  const listed = isAll ? queued : queued.filter(({ standing }) => standing.kind === 'waiting')
  for (const [heading, polarity] of sections) {
    const found = listed.filter(({ pattern }) => pattern.polarity === polarity)
    if (found.length === 0) continue
    print(style.bold(heading))
    const shown = isAll ? found : found.slice(0, maxShown)
    for (const [index, { pattern, standing }] of shown.entries()) {
      const lines = [
        ...headlines(pattern, display),
        ...wrapText(seenText(pattern, display), display.columns),
        ...exampleLines(pattern.examples, display.columns),
        ...againLines(standing, app.zone).flatMap((line) => wrapText(line, display.columns)),
        ...(standing.kind === 'waiting' ? adviceLines(createDraft(pattern).rule, display.columns) : []),
        style.dim(pattern.id),
      ]
      print(`\n${numbered(index + 1, lines).join('\n')}`)
    }
    if (shown.length < found.length)
      print(style.dim(`\n${indent}${found.length - shown.length} more. To see all: --all`))
    print('')
  }
  sayCounts(say, queued, sessions)
  if (olderSessions > 0)
    say(
      `${plural(olderSessions, 'session')} digested by an older version were only partly used. To digest again: recollect rebuild`,
    )
}

function sayCounts(say: Terminal['say'], queued: readonly QueuedPattern[], sessions: number): void {
  const fresh = queued.filter(({ standing }) => standing.kind === 'waiting').length
  const rest = queued.length - fresh
  say(`${fresh === 0 ? 'No new pattern' : plural(fresh, 'pattern')} in ${plural(sessions, 'session')}.`)
  if (rest > 0) say(`${formatCount(rest)} more are decided or not proposed: recollect patterns detect --all`)
  if (fresh > 0) say('To read an example: recollect show <id>. To decide: recollect patterns review')
}
