// The wiki: articles by project with a filter, questions, and one article with what is linked to it.
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { drawGraph, graphAround } from '../../html/graph.ts'
import { type Html, html, renderProse, trustedHtml } from '../../html/html.ts'
import { renderMarkdown, withoutTitle } from '../../html/markdown.ts'
import { modelsMayJudge } from '../../learn/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectNames } from '../../store/sessions/projects.ts'
import { type ListedArticle, listedArticles } from '../../store/wiki/article-list.ts'
import { unescapeMarkdown } from '../../text/markdown.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { articleKinds } from '../../wiki/article.ts'
import type { ArticleFile } from '../../wiki/article-file.ts'
import { readWikiPage } from '../../wiki/pages.ts'
import { pagerOf, postButton, selectOf } from '../components.ts'
import { NotFoundError, numberIn, type PageRequest, type PageResult, type PageRoute } from '../request.ts'
import { sessionMarks, urlOfArticle, vaultLinks } from '../vault-links.ts'
import { unreadArticles, wikiLinkGraph } from '../wiki-links.ts'

export const wikiRoutes: PageRoute[] = [
  { method: 'GET', path: '/wiki', handle: wikiIndex },
  { method: 'POST', path: '/wiki/ask', handle: saveAnswer },
  { method: 'GET', path: '/wiki/:path{.+}', handle: article },
]

const pageSize = 80

async function wikiIndex(request: PageRequest): Promise<PageResult> {
  const { ledger, query } = request
  const names = projectNames(ledger)
  const all = listedArticles(ledger)
  const found = all.filter(matcherOf(query, names))
  const ordered = byProject(found, names)
  const page = numberIn(query, 'page') ?? 0
  const shown = ordered.slice(page * pageSize, (page + 1) * pageSize)
  const groups = [...Map.groupBy(shown, ({ project }) => project)]
  const main = html`<div class="head"><h1>Wiki</h1><span class="quiet">${plural(all.length, 'article')}</span><a class="button ghost push" href="/wiki/lint">Check all articles</a></div>
${askForm(query)}${await answerPart(request)}
${all.length > 0 && filterForm(all, names, query)}
<div id="list">${
    ordered.length === 0
      ? emptyText(all.length)
      : groups.map(
          ([project, own]) =>
            html`<section><h2 class="day">${nameOf(project, names)}</h2><ul class="rows">${own.map(articleRow)}</ul></section>`,
        )
  }${pagerOf(request, page, Math.ceil(ordered.length / pageSize))}</div>`
  return { kind: 'page', title: 'Wiki', section: 'wiki', main }
}

function emptyText(articles: number): Html {
  return articles > 0
    ? html`<p class="empty">No article matches. <a href="/wiki">Remove the filter</a></p>`
    : html`<p class="empty">No articles yet: they are built from confirmed memories, at least two of a project. <a href="/inbox">Confirm memories</a></p>`
}

type ProjectNames = ReadonlyMap<string, string>

function nameOf(project: string | null, names: ProjectNames): string {
  return project === null ? 'Every project' : (names.get(project) ?? project)
}

