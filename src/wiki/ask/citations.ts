// Sources of an answer, and the links that cite them: the article, the journal day, the session or
// the commit.
import { shortId } from '../../core/session.ts'
import type { AnswerItem } from '../../recall/compose.ts'
import { wikilink } from '../links.ts'

export interface AskSource {
  kind: AnswerItem['kind'] | 'article'
  /** Session, commit hash, memory id or article path. */
  id: string
  text: string
  session: string | null
  /** Path of the journal day, below the vault; null if there is none. */
  journal: string | null
  day: string
  /** ISO time of the last mention. */
  at: string
  article: { path: string; title: string } | null
  /** Whether it shares enough terms with the question to be an answer. */
  isNear: boolean
}

export interface Citation {
  /** The link in the answer; null without a page in the vault. */
  link: string | null
  /** Path below the vault. */
  article: string | null
  session: string | null
  day: string | null
}

export interface WikiAnswer {
  question: string
  known: boolean
  /** Markdown. */
  answer: string
  citations: Citation[]
  /** In order of appearance. */
  sessions: string[]
  /** `passages`, or the model that answered. */
  by: string
}

/** In characters. */
export const maxLineLength = 2000

/** `claude-code:a673bc7e-8925`, as in articles. */
export function sessionMark(session: string): string {
  return `${session.slice(0, session.indexOf(':'))}:${shortId(session)}`.replaceAll('`', "'")
}

/** Links to the article and the day, then names the session or the commit. */
export function citationText({ article, journal, day, session, kind, id }: AskSource): string {
  return [
    article ? wikilink(article.path, article.title) : '',
    journal ? wikilink(journal, day) : kind === 'article' ? '' : day,
    session ? `\`${sessionMark(session)}\`` : kind === 'commit' ? `commit \`${id.slice(0, 10)}\`` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
