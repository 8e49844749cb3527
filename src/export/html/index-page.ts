import { plural } from '../../core/units.ts'
import type { ExportedArticle, Material } from '../material.ts'
import { relativeUrl } from '../urls.ts'
import { escaped, prose } from './escape.ts'
import { drawGraph, edgesAmong, type Graph } from './graph.ts'
import { fileOfArticle, fileOfDay, fileOfMemories, indexFile } from './links.ts'
import type { SitePage } from './page.ts'
import { projectName, type Site } from './parts.ts'
import { searchScript } from './search-script.ts'

export function indexPage(site: Site): SitePage {
  const { articles, days, memories } = site.material
  const counts = [
    plural(articles.length, 'article'),
    plural(memories.length, 'memory', 'memories'),
    `${plural(days.length, 'day')} of the journal`,
  ]
  const main = [
    '<h1>Wiki</h1>',
    `<p class="facts">${counts.join(' · ')}</p>`,
    searchForm,
    ...articleLists(site),
    drawGraph(wholeGraph(site), 'How the articles are linked; larger ones have more links', 16),
    memoryList(site),
    dayLists(site.material),
  ]
  return {
    file: indexFile,
    title: 'Wiki',
    main: main.filter((part) => part !== '').join('\n'),
    script: searchScript,
  }
}

/** Shown by the script alone: without it there is nothing to search with. */
const searchForm = `<div class="find" role="search" hidden><label for="find">Find an article, a project or a day</label><input id="find" type="search" autocomplete="off" spellcheck="false"><p id="found" role="status"></p></div>`

function articleLists(site: Site): string[] {
  const projects = Map.groupBy(site.material.articles, ({ head }) => head.project ?? null)
  if (projects.size === 0) return ['<p>There are no articles yet.</p>']
  const named = [...projects].map(([project, some]) => ({ name: projectName(site, project), some }))
  return named
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, some }) => {
      const items = some.toSorted((a, b) => a.title.localeCompare(b.title, 'en')).map((one) => articleItem(one, name))
      return `<section class="group"><h2>${escaped(name)}</h2>\n<ul class="list">${items.join('\n')}</ul></section>`
    })
}

function articleItem({ path, title, summary, kind, head }: ExportedArticle, project: string): string {
  const found = [title, ...(head.aliases ?? []), ...(head.tags ?? []), summary, project, kind].join(' ').toLowerCase()
  const mark = kind === 'concept' ? '' : ` <span class="kind ${kind}">${kind}</span>`
  const about = summary === '' ? '' : `<span class="about">${prose(summary)}</span>`
  return `<li data-find="${escaped(found)}"><a href="${escaped(relativeUrl(indexFile, fileOfArticle(path)))}">${escaped(title)}</a>${mark}${about}</li>`
}

function memoryList(site: Site): string {
  const projects = Map.groupBy(site.material.memories, ({ project }) => project)
  if (projects.size === 0) return ''
  const items = [...projects]
    .map(([project, some]) => ({ project, name: projectName(site, project), count: some.length }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ project, name, count }) =>
        `<li data-find="${escaped(`${name} memories`.toLowerCase())}"><a href="${escaped(relativeUrl(indexFile, fileOfMemories(project)))}">${escaped(name)}</a><span class="about">${plural(count, 'memory', 'memories')}</span></li>`,
    )
  return `<section class="group" id="memories"><h2>Memories</h2>\n<ul class="list">${items.join('\n')}</ul></section>`
}

/** The latest month is open. */
function dayLists({ days }: Material): string {
  if (days.length === 0) return ''
  const months = [...Map.groupBy(days.toReversed(), ({ day }) => day.slice(0, 7))]
  const lists = months.map(([month, some], at) => {
    const items = some.map(({ day, entries }) => {
      const found = [day, ...entries.map(({ title }) => title)].join(' ').toLowerCase()
      return `<li data-find="${escaped(found)}"><a href="${relativeUrl(indexFile, fileOfDay(day))}">${day}</a></li>`
    })
    return `<details${at === 0 ? ' open' : ''}><summary>${month}, ${plural(some.length, 'day')}</summary>\n<ul class="days">${items.join('\n')}</ul></details>`
  })
  return `<section class="group" id="journal"><h2>Journal</h2>\n${lists.join('\n')}</section>`
}

/** More than this is a cloud. */
const maxNodes = 60

/** The articles with the most links, and what is between them. */
function wholeGraph({ material, links, titles }: Site): Graph {
  const degree = (path: string) => (links.outgoing.get(path)?.length ?? 0) + (links.backlinks.get(path)?.length ?? 0)
  const paths = material.articles
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
