// Prompts and replies as one line of a journal entry.
import { escapeMarkdown } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'

/** A prompt on one line: headings and lists without their marks, pasted blocks left out. */
export function promptSummary(text: string, max: number): string {
  const lines = withoutCode(text).split('\n').map(withoutMarks)
  return escapeMarkdown(lines.join(' ').trim() || text, max)
}

/** The beginning of a reply: its opening sentences, or the list that they announce. */
export function replySummary(text: string, max: number): string {
  const lines = withoutCode(text)
    .split('\n')
    .filter((line) => !/^\s*(?:#{1,6}\s|\||[-*_=]{3,}\s*$|!\[|<[/!a-z])/i.test(line))
  const isItem = (line: string) => /^\s*(?:[-*+•]|\d{1,2}[.)])\s/.test(line)
  const list = lines.findIndex(isItem)
  const opening = withoutEmphasis(lines.slice(0, list < 0 ? undefined : list).join(' '))
  const items = list < 0 ? [] : lines.slice(list).filter(isItem).map(withoutMarks).map(withoutEmphasis)
  const summary = opening.length < 60 || opening.endsWith(':') ? `${opening} ${items.join('; ')}` : opening
  return escapeMarkdown(summary.trim() || text, max)
}

/**
 * Without fenced code and search-and-replace blocks; an unclosed one goes to the end of the text.
 */
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
