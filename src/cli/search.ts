import { UserError } from '../core/errors.ts'
import { nearest } from '../core/nearest.ts'
import { shortId } from '../core/session.ts'
import type { Zone } from '../core/units.ts'
import { isEmptyQuery, parseQuery, type Query } from '../recall/query.ts'
import { type SearchResult, search } from '../recall/search.ts'
import { markMatches } from '../recall/snippet.ts'
import { agentOption, countOption, type Door, examples, projectOption, sinceOption, withLedger } from './command.ts'
import { type Style, withoutControls } from './terminal.ts'

interface Options {
  json?: boolean
  agent?: string
  project?: string
  since?: string
  limit?: string
}

export function addSearch({ program, terminal, exit }: Door): void {
  const command = program
    .command('search <words...>')
    .description('find what was asked, answered, run, touched and what went wrong, in every session')
    .option('--agent <agent>', 'only this agent')
    .option('--project <project>', 'only this project: its name, its identity or a folder in it')
    .option('--since <time>', 'only since then: 7d, 24h or a date')
    .option('--limit <n>', 'how many (default: 10)')
    .option('--json', 'as JSON')
    .allowUnknownOption() // `-word` says what must not be there
    .addHelpText(
      'after',
      examples(
        'recollect search why does the login test fail',
        'recollect search migration \'"database is locked"\' -flaky   a phrase; without a word',
        'recollect search src/app.ts --project my-app --since 30d --json',
      ),
    )
  command.action((words: string[], options: Options) => {
    const query = queryOf(
      words,
      command.options.map((option) => option.long!),
    )
    return withLedger((app, ledger) => {
      const begun = performance.now()
      const results = search(ledger, query, {
        agent: agentOption(app, options.agent),
        project: projectOption(app, ledger, options.project),
        sinceMs: sinceOption(options.since, app),
        limit: countOption(options.limit, 'limit') ?? 10,
      })
      if (results.length === 0) exit(1)
      if (options.json) return terminal.json({ results, ms: Math.round(performance.now() - begun) })
      if (results.length === 0)
        return terminal.say(
          'Nothing found. Try other words, or "recollect sweep" for what is newer than the last sweep.',
        )
      terminal.print(results.map((result) => resultText(result, query, app.zone, terminal.style)).join('\n\n'))
    })
  })
}

/** A mistyped flag must not become a word that nobody finds. */
function queryOf(words: string[], flags: string[]): Query {
  const unknown = words.find((word) => /^--[a-z][a-z-]*(?:=\S*)?$/i.test(word))?.split('=')[0]
  if (unknown !== undefined) {
    const suggestion = nearest(unknown, flags)
    const plain = `To look for it, leave the dashes out: recollect search ${unknown.slice(2)}`
    throw new UserError(`Unknown option ${unknown}`, suggestion ? `Did you mean ${suggestion}?` : plain)
  }
  const query = parseQuery(words.join(' '))
  if (isEmptyQuery(query))
    throw new UserError('There is no word to look for', 'For example: recollect search why does the login test fail')
  return query
}

function resultText(
  { session, project, title, role, ts, snippet }: SearchResult,
  query: Query,
  zone: Zone,
  style: Style,
) {
  const agent = session.slice(0, session.indexOf(':'))
  const said = role ? { user: 'you', assistant: 'agent', tool: 'tool output', system: 'agent' }[role] : 'digest'
  const head = [ts ? zone.minute(ts) : '', agent, project?.split(/[\\/]/).at(-1) ?? '', said, shortId(session)]
  const lines = [style.dim(head.filter(Boolean).join('  '))]
  if (title && !snippet.startsWith(title)) lines.push(style.dim(withoutControls(title)))
  lines.push(markMatches(withoutControls(snippet), query, (match) => style.bold(style.yellow(match))))
  return lines.join('\n  ')
}
