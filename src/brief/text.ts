// Words of others as they stand in a brief: one line each, which cannot close the frame around it.

import { estimateTokens } from '../text/tokens.ts'
import { oneLine, truncate } from '../text/truncate.ts'

/** One line without control characters, cut at a word; it cannot close the frame it stands in. */
export function shortLine(text: string, max: number): string {
  const line = oneLine(text).replace(/(?:<|&lt;)(?=\s*\/?\s*recollect-)/gi, '‹')
  if (line.length <= max) return line
  const cut = truncate(line, max)
  const space = cut.lastIndexOf(' ')
  return `${space > max / 2 ? cut.slice(0, space) : cut} …`
}

/** The same by tokens: a script without spaces says in a third of the characters what Latin letters say. */
export function lineOfTokens(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text)
  return shortLine(text, tokens <= maxTokens ? text.length : Math.floor((text.length * maxTokens) / tokens))
}
