// Text from elsewhere (prompts, replies, titles, memories) inside our Markdown files. The text can
// neither break the file nor become a link, an image, HTML, a tag or a comment in it, so that a
// program that shows the vault loads and runs nothing that it names.
import { ellipsizeSentence, oneLine } from './truncate.ts'

/** One line of Markdown that shows the text literally, cut at a sentence or a word. */
export function escapeMarkdown(text: string, max: number): string {
  return escapeLine(ellipsizeSentence(oneLine(text), max))
}

/** Code in backticks stays as it is: nothing in it is read as Markdown. */
function escapeLine(line: string): string {
  return balanceBackticks(line)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(part)))
    .join('')
    .replace(/^([#>+*=|-])(?=\s|$)/, '\\$1')
    .replace(/^(?=#{2,6}(?:\s|$)|~{3}|[-*_=]{3,}$)/, '\\')
    .replace(/^(\d+)([.)])(?=\s)/, '$1\\$2')
}

/** Single backticks, each closed, none escaped: then every renderer agrees on what is code. */
function balanceBackticks(line: string): string {
  const single = line.replace(/\\+(?=`)/g, '').replace(/`{2,}/g, '`')
  const isOdd = (single.match(/`/g)?.length ?? 0) % 2 === 1
  const last = single.lastIndexOf('`')
  return isOdd ? `${single.slice(0, last)}'${single.slice(last + 1)}` : single
}

function escapeProse(text: string): string {
  return text
    .replace(/<(?=[!/?A-Za-z])/g, '&lt;')
    .replace(/\\*\[(?=\[)/g, '\\[')
    .replace(/\](?=[([:])/g, ']\\')
    .replace(/!(?=\[)/g, '!\\')
    .replace(/%(?=%)/g, '%\\')
    .replace(/\$(?=\$)/g, '$\\')
    .replace(/(^|[\s([])#(?=[\p{L}_])/gu, '$1\\#')
}

/**
 * Text of several lines for a file that is read back: `unescapeMarkdownText` returns the same text.
 * Each sign that begins something active gets a backslash, and backslashes before it are doubled.
 */
export function escapeMarkdownText(text: string): string {
  return mapProse(text, (prose) =>
    prose
      // A backslash would become part of an address before it, so `<` is written as an entity.
      .replace(/&(?=(?:amp;)*lt;)/g, '&amp;')
      .replace(/<(?=[!/?A-Za-z])/g, '&lt;')
      .replace(activeSigns, (_, slashes: string, sign: string) => `${slashes}${slashes}\\${sign}`),
  )
}

export function unescapeMarkdownText(text: string): string {
  return mapProse(text, (prose) =>
    prose
      .replace(activeSigns, (found, slashes: string, sign: string) =>
        slashes.length % 2 === 0 ? found : `${slashes.slice((slashes.length + 1) / 2)}${sign}`,
      )
      .replace(/&((?:amp;)*)lt;/g, (_, amps: string) => (amps === '' ? '<' : `&${amps.slice('amp;'.length)}lt;`)),
  )
}

/**
 * Images, wiki links, the end of a link text, comments and formulas of Obsidian, tags, and fences,
 * whose content plugins may run.
 */
const activeSigns =
  /(\\*)(!(?=\\*\[)|\[(?=\\*\[)|\](?=\\*[([:])|%(?=\\*%)|\$(?=\\*\$)|(?<=^\\*|[\s([]\\*)#(?=[\p{L}_])|(?<=^[ \t>]*\\*)(?:`{3}|~{3}))/gmu

/** Applies the function outside of code spans, if every reader agrees on where these are. */
function mapProse(text: string, map: (prose: string) => string): string {
  const isPlain =
    !/\\`|``|^[\s>]*\\*\[/m.test(text) && text.split('\n').every((line) => line.split('`').length % 2 === 1)
  if (!isPlain) return map(text)
  return text
    .split(/(`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : map(part)))
    .join('')
}

/**
 * Prose on one line without emphasis and addresses of links. Code and names with underscores stay as they
 * are: `__dirname`, `a__b`, `src/**`.
 */
export function withoutEmphasis(text: string): string {
  return oneLine(
    text
      .split(/(`[^`\n]*`)/)
      .map((part, index) => (index % 2 === 1 ? part : plainProse(part)))
      .join(''),
  )
}

/** Links and emphasis have limited lengths: otherwise a text of many opening marks takes quadratic time. */
function plainProse(text: string): string {
  return text
    .replace(/[\u2500-\u257f]+/g, ' ')
    .replace(/(?<![\w/*])\*\*(?=[^\s/])|(?<=[^\s/])\*\*(?![\w/*])/g, '')
    .replace(/(?<![\w/])__([^\s_][^_\n]{0,300})__(?![\w/])/g, (whole, inner) => (/\S\s+\S/.test(inner) ? inner : whole))
    .replace(/\[([^[\]]{1,300})\]\([^)\s]{1,1000}\)/g, '$1')
    .replace(/(^|[\s(])\*([^\s/](?:[^*\n]{0,300}\S)?)\*(?=[\s).,;:!?]|$)/g, '$1$2')
}

/** Removes the escapes again, for output that is not Markdown. */
export function unescapeMarkdown(text: string): string {
  return text.replaceAll('&lt;', '<').replace(/\\([[#%$>+*=|.():~_-])/g, '$1')
}

/** An id or a name as inline code. */
export function inlineCode(text: string): string {
  return `\`${text.replace(/[`\s\p{C}]+/gu, ' ').trim()}\``
}

/** Which lines belong to fenced code. A fence that is never closed is treated as text. */
export function closedFences(lines: readonly string[]): boolean[] {
  const isCode = lines.map(() => false)
  for (let from = 0; from < lines.length; from++) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[from]!)?.[1]
    if (!fence) continue
    const to = lines.findIndex((line, at) => at > from && closesFence(line, fence))
    if (to < 0) continue
    isCode.fill(true, from, to + 1)
    from = to
  }
  return isCode
}

function closesFence(line: string, fence: string): boolean {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?$/.exec(line)?.[1]
  return found !== undefined && found[0] === fence[0] && found.length >= fence.length
}
