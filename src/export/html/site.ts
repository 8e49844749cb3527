// The exported site: an index, a page for each article and each day, and a page of memories for
// each project.
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { drawGraph, edgesAmong, type Graph, graphAround } from '../../html/graph.ts'
import { type Html, html, joinHtml, renderProse, trustedHtml } from '../../html/html.ts'
import { renderMarkdown, withoutTitle } from '../../html/markdown.ts'
import type { JournalDay } from '../../journal/read-day.ts'
import { againstText, attributionText, becauseText } from '../../memory/attribution.ts'
import type { Memory } from '../../memory/memory.ts'
import type { ExportData, ExportedArticle, ExportedFile } from '../export-data.ts'
import { relativeUrl } from '../markdown.ts'
import { searchScript } from './assets.ts'
import { indexFile, renderPage, type SitePage } from './page.ts'
import { fileOfArticle, fileOfDay, fileOfMemories, fileOfSession, projectName, type Site, siteOf } from './site-data.ts'

export function siteFiles(data: ExportData): ExportedFile[] {
  const site = siteOf(data)
  const projects = Map.groupBy(data.memories, ({ project }) => project)
  const pages = [
    indexPage(site),
    ...data.articles.map((article) => articlePage(site, article)),
    ...data.days.map((day, at) =>
      dayPage(site, day, { before: data.days[at - 1]?.day, after: data.days[at + 1]?.day }),
    ),
    ...[...projects].map(([project, memories]) => memoriesPage(site, project, memories)),
    ...[...data.sessionPages].map(([id, { title, main }]) => ({ file: fileOfSession(id), title, main })),
  ]
  return pages.map((page) => ({ path: page.file, content: renderPage(page) }))
}

function indexPage(site: Site): SitePage {
  const { articles, days, memories } = site.data
  const counts = [
    plural(articles.length, 'article'),
    plural(memories.length, 'memory', 'memories'),
    `${plural(days.length, 'day')} of the journal`,
  ]
  const main = html`<h1>Wiki</h1>
<p class="facts">${counts.join(' · ')}</p>
${searchForm}
${articleLists(site)}
${drawGraph(mostLinked(site), 'How the articles are linked; larger ones have more links', 16)}
${memoryList(site)}
${dayLists(site.data)}
${sessionList(site.data)}`
  return { file: indexFile, title: 'Wiki', main, script: searchScript }
}

/** Hidden until the script runs: the search needs it. */
const searchForm = html`<div class="find" role="search" hidden><label for="find">Find an article, a project or a day</label><input id="find" type="search" autocomplete="off" spellcheck="false"><p id="found" role="status"></p></div>`

function articleLists(site: Site): Html[] {
  const projects = Map.groupBy(site.data.articles, ({ head }) => head.project ?? null)
  if (projects.size === 0) return [html`<p>There are no articles yet.</p>`]
  return [...projects]
    .map(([project, articles]) => ({ name: projectName(site, project), articles }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, articles }) => {
      const ordered = articles.toSorted((a, b) => a.title.localeCompare(b.title, 'en'))
      const items = ordered.map((article) => articleItem(article, name))
      return html`<section class="group"><h2>${name}</h2>\n<ul class="list">${items}</ul></section>\n`
    })
}

function articleItem({ path, title, summary, kind, head }: ExportedArticle, project: string): Html {
  const terms = [title, ...(head.aliases ?? []), ...(head.tags ?? []), summary, project, kind].join(' ').toLowerCase()
  const mark = kind !== 'concept' && html` <span class="kind ${kind}">${kind}</span>`
  const about = summary !== '' && html`<span class="about">${renderProse(summary)}</span>`
  return html`<li data-find="${terms}"><a href="${relativeUrl(indexFile, fileOfArticle(path))}">${title}</a>${mark}${about}</li>\n`
}

function memoryList(site: Site): Html | undefined {
  const projects = Map.groupBy(site.data.memories, ({ project }) => project)
  if (projects.size === 0) return undefined
  const items = [...projects]
    .map(([project, some]) => ({ project, name: projectName(site, project), count: some.length }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ project, name, count }) => {
      const terms = `${name} memories`.toLowerCase()
      return html`<li data-find="${terms}"><a href="${relativeUrl(indexFile, fileOfMemories(project))}">${name}</a><span class="about">${plural(count, 'memory', 'memories')}</span></li>\n`
    })
  return html`<section class="group" id="memories"><h2>Memories</h2>\n<ul class="list">${items}</ul></section>`
}

