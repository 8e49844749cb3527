// Checks of links between articles, of the index, and of articles against their sources.

import { shortId } from '../../core/session.ts'
import { indexName } from '../../learn/files/folders.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesChangedSince } from '../../store/memories/files.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { wikiDays } from '../../store/wiki/articles.ts'
import { maxSummaryLength } from '../article.ts'
import { changedDays } from '../days.ts'
import { lastCompiled } from '../due.ts'
import { indexPath } from '../index-and-log.ts'
import { resolveLink } from '../links.ts'
import { type LintFinding, newFinding } from './finding.ts'
import { pagesByPeople } from './page-checks.ts'
import type { LintedPage, LintedWiki } from './read-wiki.ts'

export function brokenLinks({ pages }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap(({ path, links }) =>
    links
      .filter((link) => link.path === undefined)
      .map(({ target, line }) => newFinding('broken-link', path, line, `[[${target}]] leads nowhere`)),
  )
}

/** Links from the index do not count. Answers are found through the index and by asking again. */
export function orphanPages({ pages }: LintedWiki): LintFinding[] {
  return pagesByPeople(pages)
    .filter(({ kind, linkedFrom }) => kind !== 'answer' && linkedFrom.size === 0 && pages.size > 1)
    .map(({ path }) => newFinding('orphan-page', path, null, 'No other article links to it'))
}

export function missingBacklinks({ pages }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap((page) =>
    unreturnedLinks(page, pages).map((from) =>
      newFinding('missing-backlink', page.path, null, `${from} links to it, and it does not link back`),
    ),
  )
}

/** Articles that link to this one without a link back; links from answers need none. */
export function unreturnedLinks({ owes, linksTo }: LintedPage, pages: LintedWiki['pages']): string[] {
  return [...owes].filter((from) => pages.get(from)!.kind !== 'answer' && !linksTo.has(from)).sort()
}

const minLinks = 2

/** Links to days and memories do not count: every statement has them, and they lead no further. */
export function weakConnectivity({ pages }: LintedWiki): LintFinding[] {
  return pagesByPeople(pages).flatMap(({ path, links }) => {
    const others = new Set(links.map((link) => link.path).filter((to) => to !== undefined && to !== path))
    const { length } = [...others].filter((to) => !isSource(to!))
    if (length >= minLinks) return []
    return newFinding('weak-connectivity', path, null, `It leads on to ${length === 0 ? 'no' : 'one'} other page`)
  })
}

function isSource(path: string): boolean {
  return path.startsWith('journal/') || (path.startsWith('memory/') && !path.endsWith(`/${memoryIndex}`))
}

const memoryIndex = indexName.replace(/\.md$/, '')

export function unindexedArticles({ pages, rows, targets }: LintedWiki): LintFinding[] {
  const listed = new Set(rows.map(({ target }) => resolveLink(target, targets)))
  return [...pages.keys()]
    .filter((path) => !listed.has(path))
    .map((path) => newFinding('unindexed-article', path, null, 'The index does not list it'))
}

export function rowsWithoutArticle({ rows, targets }: LintedWiki): LintFinding[] {
  return rows
    .filter(({ target }) => resolveLink(target, targets) === undefined)
    .map(({ target, line }) => newFinding('row-without-article', indexPath, line, `There is no ${target}`))
}

export function longSummaries({ rows }: LintedWiki): LintFinding[] {
  return rows.flatMap(({ target, line, summary }) => {
    const { length } = [...summary]
    if (length <= maxSummaryLength) return []
    return newFinding('long-summary', indexPath, line, `The summary of ${target} has ${length} characters`)
  })
}

const maxSources = 3

export function manySources({ rows }: LintedWiki): LintFinding[] {
  return rows
    .filter(({ sources }) => sources > maxSources)
    .map(({ target, line, sources }) =>
      newFinding('many-sources', indexPath, line, `${target} has ${sources} sources there`),
    )
}

/** A cited day or memory has changed since the article was compiled. */
export function staleArticles({ pages }: LintedWiki, ledger: Ledger): LintFinding[] {
  const compiled = wikiDays(ledger)
  const changed = changedDays(ledger, { isAll: false }).filter(({ day }) => compiled.has(day))
  const days = new Set(changed.map(({ day }) => `journal/${day}`))
  const sessions = sessionsOfChanges(ledger)
  return [...pages.values()].flatMap((page) => {
    const day = [...page.cites].sort().find((path) => days.has(path))
    if (day !== undefined)
      return newFinding('stale-article', page.path, null, `${day} has changed since it was compiled`)
    const session = sessionsIn(page.body).find((id) => sessions.get(page.head.project ?? null)?.has(id))
    if (session === undefined) return []
    return newFinding('stale-article', page.path, null, `A memory from ${session} has changed since it was compiled`)
  })
}

/** Sessions of memories that changed since the last build, by project. */
function sessionsOfChanges(ledger: Ledger): Map<string | null, Set<string>> {
  const compiled = lastCompiled(ledger)
  const sessions = new Map<string | null, Set<string>>()
  if (!compiled) return sessions
  for (const id of memoriesChangedSince(ledger, compiled.change)) {
    const memory = memoryById(ledger, id)
    const known = sessions.get(memory?.project ?? null) ?? new Set()
    for (const { session } of memory?.evidence ?? []) if (session !== null) known.add(asCited(session))
    sessions.set(memory?.project ?? null, known)
  }
  return sessions
}

/** Articles shorten the ids of sessions. */
function asCited(session: string): string {
  return `${session.slice(0, session.indexOf(':'))}:${shortId(session)}`
}

function sessionsIn(body: string): string[] {
  return [...body.matchAll(/`([a-z][a-z\d-]*:[^`\s]+)`/g)].map((match) => asCited(match[1]!))
}
