// Fixes what needs no judgement: replaces broken links by their text, adds backlinks, rewrites the
// index. Changes only unedited sections of ours.

import type { Ledger } from '../../store/ledger.ts'
import { type ArticleRow, articleRows } from '../../store/wiki/articles.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import type { Article, ArticleHead, ArticleSection, SectionName } from '../article.ts'
import { detectEdits } from '../detect-edits.ts'
import { writeIndex } from '../index-and-log.ts'
import { type LinkTargets, resolveLink, wikilinksIn } from '../links.ts'
import type { ParsedSection } from '../sections.ts'
import { writeArticles } from '../write.ts'
import { addBacklinks, type Backlink, removeStaleBacklinks } from './backlinks.ts'
import { unreturnedLinks } from './link-checks.ts'
import { type LintedPage, type LintedWiki, readWiki } from './read-wiki.ts'

/** Requires the wiki's lock. */
export async function fixWiki(ledger: Ledger, wiki: LintedWiki): Promise<void> {
  // Articles that people created since the last build belong into the index, too.
  await detectEdits(ledger)
  const articles = articleRows(ledger).flatMap((row) => fixedArticle(row, wiki) ?? [])
  if (articles.length > 0) await writeArticles({ ledger }, { articles })
  writeIndex({ ledger })
}

/** Replaces links of saved answers to articles that no longer exist. Requires the wiki's lock. */
export async function unlinkAnswers(ledger: Ledger): Promise<void> {
  const wiki = await readWiki(ledger.layout)
  const answers = articleRows(ledger).filter(({ kind }) => kind === 'answer')
  const articles = answers.flatMap((row) => fixedArticle(row, wiki) ?? [])
  if (articles.length > 0) await writeArticles({ ledger }, { articles })
}

/** Undefined if nothing changes. */
function fixedArticle(row: ArticleRow, wiki: LintedWiki): Article | undefined {
  const page = wiki.pages.get(row.path)
  const isOurs = Object.keys(row.sections).length > 0
  if (!page || page.problem !== null || !isOurs) return undefined
  const ours = page.sections.filter(({ isEdited }) => !isEdited)
  const sections = [...ours.map((section) => fixedSection(section, page, wiki)), ...newRelated(row, page, wiki)]
  const isSame = sections.length === ours.length && sections.every(({ text }, at) => text === ours[at]!.text)
  if (isSame) return undefined
  // The row contains the head as we wrote it.
  const head = row.head as unknown as ArticleHead
  return { kind: page.kind, path: page.path, head, summary: row.summary, sections }
}

function fixedSection({ name, text }: ParsedSection, page: LintedPage, { pages, targets }: LintedWiki): ArticleSection {
  const isRelated = name === 'related'
  const held = withoutBroken(isRelated ? removeStaleBacklinks(text, page.owes, targets) : text, targets)
  const backlinks = isRelated ? backlinksOf(page, pages) : []
  return {
    name: name as SectionName,
    text: backlinks.length > 0 ? addBacklinks(held, backlinks) : held,
  }
}

/** Adds the section only if the article never had it: a deleted section stays deleted. */
function newRelated(row: ArticleRow, page: LintedPage, { pages }: LintedWiki): ArticleSection[] {
  const backlinks = backlinksOf(page, pages)
  const isKnown = 'related' in row.sections || page.sections.some(({ name }) => name === 'related')
  return isKnown || backlinks.length === 0 ? [] : [{ name: 'related', text: addBacklinks(undefined, backlinks) }]
}

function withoutBroken(text: string, targets: LinkTargets): string {
  const broken = wikilinksIn(text).filter(({ target }) => resolveLink(target, targets) === undefined)
  return broken.reduceRight((whole, { target, shown, from, to }) => {
    const words = escapeMarkdown(shown ?? target.slice(target.lastIndexOf('/') + 1), 200)
    return whole.slice(0, from) + words + whole.slice(to)
  }, text)
}

function backlinksOf(page: LintedPage, pages: LintedWiki['pages']): Backlink[] {
  return unreturnedLinks(page, pages).map((path) => ({ path, title: pages.get(path)!.head.title ?? path }))
}