/** The latest month is open. */
function dayLists({ days }: ExportData): Html | undefined {
  if (days.length === 0) return undefined
  const months = [...Map.groupBy(days.toReversed(), ({ day }) => day.slice(0, 7))]
  const lists = months.map(([month, some], at) => {
    const items = some.map(({ day, entries }) => {
      const terms = [day, ...entries.map(({ title }) => title)].join(' ').toLowerCase()
      return html`<li data-find="${terms}"><a href="${relativeUrl(indexFile, fileOfDay(day))}">${day}</a></li>\n`
    })
    return html`<details${at === 0 && ' open'}><summary>${month}, ${plural(some.length, 'day')}</summary>\n<ul class="days">${items}</ul></details>\n`
  })
  return html`<section class="group" id="journal"><h2>Journal</h2>\n${lists}</section>`
}

function sessionList({ sessionPages }: ExportData): Html | undefined {
  if (sessionPages.size === 0) return undefined
  const items = [...sessionPages].map(([id, { title, about }]) => {
    const terms = `${title} ${about}`.toLowerCase()
    return html`<li data-find="${terms}"><a href="${relativeUrl(indexFile, fileOfSession(id))}">${title}</a><span class="about">${about}</span></li>\n`
  })
  return html`<section class="group" id="sessions"><h2>Sessions</h2>\n<ul class="list">${items}</ul></section>`
}

/** Larger graphs are unreadable. */
const maxNodes = 60

/** The articles with the most links, and the links between them. */
function mostLinked({ data, links, titles }: Site): Graph {
  const degree = (path: string) => (links.outgoing.get(path)?.length ?? 0) + (links.backlinks.get(path)?.length ?? 0)
  const paths = data.articles
    .map(({ path }) => path)
    .filter((path) => degree(path) > 0)
    .sort((a, b) => degree(b) - degree(a) || (a < b ? -1 : 1))
    .slice(0, maxNodes)
  return {
    nodes: paths.map((path) => ({
      id: path,
      label: titles.get(path)?.title ?? path,
      kind: titles.get(path)?.kind ?? 'concept',
      url: relativeUrl(indexFile, fileOfArticle(path)),
    })),
    edges: edgesAmong(paths, links.outgoing),
  }
}

function articlePage(site: Site, article: ExportedArticle): SitePage {
  const { path, title, body } = article
  const file = fileOfArticle(path)
  const main = html`<h1>${title}</h1>
${articleFacts(site, article, file)}
${trustedHtml(renderMarkdown(withoutTitle(body), site.links.resolveFrom(file)))}
${backlinkList(site, file, path, 'Linked from')}
${drawGraph(neighbourhood(site, path, file), 'Pages that are linked with this one', 14)}`
  return { file, title, main }
}

function articleFacts(site: Site, { kind, head, problem }: ExportedArticle, file: string): Html {
  const project = head.project ?? null
  const name = projectName(site, project)
  const facts = [
    html`<span class="kind ${kind}">${kind}</span>`,
    site.projects.has(project) ? html`<a href="${relativeUrl(file, fileOfMemories(project))}">${name}</a>` : name,
    head.updated && `updated ${head.updated}`,
    (head.aliases ?? []).length > 0 && `also: ${head.aliases!.join(', ')}`,
    (head.tags ?? []).map((tag) => `#${tag}`).join(' '),
    problem && html`<span class="mark">${problem}</span>`,
  ]
  return html`<p class="facts">${joinHtml(facts, ' · ')}</p>`
}

/** Articles that link to a page. */
function backlinkList(site: Site, from: string, path: string, heading: string): Html | undefined {
  const found = site.links.backlinks.get(path) ?? []
  if (found.length === 0) return undefined
  const items = found.map((one) => {
    const title = site.titles.get(one)?.title ?? one
    return html`<li><a href="${relativeUrl(from, fileOfArticle(one))}">${title}</a></li>\n`
  })
  return html`<section aria-labelledby="linked"><h2 id="linked">${heading}</h2><ul>${items}</ul></section>`
}

function neighbourhood(site: Site, path: string, file: string): Graph {
  return graphAround(path, site.links, (one) => ({
    label: site.titles.get(one)?.title ?? one,
    kind: site.titles.get(one)?.kind ?? 'concept',
    url: relativeUrl(file, fileOfArticle(one)),
  }))
}

