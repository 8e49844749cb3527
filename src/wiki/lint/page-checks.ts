// Checks of single articles: heads, sources, names, length and statements.

import { closedFences } from '../../text/markdown.ts'
import { slugKey } from '../../text/slug.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { resolveLink } from '../links.ts'
import { isSectionMarkerLine } from '../sections.ts'
import { type LintFinding, newFinding } from './finding.ts'
import type { LintedPage, LintedWiki } from './read-wiki.ts'

export function badHeads({ pages }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap(({ path, head, problem }) => {
    if (problem !== null) {
      const [, line = '1', reason = problem] = /^line (\d+): (.*)$/s.exec(problem) ?? []
      return newFinding('bad-head', path, Number(line), reason)
    }
    const missing = requiredFields.filter((name) => head[name] === undefined || head[name] === '')
    return missing.length === 0
      ? []
      : newFinding('bad-head', path, 1, `The head says nothing about ${missing.join(', ')}`)
  })
}

const requiredFields = ['title', 'sources', 'created', 'updated'] as const

/**
 * A source is a session or an existing file of the vault. Other memories have their source in the
 * statement.
 */
export function missingSources({ pages, targets }: LintedWiki): LintFinding[] {
  const isThere = (source: string) => /^[a-z][a-z\d-]*:\S/.test(source) || resolveLink(source, targets) !== undefined
  return [...pages.values()]
    .filter(({ head }) => head.sources !== undefined && !head.sources.some(isThere))
    .filter((page) => !hasSourcedStatement(page))
    .map(({ path }) => newFinding('no-source', path, 1, 'It names no source that there is'))
}

export function badConnections({ pages, targets }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap(({ kind, problem, path, head }) => {
    if (kind !== 'connection' || problem !== null) return []
    const concepts = new Set((head.connects ?? []).map((target) => conceptAt(target)))
    concepts.delete(undefined)
    if (concepts.size >= 2) return []
    return newFinding(
      'bad-connection',
      path,
      1,
      `It connects ${concepts.size} concepts that exist; a connection needs two`,
    )
  })

  function conceptAt(target: string): string | undefined {
    // People may write it as a link.
    const place = resolveLink(target.replace(/^\[\[|\]\]$/g, '').split('|')[0]!, targets)
    return place !== undefined && pages.get(place)?.kind === 'concept' ? place : undefined
  }
}

/** Reports the second of two articles. */
export function duplicateNames({ pages }: LintedWiki): LintFinding[] {
  const seen = new Map<string, string>()
  return [...pages.values()].flatMap((page) =>
    namesOf(page).flatMap(({ key, name }) => {
      const other = seen.get(key)
      if (other === undefined) seen.set(key, page.path)
      if (other === undefined || other === page.path) return []
      return newFinding('duplicate-article', page.path, null, `${other} is named “${name}”, too`)
    }),
  )
}

/** File names, because some file systems ignore case; and titles and aliases within a project. */
function namesOf({ path, kind, head }: LintedPage): { key: string; name: string }[] {
  const slug = path.slice(path.lastIndexOf('/') + 1)
  const called = new Map([head.title ?? '', ...(head.aliases ?? [])].map((name) => [slugKey(name.trim()), name.trim()]))
  called.delete('')
  return [
    { key: `file ${kind} ${slugKey(slug)}`, name: slug },
    ...[...called].map(([key, name]) => ({ key: `name ${head.project ?? ''} ${key}`, name })),
  ]
}

const minWords = 200

/** Pages without a section of ours. What a build writes is as long and as linked as it can be. */
export function pagesByPeople(pages: LintedWiki['pages']): LintedPage[] {
  return [...pages.values()].filter(({ sections }) => sections.length === 0)
}

export function sparseArticles({ pages }: LintedWiki): LintFinding[] {
  return pagesByPeople(pages).flatMap(({ path, body, problem }) => {
    const words = wordsIn(body)
    if (words >= minWords || problem !== null) return []
    return newFinding('sparse-article', path, null, `It has ${words} words`)
  })
}

/** Counts the visible words; a link counts by its text. */
function wordsIn(body: string): number {
  const lines = body.split('\n').filter((line) => !isSectionMarkerLine(line))
  const shown = lines.join('\n').replace(/\[\[[^[\]|\n]*\|/g, '')
  return shown.match(word)?.length ?? 0
}

/** Two characters count as one word in scripts without spaces. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,2}|[\p{L}\p{N}\p{M}]+(?:['’_-][\p{L}\p{N}\p{M}]+)*/gu

export function unsourcedStatements({ pages }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap((page) =>
    statementsIn(page)
      .filter(({ text }) => !isSourced(text, page.kind))
      .map(({ line, text }) =>
        newFinding(
          'unsourced-statement',
          page.path,
          line,
          `It does not say where this comes from: ${truncate(oneLine(text), 100)}`,
        ),
      ),
  )
}

interface ListedStatement {
  text: string
  /** Line of the file. */
  line: number
}

/** Lists of links, which are not statements. */
const linkSections: ReadonlySet<string> = new Set(['topics', 'related', 'sources'])

/** Top-level list items of our unedited sections; nested lines belong to the item above. */
function statementsIn({ body, bodyLine, sections }: LintedPage): ListedStatement[] {
  let from = 0
  let line = bodyLine
  return sections.flatMap(({ name, text, isEdited }) => {
    const at = body.indexOf(text, from)
    if (isEdited || linkSections.has(name) || at < 0) return []
    line += linesBetween(body, from, at)
    from = at
    const lines = text.split('\n')
    const isCode = closedFences(lines)
    return lines.flatMap((one, index) =>
      /^[-*+] /.test(one) && !isCode[index] ? { text: one.slice(2), line: line + index } : [],
    )
  })
}

function linesBetween(text: string, from: number, to: number): number {
  return text.slice(from, to).split('\n').length - 1
}

/** Whether a statement of ours has a source. */
function hasSourcedStatement(page: LintedPage): boolean {
  return statementsIn(page).some(({ text }) => isSourced(text, page.kind))
}

/** A day, a memory, a session or a commit; answers and connections may also cite articles. */
function isSourced(text: string, kind: LintedPage['kind']): boolean {
  if (/`[a-z][a-z\d-]*:[^`\s]+`|\(\d{4}-\d\d-\d\d, (?:told by hand|imported from|commit)/.test(text)) return true
  return kind === 'concept' ? /\[\[(?:journal|memory)\//.test(text) : /(?<!\\)\[\[[^\]]+\]\]/.test(text)
}
