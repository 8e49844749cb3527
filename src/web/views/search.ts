// Search over everything, as you type, with the engine of the command line. Results are grouped by
// session.
import { withImported } from '../../core/agent-names.ts'
import { importedAgents, resumeCommand, shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { escapeHtml, type Html, html, trustedHtml } from '../../html/html.ts'
import { validityMarks } from '../../memory/age.ts'
import { attributionText } from '../../memory/attribution.ts'
import { parseKinds, searchFilters } from '../../search/filters.ts'
import { isEmptyQuery, parseQuery, type Query } from '../../search/query.ts'
import { type SearchAnswer, type SearchResult, search } from '../../search/search.ts'
import { markMatches } from '../../search/snippet.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import { projectNames, projectsByName } from '../../store/sessions/projects.ts'
import { agentDot, selectOf } from '../components.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'
import { urlOfSession } from '../request.ts'

export const searchRoutes: PageRoute[] = [{ method: 'GET', path: '/search', handle: searchView }]

const limit = 40

async function searchView(request: PageRequest): Promise<PageResult> {
  const words = (request.query.get('q') ?? '').slice(0, 2000)
  const query = parseQuery(words)
  const begun = performance.now()
  const found = isEmptyQuery(query) ? undefined : await searchWith(request, query)
  const ms = Math.round(performance.now() - begun)
  const main = html`<div class="head"><h1>Search</h1></div>
${searchForm(request, words)}
<div id="results" aria-live="polite">${found ? results(request, query, found, ms) : hints}</div>`
  return { kind: 'page', title: words === '' ? 'Search' : `${words.slice(0, 60)}: search`, section: 'search', main }
}

const kinds = ['memories', 'sessions', 'commits', 'wiki', 'journal'] as const

const hints = html`<p class="empty">Sessions, memories, commits, journal and wiki. <code>"exact words"</code>, <code>-without</code>, <code>project:name</code>, <code>agent:codex</code>, <code>since:7d</code> and <code>kind:memory</code> work as on the command line.</p>`

async function searchWith({ app, ledger, query: address }: PageRequest, query: Query): Promise<SearchAnswer> {
  const nowMs = app.clock.nowMs()
  const agents = withImported(app.agents)
  const value = (name: string) => address.get(name) || undefined
  const [agent, project, kind] = ['agent', 'project', 'kind'].map(value)
  return search(ledger, query, {
    ...searchFilters(query, { ledger, rules: app.config.projects, agents, zone: app.zone, nowMs }),
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(kind === undefined ? {} : { kinds: parseKinds([kind]) }),
    vector: await questionVector(app, ledger, query.text),
    nowMs,
    limit,
    isDistinct: true,
  })
}

function searchForm({ app, ledger, activity, query }: PageRequest, words: string): Html {
  const used = activity.agents(ledger)
  const agents = [...app.agents.map(({ id }) => id), ...importedAgents].filter((id) => used.has(id))
  const projects = projectsByName(ledger)
  return html`<form class="filters" method="get" action="/search" role="search" hx-get="/search" hx-trigger="submit, change, input changed delay:200ms from:find input[type=search]" hx-target="#results" hx-select="#results" hx-swap="outerHTML" hx-replace-url="true" hx-sync="this:replace">
<label class="grow">Words<input type="search" name="q" value="${words}" autocomplete="off" spellcheck="false" autofocus data-key="/"></label>
${selectOf('kind', 'Kind', kinds, query)}${selectOf('agent', 'Agent', agents, query)}${selectOf('project', 'Project', projects, query)}
<button>Search</button></form>`
}

/** Limit of passages of one session; the rest repeats it. */
const maxPerSession = 3

function results(request: PageRequest, query: Query, { results: all, answered }: SearchAnswer, ms: number): Html {
  if (all.length === 0) return html`<p class="empty">Nothing found. Try other words or fewer filters.</p>`
  const groups = [...Map.groupBy(all, (result) => groupKey(result)).values()]
  const names = projectNames(request.ledger)
  const count = `${plural(all.length, 'result')} in ${plural(groups.length, 'group')}, ${ms} ms`
  return html`${!answered && html`<p class="notice notice-warn">No good match. The nearest:</p>`}
<p class="quiet small">${count}</p>
<ul class="rows">${groups.map((group) => groupItem(request, query, group, names))}</ul>`
}

function groupKey({ kind, session, id }: SearchResult): string {
  return (kind === 'exchange' || kind === 'digest') && session !== null ? session : id
}

function groupItem(
  request: PageRequest,
  query: Query,
  group: readonly SearchResult[],
  names: ReadonlyMap<string, string>,
): Html {
  const first = group[0]!
  const name = first.project === null ? undefined : names.get(first.project)
  const agent = first.kind === 'memory' ? undefined : first.session?.slice(0, first.session.indexOf(':'))
  const resume =
    first.kind === 'exchange' && first.session ? resumeCommand(request.app.agents, first.session) : undefined
  const title = first.title ?? (first.kind === 'memory' ? 'Memory' : (first.session ?? first.id))
  return html`<li data-row><a class="title" href="${urlOfResult(first)}">${title}</a>
<div class="meta"><span class="chip">${labelOf(first)}</span>${agent !== undefined && agentDot(request, agent)}${name !== undefined && html`<span>${name}</span>`}${first.ts !== null && html`<span>${request.app.zone.minute(first.ts)}</span>`}${first.session !== null && first.kind !== 'memory' && html`<code>${shortId(first.session)}</code>`}${resume !== undefined && html`<button type="button" class="ghost" data-copy="${resume.join(' ')}">Copy resume command</button>`}</div>
${group.slice(0, maxPerSession).map((result) => passage(request, query, result))}</li>
`
}

function labelOf({ kind, tier }: SearchResult): string {
  if (kind === 'exchange' || kind === 'digest') return 'session'
  return kind === 'memory' ? (tier ?? 'memory') : kind
}

function passage({ app }: PageRequest, query: Query, result: SearchResult): Html {
  const speaker = result.role
    ? { user: 'you', assistant: 'agent', tool: 'tool output', system: 'agent' }[result.role]
    : ''
  const memory =
    result.kind === 'memory'
      ? [
          attributionText({ trust: result.trust!, space: result.space ?? null, author: result.author ?? null }),
          ...(result.ts
            ? validityMarks({ confirmedAt: result.ts, doubt: result.doubt ?? null }, app.clock.nowMs())
            : []),
          result.supersededBy ? `superseded by ${result.supersededBy}` : '',
        ]
      : [speaker]
  const about = [...memory, `matches ${result.why.join(', ')}`].filter(Boolean).join('; ')
  return html`<p>${result.seq !== null && html`<a href="${urlOfResult(result)}">#${result.seq}</a> `}<span class="small quiet">${about}</span><br>${marked(result.snippet, query)}</p>`
}

/** The matches are painted between characters that no text contains, and then replaced by tags. */
function marked(text: string, query: Query): Html {
  const painted = markMatches(text.replace(/[\ue000\ue001]/g, ''), query, (match) => `\ue000${match}\ue001`)
  return trustedHtml(escapeHtml(painted).replaceAll('\ue000', '<mark>').replaceAll('\ue001', '</mark>'))
}

function urlOfResult({ kind, id, session, seq, commit }: SearchResult): string {
  switch (kind) {
    case 'memory':
      return `/memories/${encodeURIComponent(id)}`
    case 'exchange':
    case 'digest':
      return urlOfSession(session ?? id, seq ?? undefined)
    case 'commit':
      return `/search?kind=sessions&q=${encodeURIComponent((commit ?? id).slice(0, 12))}`
    case 'article':
      return `/${id.split('/').map(encodeURIComponent).join('/')}`
    case 'journal':
      return `/${id}`
    default:
      return kind satisfies never
  }
}
