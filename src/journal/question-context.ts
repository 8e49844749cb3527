// Questions and proposals of the agent as they can be read alone: one about "it" stands with the sentence
// before it.
import { contentWords } from '../text/content-words.ts'
import { firstSentences, statementsOf } from './prose.ts'

/** Empty if the question says nothing without a sentence that is not there. */
export function questionInContext(question: string, reply: string): string {
  const asked = firstSentences(question, 320)
  if (!needsContext(asked)) return asked
  if (/#\d\b/.test(asked)) return ''
  const statements = statementsOf(reply)
  const place = statements.findLastIndex((text) => text.includes(asked))
  const before = statements[(place < 0 ? statements.length : place) - 1] ?? ''
  return isUsable(before) ? `${before} ${asked}` : ''
}

/** The last statement of a reply that shares a word with what was answered; else empty. */
export function proposalAnswered(answer: string, reply: string): string {
  const words = new Set(contentWords(answer))
  return (
    statementsOf(reply).findLast((text) => isUsable(text) && contentWords(text).some((word) => words.has(word))) ?? ''
  )
}

/** The last statement of a reply, if it is short enough to be quoted. */
export function lastStatement(reply: string): string {
  const last = statementsOf(reply).at(-1) ?? ''
  return isUsable(last) ? last : ''
}

/** Names nothing, or something by a pronoun only. */
export function needsContext(text: string): boolean {
  const words = new Set(contentWords(text.replace(vagueWords, ' ')))
  const hasPronoun = /\b(?:it|them|these|those|both|either|this|that|the same|\w+ (?:thing|one)s?)\b/i.test(text)
  return words.size === 0 || (hasPronoun && words.size < 4)
}

const vagueWords =
  /\b(?:yes|yeah|yep|yup|ok(?:ay)?|sure|no|please|thanks?|want|like|prefer|think|should|would|go|going|do|make|fix|set|add|change|use|try|look|see|thing|things|one|now|later|for now|let'?s|lets|option|approach|way|good|right|better|agree|with)\b|#?\b\d\b/gi

function isUsable(statement: string): boolean {
  return statement.length >= 20 && statement.length <= 260 && !statement.endsWith('?')
}
