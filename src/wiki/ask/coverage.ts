// Measures whether a text is about the question: the shared terms, relative to the question and to
// the text.

import type { QueryTerm } from '../../search/plan.ts'
import { hashTerm } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'

export interface Coverage {
  asked: number
  shared: number
  /** Weight of the shared terms, relative to the question and to the text. */
  ofQuestion: number
  ofText: number
}

export function coverage(wanted: readonly QueryTerm[], text: string, plan: (text: string) => QueryTerm[]): Coverage {
  const has = new Set(termsOf(text).map(hashTerm))
  const shared = wanted.filter(({ hash, relatives }) => has.has(hash) || relatives.some((one) => has.has(one)))
  const weight = weightOf(shared)
  return {
    asked: wanted.length,
    shared: shared.length,
    ofQuestion: weight / weightOf(wanted),
    ofText: weight / weightOf(plan(text)),
  }
}

/** In a small ledger, the weight of a frequent word would be zero. */
const minWeight = 1

function weightOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + Math.max(minWeight, weight), 0) || 1
}

/**
 * One shared word is chance, unless the question has only one. A bug report has many terms that its
 * cause does not repeat, and a commit has few: then both sides count. Tuned on the reports of the
 * decisions benchmark and on unrelated ones.
 */
export function isRelevant({ asked, shared, ofQuestion, ofText }: Coverage): boolean {
  if (shared < Math.min(2, asked)) return false
  return ofQuestion >= 0.4 || (shared >= 4 && ofQuestion + ofText >= 0.42)
}

/** An answer to a short question must contain half of its words. */
export function coversHalf({ asked, shared }: Coverage): boolean {
  return asked > maxAsked || shared * 2 >= asked
}

const maxAsked = 6

/** In a longer question, unmentioned words mean nothing. */
export const maxWords = 12

export function unmentionedWords(question: string, isMentioned: (term: string) => boolean): string[] {
  const words = question.match(/[\p{L}\p{N}_]+/gu) ?? []
  const isMissing = (word: string) => {
    const terms = termsOf(word).filter((term) => !term.startsWith('~'))
    return terms.length > 0 && !terms.some(isMentioned)
  }
  return [...new Set(words.filter(isMissing))]
}
