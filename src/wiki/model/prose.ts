// Sanitises text by a model: no headings, no HTML, no images, and only links to pages of the vault.
// The model has read untrusted text, so its output is untrusted, too.
import { redact } from '../../core/redact/redact.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { oneLine } from '../../text/truncate.ts'
import { wikilink, wikilinksIn } from '../links.ts'

/** Returns one line of about `max` characters; `pathOf` resolves links. */
export function modelProse(text: string, max: number, pathOf: (target: string) => string | undefined): string {
  const links: string[] = []
  let line = wellTicked(redactedLine(text))
  for (const { target, shown, from, to } of wikilinksIn(line).reverse()) {
    const path = links.length < maxLinks ? pathOf(target) : undefined
    const words = shown ?? target
    if (path !== undefined) links.push(wikilink(path, words))
    line = line.slice(0, from) + (path === undefined ? words : placeholder(links.length - 1)) + line.slice(to)
  }
  const escaped = escapeMarkdown(isRule.test(line) ? '' : line, max)
  return escaped.replace(placeholders, (sign) => links[sign.charCodeAt(0) - firstPlaceholder] ?? '')
}

/** A title or alias without characters that have a meaning in links, headings or tables. */
export function modelName(text: string, max: number): string {
  const line = oneLine(redactedLine(text).replace(/[[\]<>|#^`*\\%]/g, ' '))
  return line.length <= max && /[\p{L}\p{N}]/u.test(line) ? line : ''
}

/** Private-use characters stand for links while the rest is escaped. */
const firstPlaceholder = 0xe000
const maxLinks = 1000
const placeholders = /[\ue000-\uf8ff]/g
const placeholder = (index: number) => String.fromCharCode(firstPlaceholder + index)

/** A model may assemble a secret from parts. */
function redactedLine(text: string): string {
  return oneLine(redact([text]).texts[0]!.replace(placeholders, ''))
}

/** A thematic break, or an underline that makes the line above a heading. */
const isRule = /^[-=*_\s]*$/

/** Normalises backticks, so that all Markdown parsers agree on what is code. */
function wellTicked(line: string): string {
  return line.replace(/\\+(?=`)/g, '').replace(/`{2,}/g, '`')
}
