import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { projectOf } from '../../core/project.ts'
import { type RecallResult, recall } from '../../recall/recall.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectKeys } from '../../store/sessions/projects.ts'
import { questionsIn } from '../batch.ts'
import { type CommandContext, countOption, examples, projectOption, withLedger } from '../command.ts'

interface Options {
  json?: boolean
  project?: string
  all?: boolean
  budget?: string
  batch?: string
  hook?: string
}

const defaultBudget = 800

export function addRecall({ program, terminal, exit }: CommandContext): void {
  program
    .command('recall [words...]')
    .description('Answer a question from what is known, with sources')
    .option('--budget <tokens>', `Maximum length of the answer (default: ${defaultBudget} tokens)`)
    .option('--project <project>', 'From this project (default: the one of the current folder)')
    .option('--all', 'From all projects')
    .option('--batch <file>', 'Read JSON lines {id, query, project?, budget?}; print one answer per line')
    .option('--hook <agent>', 'Answer the prompt in a hook payload on standard input; never fails')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect recall "parse_flag returns the wrong default"',
        'recollect recall why do we not cache sessions --budget 1500',
        'recollect recall deploy --all --json',
      ),
    )
    .action(async (words: string[], options: Options) => {
      if (options.hook !== undefined) return (await import('./hook-answers.ts')).answerPrompt(options.hook, terminal)
      return withLedger(async (app, ledger) => {
        if (options.batch) {
          for await (const { id, query, project, budget } of questionsIn(options.batch)) {
            const own = { ...options, ...(project === undefined ? {} : { project }) }
            terminal.jsonLine({ id, ...(await timed(() => recallFor(app, ledger, query, own, budget))) })
          }
          return
        }
        const query = words.join(' ').trim()
        if (query === '')
          throw new UserError('Missing question', 'For example: recollect recall why do we pin the version')
        const answer = await timed(() => recallFor(app, ledger, query, options))
        if (answer.text === '') exit(1)
        if (options.json) return terminal.json(answer)
        if (answer.text === '') return terminal.say('Nothing is known about it. To search for words: recollect search')
        terminal.print(answer.text)
        terminal.say(`${answer.tokens} tokens. To read more: recollect show <id>`)
      })
    })
}

async function recallFor(
  app: App,
  ledger: Ledger,
  query: string,
  options: Options,
  budget?: number,
): Promise<RecallResult> {
  const limit = budget ?? countOption(options.budget, 'budget') ?? defaultBudget
  const project = options.all ? null : (projectOption(app, ledger, options.project) ?? currentProject(app, ledger))
  const vector = await questionVector(app, ledger, query)
  return recall(ledger, query, { project, budget: limit, nowMs: app.clock.nowMs(), vector })
}

/** The project of the current folder, or null (all projects) if it has no sessions. */
function currentProject(app: App, ledger: Ledger): string | null {
  const { key } = projectOf(process.cwd(), undefined, app.config.projects)
  return projectKeys(ledger).includes(key) ? key : null
}

async function timed(work: () => Promise<RecallResult>): Promise<RecallResult & { ms: number }> {
  const begun = performance.now()
  const answer = await work()
  return { ...answer, ms: Math.round((performance.now() - begun) * 10) / 10 }
}
