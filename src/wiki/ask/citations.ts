// Sources of an answer, and the links that cite them: the article, the journal day, the session or
// the commit.
import type { AnswerItem } from '../../recall/compose.ts'
import { sessionName } from '../compile/statement-text.ts'
import { wikilink } from '../links.ts'

export interface AskSource {
  kind: AnswerItem['kind'] | 'article'
  /** Session, commit hash, memory id or article path. */
  id: string
  text: string
  /** Share of the subject of the question that it mentions, 0 to 1. */
  share: number
  session: string | null
  /** Place of the message in the session; null if it is not known. */
  seq: number | null
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
  /** Number of sources that a brief answer leaves out. */
  more: number
  /** `passages`, or the model that answered. */
  by: string
}

/** In characters. */
export const maxLineLength = 2000

/** `claude-code:a673bc7e-8925`, as in articles. */
export function sessionMark(session: string): string {
  return sessionName(session).replaceAll('`', "'")
}

/** Links to the article and the day, then names what `recollect show` opens: event, memory or commit. */
export function citationText(source: AskSource): string {
  const { article, journal, day, kind } = source
  return [
    article ? wikilink(article.path, article.title) : '',
    journal ? wikilink(journal, day) : kind === 'article' ? '' : day,
    originText(source),
  ]
    .filter((part) => part !== '')
    .join(', ')
}

function originText({ session, seq, kind, id }: AskSource): string {
  if (session !== null) return `\`${sessionMark(session)}${seq === null ? '' : `#${seq}`}\``
  if (kind === 'commit') return `commit \`${id.slice(0, 10)}\``
  return kind === 'memory' ? `memory \`${id}\`` : ''
}
