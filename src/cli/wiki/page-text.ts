// Renders Markdown pages of the vault for a terminal: headings, wrapped paragraphs and lists, links as
// names. Frontmatter, comments and escapes are left out.
import { splitFrontmatter } from '../../core/vault/frontmatter.ts'
import { ageText } from '../../memory/age.ts'
import { closedFences, unescapeMarkdown } from '../../text/markdown.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import { wikilinksIn } from '../../wiki/links.ts'
import { type Terminal, wrapText } from '../terminal.ts'

interface PageTextOptions extends Pick<Terminal, 'columns' | 'style'> {
  /** Days of the journal are shown with their age. */
  nowMs: number
}

/** Longer lines are hard to read. */
export const maxColumns = 80

export function pageText(markdown: string, given: PageTextOptions): string {
  const options = { ...given, columns: Math.min(given.columns, maxColumns) }
  const body = splitFrontmatter(markdown)?.body ?? markdown
  const text = body.replace(/<!--[\s\S]*?-->\r?\n?/g, '')
  const lines = text.split(/\r?\n/)
  const isCode = closedFences(lines)
  const shown = lines.flatMap((line, at) => (isCode[at] ? [line] : lineText(line, options)))
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Names of articles that a page links to, as `recollect wiki show` takes them. */
export function linkedArticles(markdown: string): string[] {
  return [...new Set(wikilinksIn(markdown).flatMap(({ target }) => articleName(target) ?? []))]
}

function articleName(target: string): string | undefined {
  return /^wiki\/(?:concepts|connections|answers)\/(.+)$/.exec(target)?.[1]
}

function lineText(line: string, { columns, style, nowMs }: PageTextOptions): string[] {
  const heading = /^(#{1,6})\s+(.*)$/.exec(line)
  if (heading) return wrapText(inlineText(heading[2]!, nowMs), columns).map(style.bold)
  const facts = /^_(.*)_$/.exec(line)?.[1]
  if (facts !== undefined) return wrapText(inlineText(facts, nowMs), columns).map(style.dim)
  const part = /^\*\*([^*]+)\*\*/.exec(line)?.[1]
  if (part !== undefined) {
    const [first = '', ...rest] = wrapText(inlineText(line, nowMs), columns)
    return [`${style.bold(first.slice(0, part.length))}${first.slice(part.length)}`, ...rest]
  }
  const [, indent = '', mark = '', rest = ''] = /^(\s*)((?:[-*+]|\d+[.)]|>) +)?(.*)$/.exec(line) ?? []
  const bullet = mark.startsWith('>') ? '| ' : mark.replace(/^[-*+]/, '-')
  const room = columns - indent.length - bullet.length
  return wrapText(inlineText(rest, nowMs), room).map((part, at) => {
    const before = at === 0 || mark.startsWith('>') ? bullet : ' '.repeat(bullet.length)
    return `${indent}${before}${part}`.trimEnd()
  })
}

/** Links as names; an article whose name differs from its title has the name behind it. */
function inlineText(text: string, nowMs: number): string {
  const links = wikilinksIn(text)
  const linked = links.reduceRight((whole, { target, shown, from, to }) => {
    const day = /^journal\/(\d{4}-\d\d-\d\d)$/.exec(target)?.[1]
    return whole.slice(0, from) + (day ? dayText(day, nowMs) : linkText(target, shown)) + whole.slice(to)
  }, text)
  return linked
    .split(/(`[^`]+`)/)
    .map((part, at) =>
      at % 2 === 1 ? part : unescapeMarkdown(part).replace(/(?<![\w*])(\*\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)/g, '$2'),
    )
    .join('')
}

function dayText(day: string, nowMs: number): string {
  const age = ageText(`${day}T00:00:00.000Z`, nowMs)
  return age === '' ? day : `${day}, ${age}`
}

function linkText(target: string, shown: string | null): string {
  const name = articleName(target)
  const title = shown ?? name ?? target
  const isSame = name === undefined || slugKey(slugOf(title)) === slugKey(name)
  return isSame ? title : `${title} (${name})`
}