function matcherOf(query: URLSearchParams, names: ProjectNames): (article: ListedArticle) => boolean {
  const words = (query.get('text') ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const [project, kind] = [query.get('project'), query.get('kind')]
  return (article) => {
    const text = [article.title, ...article.aliases, article.summary, nameOf(article.project, names)]
    const searched = text.join(' ').toLowerCase()
    return (
      (!project || article.project === project) &&
      (!kind || article.kind === kind) &&
      words.every((word) => searched.includes(word))
    )
  }
}

function byProject(articles: readonly ListedArticle[], names: ProjectNames): ListedArticle[] {
  const groups = [...Map.groupBy(articles, ({ project }) => project)]
  return groups.sort(([a], [b]) => nameOf(a, names).localeCompare(nameOf(b, names), 'en')).flatMap(([, own]) => own)
}

function articleRow({ path, kind, title, summary, updated }: ListedArticle): Html {
  return html`<li data-row><div class="split"><span class="row"><a class="title" href="${urlOfArticle(path)}">${title}</a>${kind !== 'concept' && html`<span class="chip">${kind}</span>`}</span><span class="num quiet small">${updated}</span></div>${summary !== '' && html`<p class="about">${renderProse(unescapeMarkdown(summary))}</p>`}</li>
`
}

function filterForm(articles: readonly ListedArticle[], names: ProjectNames, query: URLSearchParams): Html {
  const projects = [...new Set(articles.flatMap(({ project }) => project ?? []))]
    .map((key) => [key, nameOf(key, names)] as const)
    .sort((a, b) => a[1].localeCompare(b[1], 'en'))
  return html`<form class="filters" method="get" action="/wiki" hx-get="/wiki" hx-trigger="change, input changed delay:250ms from:find input[type=search]" hx-target="#list" hx-select="#list" hx-swap="outerHTML" hx-push-url="true">
<label class="grow">Filter<input type="search" name="text" value="${query.get('text') ?? ''}" data-key="/" autocomplete="off"></label>
${selectOf('project', 'Project', projects, query)}
${selectOf('kind', 'Kind', articleKinds, query)}
<button>Filter</button> <a class="button ghost" href="/wiki">Reset</a>
</form>`
}

function askForm(query: URLSearchParams): Html {
  return html`<form class="filters" method="get" action="/wiki"><label class="grow">Ask the wiki and the sessions<input type="text" name="ask" value="${query.get('ask') ?? ''}" placeholder="Why do we not retry uploads?" autocomplete="off" data-key="q"></label><button class="primary">Ask</button></form>`
}

/** From what was said, without a model: opening a link must not cost anything. */
async function answerPart(request: PageRequest): Promise<Html | undefined> {
  const { ledger, app, query } = request
  const question = query.get('ask')?.trim() ?? ''
  if (question === '') return undefined
  const { askWiki } = await import('../../wiki/ask/ask.ts')
  const { clock, zone } = app
  const { answer, known, sessions } = await askWiki({ ledger, clock, zone }, question)
  const isModelAsked = modelsMayJudge(app) && app.context(ledger).isModelAllowed()
  const label = isModelAsked ? 'Have a model answer, and save it' : 'Save as an article'
  return html`<section class="panel answer" aria-label="Answer"><h2>${question}</h2>
<div class="prose">${rendered(request, answer)}</div>
${known ? html`<div class="actions">${postButton(request, { action: '/wiki/ask', label, fields: { question } })}<span class="quiet small">${plural(sessions.length, 'session')} cited</span></div>` : html`<div class="actions"><a class="button" href="/search?q=${encodeURIComponent(question)}">Search the sessions</a></div>`}</section>`
}

/** As `recollect wiki ask --file-back` does it. */
async function saveAnswer({ ledger, app, form }: PageRequest): Promise<PageResult> {
  const question = form.get('question')?.trim() ?? ''
  if (question === '') throw new UserError('There is no question', 'Write one, and ask again.')
  const [{ askWiki }, { fileAnswer }] = await Promise.all([
    import('../../wiki/ask/ask.ts'),
    import('../../wiki/ask/article.ts'),
  ])
  const { clock, zone, machine } = app
  const ask = modelsMayJudge(app) ? { ask: app.context(ledger).ask } : {}
  const context = { ledger, clock, zone, machine, ...ask }
  const answer = await askWiki(context, question, { fileBack: true })
  if (!answer.article) return { kind: 'redirect', to: `/wiki?ask=${encodeURIComponent(question)}` }
  const filed = await fileAnswer(context, answer.article)
  if (filed.kind === 'busy') throw new UserError('The wiki is being built', 'Try again when that is done.')
  return { kind: 'redirect', to: urlOfArticle(filed.path) }
}

function rendered({ ledger, app }: PageRequest, markdown: string): Html {
  return trustedHtml(renderMarkdown(markdown, vaultLinks(ledger), sessionMarks(app.agents)))
}

async function article(request: PageRequest): Promise<PageResult> {
  const { ledger, params, query, app } = request
  const path = `wiki/${params.path!.replace(/\.md$/, '')}`
  const page = await readWikiPage(app.layout, path)
  if (!page) throw new NotFoundError(`There is no article ${params.path}`, 'It may have been renamed: see the list.')
  if (request.isFragment && query.get('part') === 'links')
    return { kind: 'fragment', html: html`${linkedPages(ledger, path)}` }
  const title = page.head.title ?? /^# +(.+)/m.exec(page.body)?.[1] ?? path.slice(path.lastIndexOf('/') + 1)
  const main = html`<nav class="crumbs" aria-label="Path">${crumbs(request, page)}</nav><div class="head"><h1>${title}</h1></div>
${page.problem !== null && html`<p class="notice notice-warn">The head of the file cannot be read: ${page.problem}</p>`}
<div class="reader"><div><article class="prose article">${articleBody(request, page)}</article>
${canWait(request) ? linkedPages(ledger, path) : deferredLinks(path)}</div>
<aside class="reader-side is-last panel stack" aria-label="About the article">${aboutArticle(request, path, page)}</aside></div>`
  return { kind: 'page', title, section: 'wiki', main }
}

function crumbs({ ledger }: PageRequest, { head }: ArticleFile): Html {
  const project = head.project ?? undefined
  return html`<a href="/wiki">Wiki</a>${project !== undefined && html` / <a href="/wiki?project=${encodeURIComponent(project)}">${nameOf(project, projectNames(ledger))}</a>`}`
}

/** In characters of Markdown: what people write may be long. */
const maxLength = 45_000

function articleBody(request: PageRequest, { body }: ArticleFile): Html {
  const text = withoutTitle(body)
  return html`${rendered(request, text.slice(0, maxLength))}${text.length > maxLength && html`<p class="notice">The file is longer than what is shown.</p>`}`
}

/** Reading more files than this takes longer than a view may take. */
const maxUnread = 300

function canWait({ ledger, query }: PageRequest): boolean {
  return query.get('part') === 'links' || unreadArticles(ledger) <= maxUnread
}

function deferredLinks(path: string): Html {
  const url = `${urlOfArticle(path)}?part=links`
  return html`<section class="linked" hx-get="${url}" hx-trigger="load" hx-swap="outerHTML"><a href="${url}">Show linked pages</a></section>`
}

function linkedPages(ledger: Ledger, path: string): Html | undefined {
  const graph = wikiLinkGraph(ledger)
  const backlinks = graph.backlinks.get(path) ?? []
  const titles = new Map(listedArticles(ledger).map((each) => [each.path, each]))
  const drawn = drawGraph(
    graphAround(path, graph, (one) => ({
      label: titles.get(one)?.title ?? one,
      kind: titles.get(one)?.kind ?? 'concept',
      url: urlOfArticle(one),
    })),
    'Pages that are linked with this one',
    14,
  )
  if (backlinks.length === 0 && !drawn) return undefined
  return html`<section class="linked stack">${backlinks.length > 0 && html`<div><h2>Linked from</h2><ul class="rows">${backlinks.slice(0, maxBacklinks).map((one) => html`<li><a href="${urlOfArticle(one)}">${titles.get(one)?.title ?? one}</a>${summaryOf(titles.get(one))}</li>`)}</ul>${backlinks.length > maxBacklinks && html`<p class="quiet">${backlinks.length - maxBacklinks} more</p>`}</div>`}${drawn}</section>`
}

const maxBacklinks = 50

function summaryOf(article: ListedArticle | undefined): Html | undefined {
  if (!article || article.summary === '') return undefined
  return html`<p class="about">${truncate(oneLine(unescapeMarkdown(article.summary)), 160)}</p>`
}

function aboutArticle({ ledger, app }: PageRequest, path: string, { head }: ArticleFile): Html {
  const row = listedArticles(ledger).find((each) => each.path === path)
  const facts: [string, string | undefined][] = [
    ['Kind', row?.kind],
    ['Question', head.question ?? undefined],
    ['Updated', head.updated],
    ['Created', head.created],
    ['Also', (head.aliases ?? []).join(', ')],
    ['Tags', (head.tags ?? []).map((tag) => `#${tag}`).join(' ')],
  ]
  const file = join(app.layout.vault, `${path}.md`)
  const name = path.replace(/^wiki\//, '')
  const check = `/wiki/lint?page=${encodeURIComponent(name)}`
  return html`<dl class="facts">${facts.map(([label, value]) => value && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
${sourceList(ledger, app.agents, head.sources ?? [])}
<details hx-get="${check}" hx-trigger="toggle once" hx-target="find .children"><summary>Check this page</summary><div class="children"><a href="${check}">Findings</a></div></details>
<p class="quiet">${path}.md <button type="button" class="ghost" data-copy="${file}">Copy path</button></p>`
}

const maxSources = 40

function sourceList(
  ledger: Ledger,
  agents: PageRequest['app']['agents'],
  sources: readonly string[],
): Html | undefined {
  if (sources.length === 0) return undefined
  const [resolve, marks] = [vaultLinks(ledger), sessionMarks(agents)]
  const items = sources.slice(0, maxSources).map((source) => {
    const url = resolve(source) ?? marks(source)
    const label = source.replace(/^(?:journal|wiki)\//, '')
    return html`<li>${url === undefined ? label : html`<a href="${url}">${label}</a>`}</li>`
  })
  const rest = sources.length - maxSources
  return html`<div><h2>Sources</h2><ul class="plain-list sources">${items}${rest > 0 && html`<li class="quiet">${rest} more</li>`}</ul></div>`
}
