// Renders Markdown as HTML. The text is untrusted: HTML in it is shown as text, only links that
// cannot run code become links, and nothing is loaded.
import { Marked, type Tokens } from 'marked'
import { removeControls } from '../text/control-characters.ts'
import { wikilinksIn } from '../wiki/links.ts'
import { isMarkerLine } from '../wiki/marker-lines.ts'
import { escapeHtml } from './html.ts'

/** Returns the URL of the page that a link or a code span names; undefined if there is none. */
type ResolveLink = (target: string) => string | undefined

/** `resolveCode` links code spans, in which the vault names sessions. */
export function renderMarkdown(text: string, resolve: ResolveLink, resolveCode: ResolveLink = () => undefined): string {
  const lines = removeControls(text)
    .split(/\r?\n/)
    .filter((line) => !isMarkerLine(line))
  return rendererFor(resolve, resolveCode).parse(lines.join('\n'), { async: false })
}

/** Removes the first heading: the page has its own. */
export function withoutTitle(text: string): string {
  return text.replace(/^\s*# .*(?:\n|$)/, '')
}

function rendererFor(resolve: ResolveLink, resolveCode: ResolveLink): Marked {
  const ids = new Set<string>()
  let isInLink = false
  return new Marked({
    gfm: true,
    // Without these two tokenizers, marked treats `<` as any other character.
    tokenizer: { html: () => undefined, tag: () => undefined },
    extensions: [wikilinks(resolve)],
    renderer: {
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const url = urlOf(href, resolve)
        // Links cannot contain links.
        isInLink = url !== undefined
        const words = this.parser.parseInline(tokens)
        isInLink = false
        return url === undefined ? words : `<a href="${escapeHtml(url)}">${words}</a>`
      },
      codespan({ text }) {
        const url = isInLink ? undefined : resolveCode(text)
        const code = `<code>${escapeHtml(text)}</code>`
        return url === undefined ? code : `<a href="${escapeHtml(url)}">${code}</a>`
      },
      image: ({ text }) => `<span class="picture">${escapeHtml(text || 'picture')}</span>`,
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
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`,
    },
  })
}

function cell(tag: 'th' | 'td', content: string): string {
  return tag === 'th' ? `<th scope="col">${content}</th>` : `<td>${content}</td>`
}

function wikilinks(resolve: ResolveLink) {
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
      const url = resolve(target ?? '')
      const words = escapeHtml(shown ?? '')
      return url === undefined ? words : `<a href="${escapeHtml(url)}">${words}</a>`
    },
  }
}

/** Allows web and mail links and files of the vault; no scripts and no files of the disk. */
function urlOf(href: string, resolve: ResolveLink): string | undefined {
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
