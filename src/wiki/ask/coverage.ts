// Whether a text is about what was asked: how much of the question it shares, and how much of itself.

import type { QueryTerm } from '../../search/plan.ts'
import { hashTerm } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'

export interface Coverage {
  asked: number
  shared: number
  /** Of what the question weighs, and of what the text does. */
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

/** Where little is stored, a word that is in most of it would weigh nothing. */
const minWeight = 1

function weightOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + Math.max(minWeight, weight), 0) || 1
}

/**
 * One word in common is chance, unless it is all that was asked. A report says much that its cause does not repeat, and a commit
 * says little: then both sides count. Measured on the reports of the decisions benchmark, and on made-up ones about other things.
 */
export function isRelevant({ asked, shared, ofQuestion, ofText }: Coverage): boolean {
  if (shared < Math.min(2, asked)) return false
  return ofQuestion >= 0.4 || (shared >= 4 && ofQuestion + ofText >= 0.42)
}

/** What is shown as the answer to a short question has half of its words: with less, it answers another one. */
export function coversHalf({ asked, shared }: Coverage): boolean {
  return asked > maxAsked || shared * 2 >= asked
}

const maxAsked = 6

/** A longer question is a report: that not all of it is mentioned says nothing. */
export const maxWords = 12

export function unmentionedWords(question: string, isMentioned: (term: string) => boolean): string[] {
  const words = question.match(/[\p{L}\p{N}_]+/gu) ?? []
  const isMissing = (word: string) => {
    const terms = termsOf(word).filter((term) => !term.startsWith('~'))
    return terms.length > 0 && !terms.some(isMentioned)
  }
  return [...new Set(words.filter(isMissing))]
}
