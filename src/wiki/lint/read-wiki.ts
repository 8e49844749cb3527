// Reads what the checks need: articles with resolved links, the index, the days of the journal.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import { unescapeMarkdown } from '../../text/markdown.ts'
import { indexPath } from '../index-and-log.ts'
import { type LinkTargets, linkTargets, resolveLink, wikilinksIn } from '../links.ts'
import { readPages, vaultPaths, type WikiPage } from '../pages.ts'
import { type ParsedSection, sectionsIn } from '../sections.ts'
import { isBacklink } from './backlinks.ts'

export interface LintedWiki {
  pages: ReadonlyMap<string, LintedPage>
  targets: LinkTargets
  rows: IndexRow[]
  /** Days of the journal that have a file. */
  days: string[]
}

export interface LintedPage extends WikiPage {
  links: PageLink[]
  sections: ParsedSection[]
  /** Files of the vault that it names in its head or links to. */
  cites: Set<string>
  /** Other articles that it links to and that link to it. */
  linksTo: Set<string>
  linkedFrom: Set<string>
  /** Articles that link to it other than by a backlink. */
  owes: Set<string>
}

interface PageLink {
  target: string
  /** Undefined for a broken link. */
  path: string | undefined
  line: number
  /** It is a backlink that lint added. */
  isReturned: boolean
}

export async function readWiki(layout: Layout): Promise<LintedWiki> {
  const files = vaultPaths(layout)
  const targets = linkTargets(files)
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

function lintedPage(page: WikiPage, resolve: ResolveTarget): LintedPage {
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

type ResolveTarget = (target: string) => string | undefined

/** Caches results: many links lead to few files. */
function resolver(targets: LinkTargets): ResolveTarget {
  const known = new Map<string, string | undefined>()
  return (target) => {
    if (!known.has(target)) known.set(target, resolveLink(target, targets))
    return known.get(target)
  }
}

interface IndexRow {
  target: string
  line: number
  summary: string
  /** Number of sources in the row. */
  sources: number
}

/** Parses `| [[wiki/concepts/x\|Title]] | summary | sources | updated |`. */
function indexRows(text: string): IndexRow[] {
  return text.split(/\r?\n/).flatMap((content, at) => {
    if (!content.startsWith('|')) return []
    // A bar within a cell is escaped.
    const [, article = '', summary = '', sources = ''] = content.split(/(?<!\\)\|/)
    const target = wikilinksIn(article)[0]?.target
    if (target === undefined) return []
    const entries = wikilinksIn(sources).length || sources.split(',').filter((one) => one.trim() !== '').length
    return { target, line: at + 1, summary: unescapeMarkdown(summary.trim()), sources: entries }
  })
}
