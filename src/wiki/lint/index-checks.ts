// Whether the index lists what there is, in a form that can be read at a glance.
import { maxSummary } from '../article.ts'
import { indexPath } from '../index-file.ts'
import { resolveLink } from '../links.ts'
import { type Finding, found } from './finding.ts'
import type { Wiki } from './read-wiki.ts'

export function unindexed({ pages, rows, targets }: Wiki): Finding[] {
  const listed = new Set(rows.map(({ target }) => resolveLink(target, targets)))
  return [...pages.keys()]
    .filter((path) => !listed.has(path))
    .map((path) => found('unindexed-article', path, null, 'The index does not list it'))
}

export function rowsWithoutArticle({ rows, targets }: Wiki): Finding[] {
  return rows
    .filter(({ target }) => resolveLink(target, targets) === undefined)
    .map(({ target, line }) => found('row-without-article', indexPath, line, `There is no ${target}`))
}

export function longSummaries({ rows }: Wiki): Finding[] {
  return rows.flatMap(({ target, line, summary }) => {
    const { length } = [...summary]
    if (length <= maxSummary) return []
    return found('long-summary', indexPath, line, `The summary of ${target} has ${length} characters`)
  })
}

const maxSources = 3

export function manySources({ rows }: Wiki): Finding[] {
  return rows
    .filter(({ sources }) => sources > maxSources)
    .map(({ target, line, sources }) =>
      found('many-sources', indexPath, line, `${target} has ${sources} sources there`),
    )
}
