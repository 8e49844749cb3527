// Markdown as HTML. The text is foreign: HTML in it is text, only links that cannot run anything are links, nothing is loaded.
import { Marked, type Tokens } from 'marked'
import { wikilinksIn } from '../../wiki/links.ts'
import { isOurMark } from '../markdown.ts'
import { escaped, withoutUnseen } from './escape.ts'

/** The address of a page that a link names; undefined where there is none. */
export type Resolve = (target: string) => string | undefined

export function renderMarkdown(text: string, resolve: Resolve): string {
  const lines = withoutUnseen(text)
    .split(/\r?\n/)
    .filter((line) => !isOurMark(line))
  return rendererFor(resolve).parse(lines.join('\n'), { async: false })
}

function rendererFor(resolve: Resolve): Marked {
  const ids = new Set<string>()
  return new Marked({
    gfm: true,
    // Without these two, `<` is a sign like any other.
    tokenizer: { html: () => undefined, tag: () => undefined },
    extensions: [wikilinks(resolve)],
    renderer: {
      html: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const address = addressOf(href, resolve)
        return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
      },
      image: ({ text }) => `<span class="picture">${escaped(text || 'picture')}</span>`,
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idFor(text, ids)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      table(token) {
        const cells = (row: Tokens.TableCell[]) =>
          row.map(({ tokens, header }) => cell(header ? 'th' : 'td', this.parser.parseInline(tokens))).join('')
        const rows = token.rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')
        return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${cells(token.header)}</tr></thead>\n<tbody>${rows}</tbody></table></div>\n`
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`,
    },
  })
}

function cell(tag: 'th' | 'td', content: string): string {
  return tag === 'th' ? `<th scope="col">${content}</th>` : `<td>${content}</td>`
}

function wikilinks(resolve: Resolve) {
  return {
    name: 'wikilink',
    level: 'inline' as const,
    start: (source: string) => {
      const at = source.search(/!?\[\[/)
      return at < 0 ? undefined : at
    },
    tokenizer: (source: string) => {
      const raw = /^!?\[\[[^[\]\n]+?\]\]/.exec(source)?.[0]
      const link = raw === undefined ? undefined : wikilinksIn(raw)[0]
      return link && { type: 'wikilink', raw: raw!, target: link.target, shown: link.shown ?? link.target }
    },
    renderer: ({ target, shown }: { target?: string; shown?: string }) => {
      const address = resolve(target ?? '')
      const words = escaped(shown ?? '')
      return address === undefined ? words : `<a href="${escaped(address)}">${words}</a>`
    },
  }
}

/** Elsewhere, or to a file of the vault; whatever runs or reads the disk is no address. */
function addressOf(href: string, resolve: Resolve): string | undefined {
  if (/^(?:https?:\/\/|mailto:)/i.test(href)) return href
  return /^[a-z][a-z0-9+.-]*:|^[/\\]/i.test(href) ? undefined : resolve(decoded(href))
}

function decoded(href: string): string {
  const file = href.split('#')[0]!.replace(/\.md$/i, '')
  try {
    return decodeURIComponent(file).replace(/^(?:\.{1,2}\/)+/, '')
  } catch {
    return file
  }
}

function idFor(text: string, ids: Set<string>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
  let id = `h-${plain || 'part'}`
  for (let count = 2; ids.has(id); count++) id = `h-${plain || 'part'}-${count}`
  ids.add(id)
  return id
}
