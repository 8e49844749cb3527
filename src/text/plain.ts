// Foreign text (prompts, replies, a model's words) as one line of Markdown that can neither break the file it stands in nor
// become a link, a tag or a comment there.
import { oneLine, truncate } from './truncate.ts'

/** One line, cut at the end of a sentence or at a word. */
export function plain(text: string, max: number): string {
  return escaped(shortened(oneLine(text), max))
}

/** What a prompt says, in one line: its headings and lists without their marks, a pasted block left out. */
export function asked(text: string, max: number): string {
  const lines = withoutCode(text).split('\n').map(withoutMarks)
  return plain(lines.join(' ').trim() || text, max)
}

/** What a reply says first: its opening sentences, or the list that they announce. */
export function gist(text: string, max: number): string {
  const lines = withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#{1,6}\s|\||[-*_=]{3,}\s*$|!\[|<[/!a-z])/i.test(line))
  const isItem = (line: string) => /^\s*(?:[-*+•]|\d{1,2}[.)])\s/.test(line)
  const list = lines.findIndex(isItem)
  const opening = withoutEmphasis(lines.slice(0, list < 0 ? undefined : list).join(' '))
  const items = list < 0 ? [] : lines.slice(list).filter(isItem).map(withoutMarks).map(withoutEmphasis)
  const says = opening.length < 60 || opening.endsWith(':') ? `${opening} ${items.join('; ')}` : opening
  return plain(says.trim() || text, max)
}

/** Takes the escapes out again, for where no Markdown is shown. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replace(/\\([[#%$>+*=|.)-])/g, '$1')
}

/** Without fenced code and without blocks of search and replace; one that is cut off goes to the end. */
function withoutCode(text: string): string {
  return text
    .replace(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm, '')
    .replace(/^<{5,} SEARCH[\s\S]*?(?:^>{5,} REPLACE.*$|$(?![\s\S]))/gm, '')
}

function withoutMarks(line: string): string {
  return line.replace(/^[\s>]*(?:#{1,6}|[-*+•]|\d{1,2}[.)]|[-*_=]{3,}$)(?:\s+|$)/, '').trim()
}

function withoutEmphasis(text: string): string {
  return oneLine(text.replace(/\*\*|__/g, ''))
}

function shortened(line: string, max: number): string {
  if (line.length <= max) return line
  const cut = truncate(line, max)
  const sentence = /^.*[.!?](?=\s)/.exec(cut)?.[0]
  if (sentence && sentence.length > max / 2) return sentence
  const space = cut.lastIndexOf(' ')
  return `${space > max / 2 ? cut.slice(0, space) : cut} …`
}

/** Code in backticks is left as it is: nothing in it is read as Markdown. */
function escaped(line: string): string {
  return wellTicked(line)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapedPart(part)))
    .join('')
    .replace(/^([#>+*=|-])(?=\s|$)/, '\\$1')
    .replace(/^(\d+)([.)])(?=\s)/, '$1\\$2')
}

/** Single backticks, none escaped, each closed: then everybody agrees on what is code, and it ends where the text does. */
function wellTicked(line: string): string {
  const single = line.replace(/\\+(?=`)/g, '').replace(/`{2,}/g, '`')
  const isOdd = (single.match(/`/g)?.length ?? 0) % 2 === 1
  const last = single.lastIndexOf('`')
  return isOdd ? `${single.slice(0, last)}'${single.slice(last + 1)}` : single
}

function escapedPart(text: string): string {
  return text
    .replace(/<(?=[!/?A-Za-z])/g, '&lt;')
    .replace(/\\*\[(?=\[)/g, '\\[')
    .replace(/%(?=%)/g, '%\\')
    .replace(/\$(?=\$)/g, '$\\')
    .replace(/(^|[\s([])#(?=[\p{L}_])/gu, '$1\\#')
}
