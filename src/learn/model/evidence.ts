// Finds the quote of a model's answer in the text that it was shown. Models leave words out, mend
// the spelling and join lines, so words are compared one by one. A memory without a real quote has
// no evidence and is dropped.
import type { MemoryTrust } from '../../memory/memory.ts'
import { splitSentences } from '../../text/sentences.ts'
import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet } from '../../text/statement.ts'
import type { Utterance } from '../exchanges.ts'

export interface QuoteMatch {
  utterance: Utterance
  /** The words as they stand in the utterance. */
  quote: string
  trust: MemoryTrust
}

/** `place` is the index that the model gave; it may be wrong. */
export function findQuote(said: readonly Utterance[], quote: string, place: number): QuoteMatch | undefined {
  const inOrder = said[place] ? [said[place], ...said.filter((_, index) => index !== place)] : said
  for (const isExact of [true, false]) {
    const find = isExact ? exactly : loosely
    for (const utterance of inOrder) {
      const words = find(utterance.prompt, quote)
      if (words !== undefined) return { utterance, quote: words, trust: 'user said' }
    }
    for (const utterance of inOrder) {
      const words = find(`${utterance.before}\n${utterance.after}`, quote)
      if (words !== undefined) return { utterance, quote: words, trust: 'agent said' }
    }
  }
  for (const utterance of inOrder) {
    const sentence = nearest(utterance.prompt, quote)
    if (sentence) return { utterance, quote: sentence, trust: 'user said' }
  }
  return said[place] && agreement(said[place], quote)
}

const minQuoteLength = 8

function exactly(text: string, quote: string): string | undefined {
  const wanted = plain(quote)
  return wanted.length >= minQuoteLength && plain(text).includes(wanted) ? quote.trim() : undefined
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * The passage that contains the words of the quote in their order, where words may be spelled
 * slightly differently and left out at an ellipsis.
 */
function loosely(text: string, quote: string): string | undefined {
  if (plain(quote).length < minQuoteLength) return undefined
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)]
  let from = 0
  let first: number | undefined
  for (const part of quote.split(/\s*(?:\[\s*)?(?:\.{3,}|…)(?:\s*\])?\s*/)) {
    const wanted = plain(part).split(' ').filter(Boolean)
    if (wanted.length === 0) continue
    const at = placeOf(words, wanted, from)
    if (at === undefined) return undefined
    first ??= at
    from = at + wanted.length
  }
  if (first === undefined) return undefined
  const last = words[from - 1]!
  return text.slice(words[first]!.index, last.index + last[0].length)
}

/** Share of the words of a quote that may be wrong. */
const maxWrong = 0.15

function placeOf(words: readonly RegExpMatchArray[], wanted: readonly string[], from: number): number | undefined {
  const allowed = Math.floor(wanted.length * maxWrong)
  for (let at = from; at + wanted.length <= words.length; at++) {
    let wrong = 0
    for (let index = 0; index < wanted.length && wrong <= allowed; index++)
      if (!isSpelledAlike(words[at + index]![0].toLowerCase(), wanted[index]!)) wrong++
    if (wrong <= allowed) return at
  }
  return undefined
}

/** One letter more, less or other, or two neighbours swapped; two in long words. */
function isSpelledAlike(one: string, other: string): boolean {
  if (one === other) return true
  const length = Math.max(one.length, other.length)
  if (length < 3 || /\d/.test(one + other)) return false
  return editDistance(one, other) <= (length > 7 ? 2 : 1)
}

function editDistance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++) {
      const isSame = one[at - 1] === other[to - 1]
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      next[to] = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (isSame ? 0 : 1))
      if (isSwapped) next[to] = Math.min(next[to]!, before[to - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[other.length]!
}

/** Small models misquote: three quarters of the terms must occur in the sentence. */
function nearest(text: string, quote: string): string | undefined {
  const wanted = statementTermSet(quote)
  if (wanted.size < 3) return undefined
  return splitSentences(text).find((sentence) => sharedCount(wanted, statementTermSet(sentence)) >= wanted.size * 0.75)
}

/** A word such as "yes" that begins the message: the user agreed to what the agent had said. */
function agreement(utterance: Utterance, quote: string): QuoteMatch | undefined {
  const word = plain(quote)
  if (!assent.test(`${word} `) || !`${plain(utterance.prompt)} `.startsWith(`${word} `)) return undefined
  return { utterance, quote: quote.trim(), trust: 'agent said' }
}

/** Longer messages say more than yes: their own words are the evidence. */
const maxConfirmation = 200

/**
 * The words with which the user confirmed what the agent had said, which makes it a statement of
 * the user.
 */
export function findConfirmation(utterance: Utterance | undefined): QuoteMatch | undefined {
  if (!utterance || utterance.before === '') return undefined
  const [first = ''] = splitSentences(utterance.prompt.slice(0, 1000))
  const said = `${plain(first)} `
  if (first.length > maxConfirmation || !(assent.test(said) || confirming.test(said))) return undefined
  return { utterance, quote: first.trim(), trust: 'user said' }
}

const assent =
  /^(?:yes|yeah|yep|yup|ok|okay|sure|right|correct|exactly|agreed|indeed|perfect|great|ja|genau|stimmt|oui|exactement|s[ií]|claro|exacto|sim|certo|esatto|да|верно|точно|はい|そう|네|예|맞아|是|对|好)(?:\s|$)/u
const confirming =
  /^(?:that(?: s| is| was) (?:it|right|correct|the (?:problem|cause|issue|reason))|(?:it|this|that)(?: s| is)? (?:works?|working|fixed)(?: now)?|you(?: re| are) right|sounds good|makes sense|works now|great catch|good (?:catch|find|point))(?:\s|$)/u
