// What articles say of themselves.

import { slugKey } from '../../text/slug.ts'
import { resolveLink } from '../links.ts'
import { type Finding, found } from './finding.ts'
import type { LintedPage, Wiki } from './read-wiki.ts'
import { hasSourcedStatement } from './texts.ts'

export function badHeads({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap(({ path, head, problem }) => {
    if (problem !== null) {
      const [, line = '1', reason = problem] = /^line (\d+): (.*)$/s.exec(problem) ?? []
      return found('bad-head', path, Number(line), reason)
    }
    const missing = needed.filter((name) => head[name] === undefined || head[name] === '')
    return missing.length === 0 ? [] : found('bad-head', path, 1, `The head says nothing about ${missing.join(', ')}`)
  })
}

const needed = ['title', 'sources', 'created', 'updated'] as const

/** A source is a session, or a file of the vault that is there. What was told by hand or imported has it behind each statement. */
export function withoutSource({ pages, targets }: Wiki): Finding[] {
  const isThere = (source: string) => /^[a-z][a-z\d-]*:\S/.test(source) || resolveLink(source, targets) !== undefined
  return [...pages.values()]
    .filter(({ head }) => head.sources !== undefined && !head.sources.some(isThere))
    .filter((page) => !hasSourcedStatement(page))
    .map(({ path }) => found('no-source', path, 1, 'It names no source that there is'))
}

export function badConnections({ pages, targets }: Wiki): Finding[] {
  return [...pages.values()].flatMap(({ kind, problem, path, head }) => {
    if (kind !== 'connection' || problem !== null) return []
    const concepts = new Set((head.connects ?? []).map((target) => conceptAt(target)))
    concepts.delete(undefined)
    if (concepts.size >= 2) return []
    return found('bad-connection', path, 1, `It connects ${concepts.size} concepts that exist; a connection needs two`)
  })

  function conceptAt(target: string): string | undefined {
    // People write it as a link, too.
    const place = resolveLink(target.replace(/^\[\[|\]\]$/g, '').split('|')[0]!, targets)
    return place !== undefined && pages.get(place)?.kind === 'concept' ? place : undefined
  }
}

/** Each finding stands at the later of the two. */
export function duplicates({ pages }: Wiki): Finding[] {
  const seen = new Map<string, string>()
  return [...pages.values()].flatMap((page) =>
    namesOf(page).flatMap(({ key, name }) => {
      const other = seen.get(key)
      if (other === undefined) seen.set(key, page.path)
      if (other === undefined || other === page.path) return []
      return found('duplicate-article', page.path, null, `${other} is named “${name}”, too`)
    }),
  )
}

/** The file, which is one for both on a disk that ignores case; and within a project what people call it. */
function namesOf({ path, kind, head }: LintedPage): { key: string; name: string }[] {
  const slug = path.slice(path.lastIndexOf('/') + 1)
  const called = new Map([head.title ?? '', ...(head.aliases ?? [])].map((name) => [slugKey(name.trim()), name.trim()]))
  called.delete('')
  return [
    { key: `file ${kind} ${slugKey(slug)}`, name: slug },
    ...[...called].map(([key, name]) => ({ key: `name ${head.project ?? ''} ${key}`, name })),
  ]
}
