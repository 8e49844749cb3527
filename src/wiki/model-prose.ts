// Sanitises text by a model: one line, no headings, no HTML, no images, no links. The model has read
// untrusted text, so its output is untrusted, too.
import { redact } from '../core/redact/redact.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'
import { wikilinksIn } from './links.ts'

/** One line of Markdown of about `max` characters, cut after a sentence. */
export function modelProse(text: string, max: number): string {
  const line = redactedLine(text)
  const plain = wikilinksIn(line).reduceRight(
    (whole, { target, shown, from, to }) => whole.slice(0, from) + (shown ?? target) + whole.slice(to),
    line,
  )
  // A thematic break, or an underline that makes the line above a heading.
  return /^[-=*_\s]*$/.test(plain) ? '' : escapeMarkdown(plain, max)
}

/** A title or alias without characters that have a meaning in links, headings or tables. */
export function modelName(text: string, max: number): string {
  const line = oneLine(redactedLine(text).replace(/[[\]<>|#^`*\\%]/g, ' '))
  return line.length <= max && /[\p{L}\p{N}]/u.test(line) ? line : ''
}

/** A model may assemble a secret from parts. */
function redactedLine(text: string): string {
  return oneLine(redact([text]).texts[0]!)
}
