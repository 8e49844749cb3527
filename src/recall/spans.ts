// Where a text has the terms of a question: what a snippet shows and marks. Places are those of the text itself, whatever
// folding does to it.
import { termsOf } from '../core/terms.ts'

export interface Span {
  at: number
  length: number
  /** The wanted terms that are there. */
  terms: string[]
}

/** In order; what overlaps is one. */
export function matchingSpans(text: string, wanted: ReadonlySet<string>): Span[] {
  const spans: Span[] = []
  for (const { at, length, terms } of wordsOf(text)) {
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

/** Words with the terms that they give; of a script without spaces, every two neighbours. */
function* wordsOf(text: string): Generator<Span> {
  for (const { 0: word, index } of text.matchAll(words)) {
    if (!dense.test(word)) yield { at: index, length: word.length, terms: termsOf(word) }
    else
      for (let at = 0; at < word.length; at++) {
        const pair = word.slice(at, at + 2)
        yield { at: index + at, length: pair.length, terms: termsOf(pair).slice(0, 1) }
      }
  }
}

const words = /[\p{L}\p{N}\p{M}_]+(?:['’](?:s|t|re|ve|ll|d|m)\b)?/gu
const dense = /[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
