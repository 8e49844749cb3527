// Where a text has the terms of a question: what a snippet shows and marks. Places are those of the text itself, whatever
// folding does to it.
import { irregularForms } from '../text/irregular.ts'
import { termsOf } from '../text/terms.ts'

export interface Span {
  at: number
  length: number
  /** The wanted terms that are there. */
  terms: string[]
}

/** In order; what overlaps is one. */
export function matchingSpans(text: string, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = []
  for (const { at, length, terms } of wordsOf(text, wanted)) {
    const found = terms.filter((term) => wanted.has(term))
    const last = spans.at(-1)
    if (found.length === 0) continue
    if (last && at < last.at + last.length) {
      last.length = at + length - last.at
      last.terms.push(...found)
    } else spans.push({ at, length, terms: found })
  }
  return spans
}

/** Words with the terms that they give; of a script without spaces, every two neighbours. Not those that cannot be meant. */
function* wordsOf(text: string, wanted: ReadonlySet<string>): Generator<Span> {
  const beginnings = new Set([...wanted].map(beginningOf))
  for (const { 0: word, index } of text.matchAll(isAscii.test(text) ? asciiWords : allWords)) {
    if (isPlain.test(word) && !mayGive(word.toLowerCase(), beginnings)) continue
    if (!dense.test(word)) yield { at: index, length: word.length, terms: termsOf(word) }
    else
      for (let at = 0; at < word.length; at++) {
        const pair = word.slice(at, at + 2)
        yield { at: index + at, length: pair.length, terms: termsOf(pair).slice(0, 1) }
      }
  }
}

const isAscii = /^[\u0000-\u007f]*$/
const asciiWords = /[A-Za-z0-9_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/g
const allWords = /[\p{L}\p{N}\p{M}_]+(?:['’](?:s|t|re|ve|ll|d|m)\b)?/gu
const dense = /[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** One word, and not several in one name. */
const isPlain = /^[A-Za-z][a-z]{2,}$/

/**
 * Taking a word apart costs more than all else here, and most of a long text is told by how its words begin: a stem begins with
 * the same two letters as its word.
 */
function mayGive(word: string, beginnings: ReadonlySet<string>): boolean {
  return beginnings.has(beginningOf(word)) || irregularForms.has(word) || mayShrink.test(word)
}

/** Words that may lose all letters but one. */
const mayShrink = /^(?:y|ies$|[aeiouv][vy]?(?:ing|ed)s?$)/

/** A y that ends a stem becomes an i. */
function beginningOf(term: string): string {
  return term[0]! + (term[1] === 'y' ? 'i' : term[1])
}
