// Citations in an answer: links to the article, the journal day, the session or the commit.
import { shortId } from '../../core/session.ts'
import { wikilink } from '../links.ts'
import type { Consulted } from './retrieve.ts'

/** The longest line of an answer, in characters. */
export const maxLineLength = 2000

/** `claude-code:a673bc7e-8925`, as articles write it. */
export function sessionMark(session: string): string {
  return `${session.slice(0, session.indexOf(':'))}:${shortId(session)}`.replaceAll('`', "'")
}

/** Where it can be read: the article, the day, the session or the commit. */
export function citing({ article, journal, day, session, kind, id }: Consulted): string {
  return [
    article ? wikilink(article.path, article.title) : '',
    journal ? wikilink(journal, day) : kind === 'article' ? '' : day,
    session ? `\`${sessionMark(session)}\`` : kind === 'commit' ? `commit \`${id.slice(0, 10)}\`` : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
}
