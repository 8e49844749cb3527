import type { ExportedArticle } from '../material.ts'
import { relativeUrl } from '../urls.ts'
import { escaped } from './escape.ts'
import { drawGraph, edgesAmong, type Graph } from './graph.ts'
import { fileOfArticle, fileOfMemories } from './links.ts'
import { renderMarkdown } from './markdown.ts'
import type { SitePage } from './page.ts'
import { linkedFrom, projectName, type Site, withoutTitle } from './parts.ts'

export function articlePage(site: Site, article: ExportedArticle): SitePage {
  const { path, title, body } = article
  const file = fileOfArticle(path)
  const main = [
    `<h1>${escaped(title)}</h1>`,
    factsOf(site, article, file),
    renderMarkdown(withoutTitle(body), site.links.resolveFrom(file)),
    linkedFrom(site, file, path, 'Linked from'),
    drawGraph(around(site, path, file), 'Pages that are linked with this one', 14),
  ]
  return { file, title, main: main.filter((part) => part !== '').join('\n') }
}

function factsOf(site: Site, { kind, head, problem }: ExportedArticle, file: string): string {
  const hasMemories = site.projects.has(head.project ?? null)
  const name = escaped(projectName(site, head.project))
  const facts = [
    `<span class="kind ${kind}">${kind}</span>`,
    hasMemories ? `<a href="${escaped(relativeUrl(file, fileOfMemories(head.project ?? null)))}">${name}</a>` : name,
    head.updated ? `updated ${escaped(head.updated)}` : '',
    (head.aliases ?? []).length > 0 ? `also: ${escaped(head.aliases!.join(', '))}` : '',
    (head.tags ?? []).length > 0 ? escaped(head.tags!.map((tag) => `#${tag}`).join(' ')) : '',
    problem ? `<span class="mark">${escaped(problem)}</span>` : '',
  ]
  return `<p class="facts">${facts.filter((fact) => fact !== '').join(' · ')}</p>`
}

const maxAround = 14

function around(site: Site, path: string, file: string): Graph {
  const { outgoing, backlinks } = site.links
  const near = new Set([...(outgoing.get(path) ?? []), ...(backlinks.get(path) ?? [])])
  near.delete(path)
  const paths = [path, ...[...near].slice(0, maxAround)]
  return {
    nodes: paths.map((one) => ({
      id: one,
      label: site.titles.get(one)?.title ?? one,
      kind: site.titles.get(one)?.kind ?? 'concept',
      url: relativeUrl(file, fileOfArticle(one)),
      isCentre: one === path,
    })),
    edges: edgesAmong(paths, outgoing),
  }
}
