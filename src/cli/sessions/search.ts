import type { App } from '../../app.ts'
import { withImported } from '../../core/agent-names.ts'
import { uptimeMs } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { importedAgents } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { parseKinds, searchFilters } from '../../search/filters.ts'
import { isEmptyQuery, parseQuery, type Query } from '../../search/query.ts'
import { type SearchAnswer, search } from '../../search/search.ts'
import { queryTerms } from '../../search/snippet.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { unreadTranscripts } from '../../store/unread.ts'
import { nearest } from '../../text/nearest.ts'
import { questionsIn } from '../batch.ts'
import {
  agentOption,
  type CommandContext,
  countOption,
  examples,
  projectOption,
  sinceOption,
  withLedger,
} from '../command.ts'

import { sayUnread } from '../reports.ts'
import { searchText, withReferences } from './search-text.ts'

interface Options {
  json?: boolean
  agent?: string
  project?: string
  since?: string
  limit?: string
  in?: string
  batch?: string
}

const defaultLimit = 10

export function addSearch({ program, terminal, exit }: CommandContext): void {
  const command = program
    .command('search [words...]')
    .description('Search sessions, memories, commits, wiki and journal')
    .option('--agent <agent>', 'Only this agent')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--since <time>', 'Only since this time: 7d, 24h or a date')
    .option('--in <kinds>', 'Only these: memories, sessions, commits, wiki, journal')
    .option('--limit <n>', `Maximum number of results (default: ${defaultLimit})`)
    .option('--batch <file>', 'Read JSON lines {id, query, project?, limit?}; print one answer per line')
    .option('--json', 'Print JSON')
    .allowUnknownOption() // `-word` excludes a word
    .addHelpText(
      'after',
      examples(
        'recollect search why does the login test fail',
        'recollect search \'"database is locked"\'        # a phrase',
        'recollect search migration -flaky              # without the word "flaky"',
        'recollect search pnpm kind:memory project:app  # filters among the words',
        'recollect search src/app.ts --project my-app --since 30d --json',
      ),
    )
  command.action((words: string[], options: Options) =>
    withLedger(async (app, ledger) => {
      if (options.batch) return searchBatch(app, ledger, options, terminal.jsonLine)
      const query = queryOf(
        words,
        command.options.map((option) => option.long!),
      )
      const begun = uptimeMs()
      const limit = countOption(options.limit, 'limit') ?? defaultLimit
      if (options.json) {
        const found = await searchWith(app, ledger, query, options, { limit })
        const results = withReferences(found.results, app)
        if (results.length === 0) exit(1)
        const unread = unreadTranscripts(ledger)
        const ms = Math.round(uptimeMs() - begun)
        return terminal.json({ answered: found.answered, results, ms, ...(unread ? { unread } : {}) })
      }
      // Some are left out when they are grouped by session.
      const found = await searchWith(app, ledger, query, options, { limit: limit * 2, isDistinct: true })
      const results = withReferences(found.results, app)
      sayUnread(ledger, terminal)
      if (results.length === 0) {
        exit(1)
        return terminal.say('Nothing found. Try other words, or run "recollect sweep" to capture new sessions.')
      }
      if (!found.answered) terminal.print('No good match. The nearest:\n')
      const { style, columns } = terminal
      const nameOf = (project: string) => projectName(ledger, project)
      terminal.print(searchText(results, { query, app, nameOf, style, columns, limit }))
      terminal.say(`To read a passage with what is around it: ${ownCommand('show', results[0]!.ref)}`)
    }),
  )
}

async function searchWith(
  app: App,
  ledger: Ledger,
  query: Query,
  options: Options,
  { limit, isDistinct = false }: { limit: number; isDistinct?: boolean },
): Promise<SearchAnswer> {
  const context = {
    ledger,
    rules: app.config.projects,
    zone: app.zone,
    nowMs: app.clock.nowMs(),
    get agents() {
      return withImported(app.agents)
    },
  }
  const agent = agentOption(app, options.agent, importedAgents)
  const project = projectOption(app, ledger, options.project)
  const sinceMs = sinceOption(options.since, app)
  return search(ledger, query, {
    ...searchFilters(query, context),
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(options.in === undefined ? {} : { kinds: parseKinds(options.in.split(',')) }),
    vector: await questionVector(app, ledger, query.text),
    nowMs: context.nowMs,
    limit,
    isDistinct,
  })
}

async function searchBatch(app: App, ledger: Ledger, options: Options, answer: (line: object) => void): Promise<void> {
  const usual = countOption(options.limit, 'limit') ?? defaultLimit
  for await (const { id, query, project, limit = usual } of questionsIn(options.batch!)) {
    const begun = uptimeMs()
    const own = { ...options, ...(project === undefined ? {} : { project }) }
    const { results, answered } = await searchWith(app, ledger, parseQuery(query), own, { limit })
    answer({
      id,
      answered,
      results: withReferences(results, app),
      ms: Math.round((uptimeMs() - begun) * 10) / 10,
    })
  }
}

/** Rejects unknown options, which would be searched as words otherwise. */
function queryOf(words: string[], flags: string[]): Query {
  const unknown = words.find((word) => /^--[a-z][a-z-]*(?:=\S*)?$/i.test(word))?.split('=')[0]
  if (unknown !== undefined) {
    const suggestion = nearest(unknown, flags)
    const plain = `To search for it as a word, omit the dashes: recollect search ${unknown.slice(2)}`
    throw new UserError(`Unknown option ${unknown}`, suggestion ? `Did you mean ${suggestion}?` : plain)
  }
  const query = parseQuery(words.join(' '))
  if (isEmptyQuery(query) || queryTerms(query).size === 0)
    throw new UserError('Missing words to search for', 'For example: recollect search why does the login test fail')
  return query
}
