// Citations in an answer: links to the article, the journal day, the session or the commit.
import { shortId } from '../../core/session.ts'
import type { AnswerItem } from '../../recall/compose.ts'
import { wikilink } from '../links.ts'

export interface AskSource {
  kind: AnswerItem['kind'] | 'article'
  /** The session, the hash of the commit, the id of the memory, the path of the article. */
  id: string
  text: string
  session: string | null
  /** The day of the journal that tells of it, below the vault; null where none does. */
  journal: string | null
  day: string
  /** When it was last spoken of, ISO. */
  at: string
  article: { path: string; title: string } | null
  /** Whether it shares enough with the question to be taken for an answer. */
  isNear: boolean
}

export interface Citation {
  /** As it stands in the answer; null where nothing in the vault tells of it. */
  link: string | null
  /** Its path below the vault. */
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
  /** In the order in which they come up. */
  sessions: string[]
  /** `passages`, or the model that answered. */
  by: string
}

/** The longest line of an answer, in characters. */
export const maxLineLength = 2000

/** `claude-code:a673bc7e-8925`, as articles write it. */
export function sessionMark(session: string): string {
  return `${session.slice(0, session.indexOf(':'))}:${shortId(session)}`.replaceAll('`', "'")
}

/** Where it can be read: the article, the day, the session or the commit. */
export function citationText({ article, journal, day, session, kind, id }: AskSource): string {
  return [
    article ? wikilink(article.path, article.title) : '',
    journal ? wikilink(journal, day) : kind === 'article' ? '' : day,
    session ? `\`${sessionMark(session)}\`` : kind === 'commit' ? `commit \`${id.slice(0, 10)}\`` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