function dayPage(
  site: Site,
  { day, text }: JournalDay,
  { before, after }: { before: string | undefined; after: string | undefined },
): SitePage {
  const file = fileOfDay(day)
  const title = /^# +(.+)/.exec(text)?.[1] ?? day
  const linkTo = (other: string | undefined, label: string) =>
    other !== undefined && html`<a href="${relativeUrl(file, fileOfDay(other))}">${label} ${other}</a>`
  const links = [linkTo(before, 'Before:'), linkTo(after, 'After:')].filter((link) => link !== false)
  const main = html`<h1>${title}</h1>
${links.length > 0 && html`<p class="facts">${joinHtml(links, ' · ')}</p>`}
${trustedHtml(renderMarkdown(withoutTitle(text), site.links.resolveFrom(file)))}
${backlinkList(site, file, `journal/${day}`, 'Articles from this day')}`
  return { file, title, main }
}

function memoriesPage(site: Site, project: string | null, memories: readonly Memory[]): SitePage {
  const file = fileOfMemories(project)
  const title = `${projectName(site, project)}: memories`
  const current = memories.filter(({ state, supersededBy }) => state === 'kept' && supersededBy === null)
  const inInbox = memories.filter(({ state }) => state === 'inbox')
  const former = memories.filter(({ state, supersededBy }) => state === 'kept' && supersededBy !== null)
  const kinds = [...Map.groupBy(current, ({ kind }) => kind)]
  const list = (some: readonly Memory[]) => some.map((memory) => memoryItem(site, file, memory))
  const formerCount = plural(former.length, 'superseded memory', 'superseded memories')
  const main = html`<h1>${title}</h1>
<p class="facts">${plural(current.length, 'memory', 'memories')}, each with its author and source.</p>
${kinds.map(([kind, some]) => html`<h2>${headings[kind]}</h2>\n${list(some)}`)}
${inInbox.length > 0 && html`<h2>Waiting for a decision</h2>\n${list(inInbox)}`}
${former.length > 0 && html`<h2>Former</h2>\n<details><summary>${formerCount}</summary>\n${list(former)}</details>`}`
  return { file, title, main }
}

const headings: Readonly<Record<Memory['kind'], string>> = {
  correction: 'Corrections',
  preference: 'Preferences',
  decision: 'Decisions',
  fact: 'Facts',
  debugging: 'Causes that were found',
  workaround: 'Workarounds',
  operational: 'How things are run',
}

function memoryItem(site: Site, file: string, memory: Memory): Html {
  const { id, text, why, apply, doubt } = memory
  return html`<div class="memory" id="${id}"><p>${renderProse(text)}</p>
${why && !text.includes(why) && html`<p><strong>Why:</strong> ${renderProse(why)}</p>`}
${apply && html`<p><strong>How to apply:</strong> ${renderProse(apply)}</p>`}
${doubt && html`<p class="mark">Doubtful: ${renderProse(doubt)}</p>`}
<p class="facts">${joinHtml(memoryFacts(site, file, memory), ' · ')}</p></div>
`
}

const maxSessions = 3

function memoryFacts(site: Site, file: string, memory: Memory): (Html | string | false)[] {
  const { id, status, confirmedAt, supersededBy, supersededAt, evidence, project } = memory
  const sessions = [...new Set(evidence.flatMap(({ session }) => session ?? []))]
  const isSamePage = supersededBy !== null && site.memoryProjects.get(supersededBy) === project
  const later = isSamePage ? html`<a href="#${encodeURIComponent(supersededBy)}">${supersededBy}</a>` : supersededBy
  return [
    attributionText(memory),
    becauseText(memory, 'you'),
    againstText(memory),
    status === 'settled' ? '' : status === 'hypothetical' ? 'not settled' : 'tried and failed',
    confirmedAt.slice(0, 10),
    ...sessions.slice(0, maxSessions).map((session) => sessionLink(site, file, session)),
    sessions.length > maxSessions && `and ${plural(sessions.length - maxSessions, 'session')} more`,
    supersededBy !== null && html`superseded ${supersededAt?.slice(0, 10)} by ${later}`,
    html`<code>${id}</code>`,
  ]
}

function sessionLink({ data, days }: Site, file: string, session: string): Html | string {
  const label = `${session.slice(0, session.indexOf(':'))} ${shortId(session)}`
  if (data.sessionPages.has(session)) return html`<a href="${relativeUrl(file, fileOfSession(session))}">${label}</a>`
  const day = data.dayOf.get(session)
  return day !== undefined && days.has(day) ? html`<a href="${relativeUrl(file, fileOfDay(day))}">${label}</a>` : label
}
