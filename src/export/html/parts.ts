// Pieces that several pages have.
import type { ArticleKind } from '../../wiki/article.ts'
import type { Material } from '../material.ts'
import { relativeUrl } from '../urls.ts'
import { escaped } from './escape.ts'
import { fileOfArticle, type SiteLinks, siteLinks } from './links.ts'

export interface Site {
  material: Material
  links: SiteLinks
  /** Of articles by their path. */
  titles: ReadonlyMap<string, { title: string; kind: ArticleKind }>
  /** Of memories by their id: on which page each stands. */
  memoryProjects: ReadonlyMap<string, string | null>
  days: ReadonlySet<string>
  /** Projects that have a page of memories. */
  projects: ReadonlySet<string | null>
}

export function siteOf(material: Material): Site {
  return {
    material,
    links: siteLinks(material),
    titles: new Map(material.articles.map(({ path, title, kind }) => [path, { title, kind }])),
    memoryProjects: new Map(material.memories.map(({ id, project }) => [id, project])),
    days: new Set(material.days.map(({ day }) => day)),
    projects: new Set(material.memories.map(({ project }) => project)),
  }
}

export function projectName({ material }: Site, project: string | null | undefined): string {
  return project == null ? 'Everywhere' : (material.projectNames.get(project) ?? project)
}

function articleLink({ titles }: Site, from: string, path: string): string {
  return `<a href="${escaped(relativeUrl(from, fileOfArticle(path)))}">${escaped(titles.get(path)?.title ?? path)}</a>`
}

/** Articles that lead to a page; empty where there are none. */
export function linkedFrom(site: Site, from: string, path: string, heading: string): string {
  const found = site.links.backlinks.get(path) ?? []
  if (found.length === 0) return ''
  const items = found.map((one) => `<li>${articleLink(site, from, one)}</li>`).join('\n')
  return `<section aria-labelledby="linked"><h2 id="linked">${heading}</h2><ul>${items}</ul></section>`
}

/** Without the first heading of the text: the page has its own. */
export function withoutTitle(text: string): string {
  return text.replace(/^\s*# .*(?:\n|$)/, '')
}
