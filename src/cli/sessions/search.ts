import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { ageText } from '../../memory/age.ts'
import { attributionText } from '../../memory/attribution.ts'
import { parseKinds, searchFilters } from '../../search/filters.ts'
import { isEmptyQuery, parseQuery, type Query } from '../../search/query.ts'
import { type SearchResult, search } from '../../search/search.ts'
import { markMatches, queryTerms } from '../../search/snippet.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectName } from '../../store/sessions/projects.ts'
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
import type { Style } from '../terminal.ts'

interface Options {
  json?: boolean
  agent?: string
  project?: string
  since?: string
  limit?: string
  in?: string
  batch?: string
}

export function addSearch({ program, terminal, exit }: CommandContext): void {
  const command = program
    .command('search [words...]')
    .description('Search sessions, memories, commits, wiki and journal')
    .option('--agent <agent>', 'Only this agent')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--since <time>', 'Only since this time: 7d, 24h or a date')
    .option('--in <kinds>', 'Only these: memories, sessions, commits, wiki, journal')
    .option('--limit <n>', 'Maximum number of results (default: 10)')
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
      const begun = performance.now()
      const results = await searchWith(app, ledger, query, options, !options.json)
      if (results.length === 0) exit(1)
      if (options.json) return terminal.json({ results, ms: Math.round(performance.now() - begun) })
      if (results.length === 0)
        return terminal.say('Nothing found. Try other words, or run "recollect sweep" to capture new sessions.')
      terminal.print(results.map((result) => resultText(result, query, { app, ledger }, terminal.style)).join('\n\n'))
    }),
  )
}

async function searchWith(
  app: App,
  ledger: Ledger,
  query: Query,
  options: Options,
  isDistinct: boolean,
): Promise<SearchResult[]> {
  const context = {
    ledger,
    rules: app.config.projects,
    zone: app.zone,
    nowMs: app.clock.nowMs(),
    get agents() {
      return app.agents.map(({ id }) => id)
    },
  }
  const agent = agentOption(app, options.agent)
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
    limit: countOption(options.limit, 'limit') ?? 10,
    isDistinct,
  })
}

async function searchBatch(app: App, ledger: Ledger, options: Options, answer: (line: object) => void): Promise<void> {
  for await (const { id, query, project, limit } of questionsIn(options.batch!)) {
    const begun = performance.now()
    const own = {
      ...options,
      ...(project === undefined ? {} : { project }),
      ...(limit === undefined ? {} : { limit: String(limit) }),
    }
    const results = await searchWith(app, ledger, parseQuery(query), own, false)
    answer({ id, results, ms: Math.round((performance.now() - begun) * 10) / 10 })
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

function resultText(
  result: SearchResult,
  query: Query,
  { app: { zone, clock }, ledger }: { app: App; ledger: Ledger },
  style: Style,
) {
  const { kind, session, project, title, ts, snippet } = result
  const place = project ? projectName(ledger, project) : kind === 'memory' ? 'everywhere' : ''
  const head = [ts ? zone.minute(ts) : '', ...sourceOf(result), place, speakerText(result, clock.nowMs())]
  const lines = [style.dim(head.filter(Boolean).join('  '))]
  if (title && session && !snippet.startsWith(title)) lines.push(style.dim(title))
  if (title && (kind === 'commit' || kind === 'article')) lines.push(title)
  lines.push(markMatches(snippet, query, (match) => style.bold(style.yellow(match))))
  return lines.join('\n  ')
}

/** Kind or agent, and the id that `recollect show` takes. */
function sourceOf({ kind, id, session, commit, tier }: SearchResult): string[] {
  if (kind === 'memory') return [tier!, id]
  if (kind === 'commit') return ['commit', commit!.slice(0, 12)]
  if (session === null) return [kind, id]
  return [session!.slice(0, session!.indexOf(':')), shortId(session!)]
}

function speakerText(result: SearchResult, nowMs: number): string {
  const { kind, role, tier, trust, supersededBy, space, author, ts, doubt } = result
  if (kind === 'memory')
    return [
      tier === 'candidate' ? 'not confirmed' : '',
      attributionText({ trust: trust!, space: space ?? null, author: author ?? null }),
      ts ? ageText(ts, nowMs) : '',
      supersededBy ? `superseded by ${supersededBy}` : '',
      doubt ? `doubtful: ${doubt}` : '',
    ]
      .filter(Boolean)
      .join(', ')
  if (kind === 'commit' || kind === 'article' || kind === 'journal') return ''
  return role ? { user: 'you', assistant: 'agent', tool: 'tool output', system: 'agent' }[role] : 'digest'
}
