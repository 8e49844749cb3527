// Finds the article that an answer cites: for a statement the one that has it, for a conversation one
// that cites the session and says something about the question.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type ArticleRow, articleRows } from '../../store/wiki/articles.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { type AskSource, sessionMark } from './citations.ts'

export interface ArticleFinder {
  ofStatement(memory: Memory): AskSource['article']
  /** `isAbout`: whether a line of an article is about the question. */
  ofSession(session: string, journal: string | null, isAbout: (line: string) => boolean): AskSource['article']
  /** Whether the page at this path names one of the sessions. */
  cites(path: string, sessions: readonly string[]): boolean
}

export function articleFinder(ledger: Ledger): ArticleFinder {
  const rows = articleRows(ledger).filter(({ kind }) => kind !== 'answer')
  const texts = new Map<string, string>()
  const textOf = (path: string) => {
    if (!texts.has(path)) texts.set(path, textAt(join(ledger.layout.vault, `${path}.md`)))
    return texts.get(path)!
  }
  const find = (
    isCandidate: (row: ArticleRow) => boolean,
    isWanted: (text: string) => boolean,
  ): AskSource['article'] => {
    const found = rows.find((row) => isCandidate(row) && isWanted(textOf(row.path)))
    return found ? { path: found.path, title: found.title } : null
  }
  const isFrom = (journal: string | null) => (row: ArticleRow) =>
    journal !== null && ((row.head.sources ?? []) as string[]).includes(journal)
  const cites = (path: string, sessions: readonly string[]) =>
    sessions.some((session) => textOf(path).includes(`\`${sessionMark(session)}\``))
  return {
    ofStatement: (memory) =>
      find(
        ({ project }) => project === memory.project,
        (text) => text.includes(searchedWords(memory)),
      ),
    ofSession: (session, journal, isAbout) =>
      find(
        (row) => isFrom(journal)(row) && cites(row.path, [session]),
        (text) => text.split('\n').some(isAbout),
      ),
    cites,
  }
}

/** Articles shorten statements and capitalise their first letter. */
const maxSearched = 150

function searchedWords({ text }: Memory): string {
  return escapeMarkdown(text, 300).replace(/…$/, '').slice(1, maxSearched)
}

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
