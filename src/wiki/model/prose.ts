// What a model wrote, as Markdown that is text and nothing else: no headings, no HTML, no pictures, and of links only those that
// lead to a page of the vault. It has read what others wrote, so it is trusted no more than they are.
import { redact } from '../../core/redact.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { oneLine } from '../../text/truncate.ts'
import { wikilink, wikilinksIn } from '../links.ts'

/** One line of at most about `most` characters; `pathOf` gives the page that a link means, if there is one. */
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

/** A title, an alias: without anything that means something in a link, a heading or a table. */
export function modelName(text: string, max: number): string {
  const line = oneLine(redactedLine(text).replace(/[[\]<>|#^`*\\%]/g, ' '))
  return line.length <= max && /[\p{L}\p{N}]/u.test(line) ? line : ''
}

/** Signs that no text has of its own stand for links while the rest is escaped. */
const firstPlaceholder = 0xe000
const maxLinks = 1000
const placeholders = /[\ue000-\uf8ff]/g
const placeholder = (index: number) => String.fromCharCode(firstPlaceholder + index)

/** What a model writes may hold a secret that it put together. */
function redactedLine(text: string): string {
  return oneLine(redact([text]).texts[0]!.replace(placeholders, ''))
}

/** A line that would draw a rule, or make a heading of the one above it. */
const isRule = /^[-=*_\s]*$/

/** Single backticks, and none of them escaped: then everybody agrees on what is code. */
function wellTicked(line: string): string {
  return line.replace(/\\+(?=`)/g, '').replace(/`{2,}/g, '`')
}
