// How an answer quotes and cites: foreign words as Markdown that says nothing but itself, sources as links.
import { shortId } from '../../core/session.ts'
import { plain } from '../../text/plain.ts'
import { wikilink } from '../links.ts'
import type { Consulted } from './retrieve.ts'

const longestLine = 2000

/** One line in which nothing is a link, an image, a heading or HTML. Code stays as it is. */
export function harmless(text: string): string {
  return plain(text, longestLine)
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/\](?=[(:[])/g, ']\\')))
    .join('')
    .replace(/^(?=#{1,6}\s|`{3}|~{3}|[-*_=]{3,}$)/, '\\')
}

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
