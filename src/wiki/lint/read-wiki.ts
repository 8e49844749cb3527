// Everything that the checks look at, read once: articles with their links resolved, the index, the days of the journal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { indexPath } from '../index-file.ts'
import { resolveLink, type Targets, targetsOf, wikilinksIn } from '../links.ts'
import { type Page, readPages, vaultPaths } from '../pages.ts'
import { type FoundSection, sectionsIn } from '../sections.ts'
import { type IndexRow, indexRows } from './index-rows.ts'
import { isBacklink } from './related.ts'

export interface Wiki {
  pages: ReadonlyMap<string, LintedPage>
  targets: Targets
  rows: IndexRow[]
  /** Days of the journal that have a file. */
  days: string[]
}

export interface LintedPage extends Page {
  links: PageLink[]
  sections: FoundSection[]
  /** Files of the vault that it names, in its head or by a link. */
  cites: Set<string>
  /** Other articles that it links to, and that link to it. */
  linksTo: Set<string>
  linkedFrom: Set<string>
  /** Those that link to it without returning a link. */
  owes: Set<string>
}

export interface PageLink {
  target: string
  /** Where it leads; undefined where it leads nowhere. */
  path: string | undefined
  line: number
  /** It is there because the other links here. */
  isReturned: boolean
}

export async function readWiki(layout: Layout): Promise<Wiki> {
  const files = vaultPaths(layout)
  const targets = targetsOf(files)
  const resolve = resolver(targets)
  const pages = new Map((await readPages(layout)).map((page) => [page.path, lintedPage(page, resolve)]))
  for (const page of pages.values()) {
    for (const { path, isReturned } of page.links) {
      const other = path === undefined || path === page.path ? undefined : pages.get(path)
      if (!other) continue
      page.linksTo.add(other.path)
      other.linkedFrom.add(page.path)
      if (!isReturned) other.owes.add(page.path)
    }
  }
  return {
    pages,
    targets,
    rows: files.includes(indexPath) ? indexRows(readFileSync(join(layout.vault, `${indexPath}.md`), 'utf8')) : [],
    days: files.flatMap((path) => /^journal\/(\d{4}-\d\d-\d\d)$/.exec(path)?.[1] ?? []),
  }
}

function lintedPage(page: Page, resolve: Resolve): LintedPage {
  const lines = page.body.split('\n')
  const links = wikilinksIn(page.body).map(({ target, line }) => ({
    target,
    path: resolve(target),
    line: line + page.bodyLine - 1,
    isReturned: isBacklink(lines[line - 1]!),
  }))
  const cited = [...(page.head.sources ?? []).map(resolve), ...links.map(({ path }) => path)]
  return {
    ...page,
    links,
    sections: sectionsIn(Buffer.from(page.body)),
    cites: new Set(cited.filter((path) => path !== undefined)),
    linksTo: new Set(),
    linkedFrom: new Set(),
    owes: new Set(),
  }
}

type Resolve = (target: string) => string | undefined

/** Many links lead to few files. */
function resolver(targets: Targets): Resolve {
  const known = new Map<string, string | undefined>()
  return (target) => {
    if (!known.has(target)) known.set(target, resolveLink(target, targets))
    return known.get(target)
  }
}
