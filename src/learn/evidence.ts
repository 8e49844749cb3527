// Finds the quote of a model's answer in the text that it was shown. A memory without a real quote
// has no evidence and is dropped.
import type { MemoryTrust } from '../memory/memory.ts'
import { splitSentences } from '../text/sentences.ts'
import { sharedCount } from '../text/similarity.ts'
import { statementTermSet } from '../text/statement.ts'
import type { Utterance } from './exchanges.ts'

export interface QuoteMatch {
  utterance: Utterance
  /** The words as they stand in the utterance. */
  quote: string
  trust: MemoryTrust
}

/** `place` is the index that the model gave; it may be wrong. */
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

/** Small models misquote: three quarters of the terms must occur in the sentence. */
function nearest(text: string, quote: string): string | undefined {
  const wanted = statementTermSet(quote)
  if (wanted.size < 3) return undefined
  return splitSentences(text).find((sentence) => sharedCount(wanted, statementTermSet(sentence)) >= wanted.size * 0.75)
}
