// How articles hang together.
import { indexName } from '../../learn/files/folders.ts'
import { type Finding, found } from './finding.ts'
import type { LintedPage, Wiki } from './read-wiki.ts'

export function brokenLinks({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap(({ path, links }) =>
    links
      .filter((link) => link.path === undefined)
      .map(({ target, line }) => found('broken-link', path, line, `[[${target}]] leads nowhere`)),
  )
}

/** The index lists every article, so it does not count. An answer is found through the index and by asking again. */
export function orphanPages({ pages }: Wiki): Finding[] {
  return [...pages.values()]
    .filter(({ kind, linkedFrom }) => kind !== 'answer' && linkedFrom.size === 0 && pages.size > 1)
    .map(({ path }) => found('orphan-page', path, null, 'No other article links to it'))
}

export function missingBacklinks({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap((page) =>
    unreturned(page, pages).map((from) =>
      found('missing-backlink', page.path, null, `${from} links to it, and it does not link back`),
    ),
  )
}

/** The articles that link to one and are not linked from it. What an answer consulted owes it nothing. */
export function unreturned({ owes, linksTo }: LintedPage, pages: Wiki['pages']): string[] {
  return [...owes].filter((from) => pages.get(from)!.kind !== 'answer' && !linksTo.has(from)).sort()
}

const fewestLinks = 2

/** Days and memories do not count: every statement links to those, and they lead no further. */
export function weakConnectivity({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap(({ path, links }) => {
    const others = new Set(links.map((link) => link.path).filter((to) => to !== undefined && to !== path))
    const { length } = [...others].filter((to) => !isSource(to!))
    if (length >= fewestLinks) return []
    return found('weak-connectivity', path, null, `It leads on to ${length === 0 ? 'no' : 'one'} other page`)
  })
}

function isSource(path: string): boolean {
  return path.startsWith('journal/') || (path.startsWith('memory/') && !path.endsWith(`/${memoryIndex}`))
}

const memoryIndex = indexName.replace(/\.md$/, '')
