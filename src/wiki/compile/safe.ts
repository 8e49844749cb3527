// Foreign text on a line of an article: it can become neither a heading, a link, an image nor a mark of ours, and what stands
// behind it on the line stays what it is.
import { plain } from '../../journal/plain.ts'

export function safe(text: string, most: number): string {
  return plain(text, most)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/\](?=[([:])/g, ']\\').replace(/!(?=\[)/g, '!\\')))
    .join('')
}

/** An id or a name as code. */
export function code(text: string): string {
  return `\`${text.replace(/[`\s\p{C}]+/gu, ' ').trim()}\``
}
