import type { App } from '../../app.ts'
import { uptimeMs } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { resumeCommand, shortId } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { type RecallItem, type RecallResult, recall } from '../../recall/recall.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import type { Ledger } from '../../store/ledger.ts'
import { findSessions } from '../../store/sessions/sessions.ts'
import { unreadTranscripts } from '../../store/unread.ts'
import { ellipsize, oneLine } from '../../text/truncate.ts'
import { questionsIn } from '../batch.ts'
import { type CommandContext, countOption, currentProject, examples, projectOption, withLedger } from '../command.ts'
import { sayUnread } from '../reports.ts'
import { type Terminal, wrapText } from '../terminal.ts'

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
            terminal.jsonLine({ id, ...answerJson(await timed(() => recallFor(app, ledger, query, own, budget))) })
          }
          return
        }
        const query = words.join(' ').trim()
        if (query === '')
          throw new UserError('Missing question', 'For example: recollect recall why do we pin the version')
        const answer = await timed(() => recallFor(app, ledger, query, options))
        if (!answer.answered) exit(1)
        if (options.json) {
          const unread = unreadTranscripts(ledger)
          return terminal.json({ ...answerJson(answer), ...(unread ? { unread } : {}) })
        }
        sayUnread(ledger, terminal)
        if (answer.text === '')
          return terminal.say('Nothing found. To search for single words: recollect search <words>')
        terminal.print(answerText(app, ledger, answer, terminal))
        const first = referenceOf(answer.items[0]!)
        terminal.say(`${answer.tokens} tokens. To read more: ${ownCommand('show', first)}`)
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

type TimedAnswer = RecallResult & { ms: number }

/** The text of the items is the text of the answer. */
function answerJson({ items, ...answer }: TimedAnswer): object {
  return { ...answer, items: items.map(({ text: _, ...item }) => ({ ...item, ref: referenceOf(item) })) }
}

/** What `recollect show` takes. */
function referenceOf({ kind, id, seq }: Omit<RecallItem, 'text'>): string {
  if (kind === 'exchange') return `${shortId(id)}#${seq}`
  return kind === 'commit' ? id.slice(0, 12) : id
}

const maxColumns = 80

/** With title and resume command of each session, wrapped with a hanging indent. */
function answerText(app: App, ledger: Ledger, { items }: RecallResult, { style, columns }: Terminal): string {
  const width = Math.min(columns, maxColumns)
  return items
    .map(({ kind, session, text, label }) => {
      const [heading = '', ...lines] = text.split('\n')
      const about = kind === 'exchange' ? findSessions(ledger, session!).find(({ id }) => id === session) : undefined
      // A session with little in it has the title that is quoted below.
      const isQuoted = about?.title != null && lines.some((line) => line.includes(about.title!))
      const named = [about?.projectName, isQuoted ? null : about?.title].filter((part) => part)
      const title = about?.title ? oneLine(named.join(': ')) : ''
      const resume = kind === 'exchange' ? resumeCommand(app.agents, session!) : undefined
      return [
        ...(label ? [style.dim(label), ''] : []),
        ...hanging(heading, width).map(style.bold),
        ...(title === '' ? [] : [style.dim(ellipsize(title, width))]),
        ...lines.flatMap((line) => hanging(line, width)),
        ...(resume ? [style.dim(`Resume: ${resume.join(' ')}`)] : []),
      ].join('\n')
    })
    .join('\n\n')
}

function hanging(line: string, columns: number): string[] {
  const indent = /^ */.exec(line)![0]
  const wrapped = wrapText(line.slice(indent.length), columns - indent.length - 2)
  return wrapped.map((part, index) => `${indent}${index === 0 ? '' : '  '}${part}`)
}

async function timed(work: () => Promise<RecallResult>): Promise<TimedAnswer> {
  const begun = uptimeMs()
  const answer = await work()
  return { ...answer, ms: Math.round((uptimeMs() - begun) * 10) / 10 }
}
