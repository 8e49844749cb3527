// Whether somebody really said it: a model's quote is looked for in the words that it was shown.
import type { MemoryTrust } from '../memory/memory.ts'
import { splitSentences } from '../text/sentences.ts'
import { sharedCount } from '../text/similarity.ts'
import { statementTermSet } from '../text/statement.ts'
import type { Utterance } from './exchanges.ts'

export interface QuoteMatch {
  utterance: Utterance
  /** The words as they stand there. */
  quote: string
  trust: MemoryTrust
}

/** `place` is where the model says it stands; it may be mistaken. */
export function findQuote(said: readonly Utterance[], quote: string, place: number): QuoteMatch | undefined {
  const inOrder = said[place] ? [said[place], ...said.filter((_, index) => index !== place)] : said
  for (const utterance of inOrder) {
    if (holds(utterance.prompt, quote)) return { utterance, quote: quote.trim(), trust: 'user said' }
  }
  for (const utterance of inOrder) {
    if (holds(`${utterance.before}\n${utterance.after}`, quote))
      return { utterance, quote: quote.trim(), trust: 'agent said' }
  }
  for (const utterance of inOrder) {
    const sentence = nearest(utterance.prompt, quote)
    if (sentence) return { utterance, quote: sentence, trust: 'user said' }
  }
  return undefined
}

function holds(text: string, quote: string): boolean {
  const wanted = plain(quote)
  return wanted.length > 7 && plain(text).includes(wanted)
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Small models copy with small mistakes; most of what they quote must be there. */
function nearest(text: string, quote: string): string | undefined {
  const wanted = statementTermSet(quote)
  if (wanted.size < 3) return undefined
  return splitSentences(text).find((sentence) => sharedCount(wanted, statementTermSet(sentence)) >= wanted.size * 0.75)
}
