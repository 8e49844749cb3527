// Which page of the site a file of the vault is on, and which pages lead to which.
import { projectFolder } from '../../core/vault.ts'
import { resolveLink, targetsOf, wikilinksIn } from '../../wiki/links.ts'
import type { Material } from '../material.ts'
import { relativeUrl } from '../urls.ts'

export interface SiteLinks {
  /** The address of what a link names, from a page of the site. */
  resolveFrom(file: string): (target: string) => string | undefined
  /** Paths below the vault of what leads to one. */
  backlinks: ReadonlyMap<string, readonly string[]>
  /** What an article leads to, articles only. */
  outgoing: ReadonlyMap<string, readonly string[]>
}

export const indexFile = 'index.html'

export function fileOfArticle(path: string): string {
  return `${path}.html`
}

export function fileOfDay(day: string): string {
  return `journal/${day}.html`
}

export function fileOfMemories(project: string | null): string {
  return `memory/${projectFolder(project)}.html`
}

export function siteLinks(material: Material): SiteLinks {
  const files = filesByPath(material)
  const targets = targetsOf(material.paths)
  const isArticle = new Set(material.articles.map(({ path }) => path))
  const backlinks = new Map<string, string[]>()
  const outgoing = new Map<string, string[]>()
  for (const { path, body } of material.articles) {
    const found = wikilinksIn(body).flatMap(({ target }) => resolveLink(target, targets) ?? [])
    const others = [...new Set(found)].filter((other) => other !== path)
    outgoing.set(
      path,
      others.filter((other) => isArticle.has(other)),
    )
    for (const other of others) backlinks.set(other, [...(backlinks.get(other) ?? []), path])
  }
  return {
    resolveFrom: (file) => (target) => {
      const path = resolveLink(target, targets)
      const page = path === undefined ? undefined : files.get(path)
      return page === undefined ? undefined : relativeUrl(file, page)
    },
    backlinks,
    outgoing,
  }
}

function filesByPath({ articles, days, memories, memoryPaths }: Material): Map<string, string> {
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
