// Words of others as they stand in a brief: one line each, which cannot close the frame around it.
import { beginning, oneLine } from '../core/text.ts'
import { estimateTokens } from '../core/tokens.ts'

/** One line without control characters, cut at a word; it cannot close the frame it stands in. */
export function shortLine(text: string, most: number): string {
  const line = oneLine(text).replace(/(?:<|&lt;)(?=\s*\/?\s*recollect-)/gi, '‹')
  if (line.length <= most) return line
  const cut = beginning(line, most)
  const space = cut.lastIndexOf(' ')
  return `${space > most / 2 ? cut.slice(0, space) : cut} …`
}

/** The same by tokens: a script without spaces says in a third of the characters what Latin letters say. */
export function lineOfTokens(text: string, mostTokens: number): string {
  const tokens = estimateTokens(text)
  return shortLine(text, tokens <= mostTokens ? text.length : Math.floor((text.length * mostTokens) / tokens))
}
