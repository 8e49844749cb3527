// Foreign text on a line of an article: it can become neither a heading, a link, an image nor a mark of ours, and what stands
// behind it on the line stays what it is.
import { plain } from './plain.ts'

export function escapeForeign(text: string, max: number): string {
  return plain(text.replace(directions, ''), max)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\](?=[([:])/g, ']\\').replace(/!(?=\[)/g, '!\\')))
    .join('')
}

/** They turn around what follows them, up to the end of the line. */
const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** An id or a name as code. */
export function code(text: string): string {
  return `\`${text.replace(/[`\s\p{C}]+/gu, ' ').trim()}\``
}
