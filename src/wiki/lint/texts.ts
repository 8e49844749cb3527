// What articles say: enough of it, and each statement of ours with where it comes from.

import { closedFences } from '../../text/markdown.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { isSectionMark } from '../sections.ts'
import { type Finding, found } from './finding.ts'
import type { LintedPage, Wiki } from './read-wiki.ts'

const fewestWords = 200

export function sparseArticles({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap(({ path, body, problem }) => {
    const words = wordsIn(body)
    if (words >= fewestWords || problem !== null) return []
    return found('sparse-article', path, null, `It has ${words} words`)
  })
}

/** As people see it: a link counts by what it shows. */
function wordsIn(body: string): number {
  const lines = body.split('\n').filter((line) => !isSectionMark(line))
  const shown = lines.join('\n').replace(/\[\[[^[\]|\n]*\|/g, '')
  return shown.match(word)?.length ?? 0
}

/** Scripts that put no space between words have a word every other sign. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{1,2}|[\p{L}\p{N}\p{M}]+(?:['’_-][\p{L}\p{N}\p{M}]+)*/gu

export function unsourcedStatements({ pages }: Wiki): Finding[] {
  return [...pages.values()].flatMap((page) =>
    statementsIn(page)
      .filter(({ text }) => !isSourced(text, page.kind))
      .map(({ line, text }) =>
        found(
          'unsourced-statement',
          page.path,
          line,
          `It does not say where this comes from: ${truncate(oneLine(text), 100)}`,
        ),
      ),
  )
}

export interface Statement {
  text: string
  /** Of the file. */
  line: number
}

/** These link to what they list, and are no statements. */
const notStated: ReadonlySet<string> = new Set(['related', 'sources'])

/** The list lines of sections that are ours as we wrote them; what is further in belongs to the line above. */
function statementsIn({ body, bodyLine, sections }: LintedPage): Statement[] {
  let from = 0
  let line = bodyLine
  return sections.flatMap(({ name, text, isEdited }) => {
    const at = body.indexOf(text, from)
    if (isEdited || notStated.has(name) || at < 0) return []
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
export function hasSourcedStatement(page: LintedPage): boolean {
  return statementsIn(page).some(({ text }) => isSourced(text, page.kind))
}

/** A day, a memory, a session, or what came another way; what an answer or a connection says may come from another article. */
function isSourced(text: string, kind: LintedPage['kind']): boolean {
  if (/`[a-z][a-z\d-]*:[^`\s]+`|\(\d{4}-\d\d-\d\d, (?:told by hand|imported from|commit)/.test(text)) return true
  return kind === 'concept' ? /\[\[(?:journal|memory)\//.test(text) : /(?<!\\)\[\[[^\]]+\]\]/.test(text)
}
