// What articles say of themselves.

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

/** A source is a session, or a file of the vault that is there. What was told by hand or imported has it behind each statement. */
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
    // People write it as a link, too.
    const place = resolveLink(target.replace(/^\[\[|\]\]$/g, '').split('|')[0]!, targets)
    return place !== undefined && pages.get(place)?.kind === 'concept' ? place : undefined
  }
}

/** Each finding stands at the later of the two. */
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

// What articles say: enough of it, and each statement of ours with where it comes from.

const minWords = 200

export function sparseArticles({ pages }: LintedWiki): LintFinding[] {
  return [...pages.values()].flatMap(({ path, body, problem }) => {
    const words = wordsIn(body)
    if (words >= minWords || problem !== null) return []
    return newFinding('sparse-article', path, null, `It has ${words} words`)
  })
}

/** As people see it: a link counts by what it shows. */
function wordsIn(body: string): number {
  const lines = body.split('\n').filter((line) => !isSectionMarkerLine(line))
  const shown = lines.join('\n').replace(/\[\[[^[\]|\n]*\|/g, '')
  return shown.match(word)?.length ?? 0
}

/** Scripts that put no space between words have a word every other sign. */
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
  /** Of the file. */
  line: number
}

/** These link to what they list, and are no statements. */
const linkSections: ReadonlySet<string> = new Set(['related', 'sources'])

/** The list lines of sections that are ours as we wrote them; what is further in belongs to the line above. */
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

/** Whether something of ours says where it comes from. */
function hasSourcedStatement(page: LintedPage): boolean {
  return statementsIn(page).some(({ text }) => isSourced(text, page.kind))
}

/** A day, a memory, a session, or what came another way; what an answer or a connection says may come from another article. */
function isSourced(text: string, kind: LintedPage['kind']): boolean {
  if (/`[a-z][a-z\d-]*:[^`\s]+`|\(\d{4}-\d\d-\d\d, (?:told by hand|imported from|commit)/.test(text)) return true
  return kind === 'concept' ? /\[\[(?:journal|memory)\//.test(text) : /(?<!\\)\[\[[^\]]+\]\]/.test(text)
}
