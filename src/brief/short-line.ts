// Shortens quoted text to one line that cannot close the tag around it.

import { estimateTokens } from '../text/tokens.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'

/** One line without control characters, cut at a word, with our tags escaped. */
export function shortLine(text: string, max: number): string {
  const line = oneLine(text).replace(/(?:<|&lt;)(?=\s*\/?\s*recollect-)/gi, '‹')
  return ellipsize(line, max)
}

/** Limits by tokens, because scripts without spaces need a third of the characters. */
export function shortLineByTokens(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text)
  return shortLine(text, tokens <= maxTokens ? text.length : Math.floor((text.length * maxTokens) / tokens))
}
