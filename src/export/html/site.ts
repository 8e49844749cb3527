// The site: an index, a page for each article and day, a page of memories for each project.
import type { ExportFile } from '../export.ts'
import type { Material } from '../material.ts'
import { articlePage } from './article-page.ts'
import { dayPage } from './day-page.ts'
import { indexPage } from './index-page.ts'
import { memoriesPage } from './memories-page.ts'
import { renderPage } from './page.ts'
import { siteOf } from './parts.ts'

export function siteFiles(material: Material): ExportFile[] {
  const site = siteOf(material)
  const projects = Map.groupBy(material.memories, ({ project }) => project)
  const pages = [
    indexPage(site),
    ...material.articles.map((article) => articlePage(site, article)),
    ...material.days.map((day, at) =>
      dayPage(site, day, { before: material.days[at - 1]?.day, after: material.days[at + 1]?.day }),
    ),
    ...[...projects].map(([project, memories]) => memoriesPage(site, project, memories)),
  ]
  return pages.map((page) => ({ path: page.file, content: renderPage(page) }))
}
