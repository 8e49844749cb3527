// What the pages of the site share: the exported data, titles, and the links between pages.
import { createHash } from 'node:crypto'
import { projectFolder } from '../../core/vault/files.ts'
import { slugOf } from '../../text/slug.ts'
import type { ArticleKind } from '../../wiki/article.ts'
import { type LinkGraph, linkGraph } from '../../wiki/link-graph.ts'
import { linkTargets, resolveLink, wikilinksIn } from '../../wiki/links.ts'
import type { ExportData } from '../export-data.ts'
import { relativeUrl } from '../markdown.ts'
import { indexFile } from './page.ts'

export interface Site {
  data: ExportData
  links: SiteLinks
  /** By the path of the article. */
  titles: ReadonlyMap<string, { title: string; kind: ArticleKind }>
  /** The project of each memory, by id. */
  memoryProjects: ReadonlyMap<string, string | null>
  days: ReadonlySet<string>
  /** Projects that have a page of memories. */
  projects: ReadonlySet<string | null>
}

export function siteOf(data: ExportData): Site {
  return {
    data,
    links: siteLinks(data),
    titles: new Map(data.articles.map(({ path, title, kind }) => [path, { title, kind }])),
    memoryProjects: new Map(data.memories.map(({ id, project }) => [id, project])),
    days: new Set(data.days.map(({ day }) => day)),
    projects: new Set(data.memories.map(({ project }) => project)),
  }
}

export function projectName({ data }: Site, project: string | null | undefined): string {
  return project == null ? 'Everywhere' : (data.projectNames.get(project) ?? project)
}

interface SiteLinks extends LinkGraph {
  /** Resolves link targets to URLs relative to a page of the site. */
  resolveFrom(file: string): (target: string) => string | undefined
}

export function fileOfArticle(path: string): string {
  return `${path}.html`
}

export function fileOfDay(day: string): string {
  return `journal/${day}.html`
}

export function fileOfSession(id: string): string {
  return `sessions/${slugOf(id)}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}.html`
}

export function fileOfMemories(project: string | null): string {
  return `memory/${projectFolder(project)}.html`
}

function siteLinks(data: ExportData): SiteLinks {
  const files = pagesByPath(data)
  const targets = linkTargets(data.paths)
  const articles = data.articles.map(({ path, body }) => ({
    path,
    targets: wikilinksIn(body).map(({ target }) => target),
  }))
  return {
    ...linkGraph(articles, targets),
    resolveFrom: (file) => (target) => {
      const path = resolveLink(target, targets)
      const page = path === undefined ? undefined : files.get(path)
      return page === undefined ? undefined : relativeUrl(file, page)
    },
  }
}

function pagesByPath({ articles, days, memories, memoryPaths }: ExportData): Map<string, string> {
  const files = new Map<string, string>([['wiki/index', indexFile]])
  for (const { path } of articles) files.set(path, fileOfArticle(path))
  for (const { day } of days) files.set(`journal/${day}`, fileOfDay(day))
  for (const { id, project } of memories) {
    const path = memoryPaths.get(id)
    if (path !== undefined) files.set(path, `${fileOfMemories(project)}#${id}`)
    files.set(`memory/${projectFolder(project)}/MEMORY`, fileOfMemories(project))
  }
  return files
}
