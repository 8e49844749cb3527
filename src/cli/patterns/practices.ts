// Commands for the catalogue of practices: list, show and retire.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../app.ts'
import { practiceFile } from '../../patterns/catalogue.ts'
import { idOfPracticeFile, resolveId } from '../../patterns/review/resolve-id.ts'
import type { Practice } from '../../patterns/types.ts'
import { listReviews } from '../../store/patterns/practices.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { nearest } from '../../text/nearest.ts'
import { agentOption, type CommandContext, examples, projectOption, withLedger } from '../command.ts'
import { cardText, practiceTable, reviewLine, seenWith } from './pattern-text.ts'

export function addPractices(patterns: Command, cli: CommandContext): void {
  addList(patterns, cli)
  addShowPractice(patterns, cli)
  addRetire(patterns, cli)
}

function addList(patterns: Command, { terminal, exit }: CommandContext): void {
  patterns
    .command('list')
    .description('List practices, with duplicates and unreadable files')
    .option('--project <project>', 'Only practices that apply to this project')
    .option('--agent <agent>', 'Only practices that apply to this agent')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect patterns list', 'recollect patterns list --project . --json'))
    .action((options: { project?: string; agent?: string; json?: boolean }) =>
      withLedger(async (app, ledger) => {
        const [{ refreshCatalogue: settleCatalogue }, { catalogueWarnings: bloatWarnings }] = await Promise.all([
          import('../../patterns/review/refresh-catalogue.ts'),
          import('../../patterns/review/catalogue-warnings.ts'),
        ])
        const project = projectOption(app, ledger, options.project)
        const agent = agentOption(app, options.agent)
        const catalogue = await settleCatalogue({ ledger, clock: app.clock, zone: app.zone })
        const practices = catalogue.practices.filter((one) => isIn(one.projects, project) && isIn(one.agents, agent))
        const warnings = [...bloatWarnings(practices).map(({ text }) => text), ...unknownAgents(app, practices)]
        const { problems } = catalogue
        if (practices.length === 0) exit(1)
        if (options.json) return terminal.json({ practices, problems, warnings })
        if (practices.length > 0) terminal.print(practiceTable(practices, terminal.columns))
        else terminal.say('No practices yet. To create one: recollect patterns review')
        for (const { file, line, reason } of problems) terminal.say(`${file}:${line}: ${reason}`)
        for (const warning of warnings) terminal.say(`! ${warning}`)
      }),
    )
}

function isIn(scope: readonly string[], one: string | undefined): boolean {
  return one === undefined || scope.length === 0 || scope.includes(one)
}

/** Warns about mistyped agents: such a practice would be published to none. */
function unknownAgents(app: App, practices: readonly Practice[]): string[] {
  const known = app.agents.map(({ id }) => id)
  return practices.flatMap(({ path, agents }) =>
    agents
      .filter((agent) => !known.includes(agent))
      .map((agent) => {
        const suggestion = nearest(agent, known)
        return `${path}.md: unknown agent "${agent}"${suggestion ? `; did you mean ${suggestion}?` : ''}`
      }),
  )
}

function addShowPractice(patterns: Command, { terminal }: CommandContext): void {
  patterns
    .command('show <id>')
    .description('Show a practice, or a pattern with its draft')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect patterns show p-3f2a', 'recollect patterns show read-a-file-before-you-edit-it'),
    )
    .action((name: string, options: { json?: boolean }) =>
      withLedger(async ({ clock, zone, layout }, ledger) => {
        const [{ refreshCatalogue: settleCatalogue }, { reviewItems: reviewCards }] = await Promise.all([
          import('../../patterns/review/refresh-catalogue.ts'),
          import('../../patterns/review/queue.ts'),
        ])
        const context = { ledger, clock, zone }
        const { practices } = await settleCatalogue(context)
        const cards = reviewCards(context, practices)
        const ids = [...practices, ...cards.map(({ pattern }) => pattern)].map(({ id }) => id)
        const id = resolveId(idOfPracticeFile(name, practices), ids)
        const practice = practices.find((one) => one.id === id)
        const card = cards.find(({ pattern }) => pattern.id === id)
        const decided = listReviews(ledger).filter(({ pattern }) => pattern === id)
        if (options.json)
          return terminal.json({
            practice: practice ?? null,
            pattern: card?.pattern ?? null,
            draft: card?.draft ?? null,
            decided,
          })
        if (practice) {
          const file = join(layout.vault, practiceFile(practice.path))
          terminal.print(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'))
          if (practice.provenance.agents.length > 1) terminal.say(`Seen with several agents: ${seenWith(practice)}`)
          terminal.say(file)
        } else terminal.print(cardText(card!, { ...terminal, zone, names: projectNames(ledger) }))
        for (const review of decided) terminal.say(reviewLine(review, zone))
      }),
    )
}

function addRetire(patterns: Command, { terminal }: CommandContext): void {
  patterns
    .command('retire <id>')
    .description('Retire a practice; it stays in the catalogue')
    .option('--note <text>', 'Reason')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect patterns retire p-3f2a --note "it slowed us down"'))
    .action((name: string, options: { note?: string; json?: boolean }) =>
      withLedger(async ({ clock, zone }, ledger) => {
        const { retirePractice: retire } = await import('../../patterns/review/decide.ts')
        const practice = await retire({ ledger, clock, zone }, name, { note: options.note })
        if (options.json) return terminal.json(practice)
        terminal.say(`${practiceFile(practice.path)} is retired. To undo: recollect patterns undo ${practice.id}`)
        terminal.say('To remove it from instruction files: recollect patterns publish --apply')
      }),
    )
}
