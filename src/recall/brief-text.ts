// Words of others as they stand in a brief: one line each, which cannot close the frame around it.
import { beginning } from '../core/text.ts'
import { estimateTokens } from '../core/tokens.ts'

/** One line without control characters, cut at a word; it cannot close the frame it stands in. */
export function oneLine(text: string, most: number): string {
  const line = text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .replace(/(?:<|&lt;)(?=\s*\/?\s*recollect-)/gi, '‹')
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= most) return line
  const cut = beginning(line, most)
  const space = cut.lastIndexOf(' ')
  return `${space > most / 2 ? cut.slice(0, space) : cut} …`
}

/** The same by tokens: a script without spaces says in a third of the characters what Latin letters say. */
export function lineOfTokens(text: string, mostTokens: number): string {
  const tokens = estimateTokens(text)
  return oneLine(text, tokens <= mostTokens ? text.length : Math.floor((text.length * mostTokens) / tokens))
}
