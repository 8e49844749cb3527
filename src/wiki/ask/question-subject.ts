// What a question is about: its words without those that only ask, and how much of it a text mentions.
import { mentionsOf, subjectWords } from '../../recall/question.ts'
import type { Ledger } from '../../store/ledger.ts'
import { documentFrequency } from '../../store/search/postings/lookup.ts'
import { askingWords, ordinaryWords } from '../../text/asking-words.ts'
import { contentWords } from '../../text/content-words.ts'
import { termsOf } from '../../text/terms.ts'

export interface QuestionSubject {
  /** Share of the subject that a text mentions, 0 to 1; rare words weigh more. */
  shareIn(text: string): number
}

export function subjectOf(ledger: Ledger, question: string): QuestionSubject {
  const words = [...subjectWords(withoutPractice(question))]
  const telling = words.filter((word) => !ordinaryStems.has(word))
  const weights = (telling.length > 0 ? telling : words).map((word) => [word, rarityOf(ledger, word)] as const)
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0)
  return {
    shareIn: (text) => {
      const words = mentionsOf(
        text,
        weights.map(([word]) => word),
      )
      return all === 0 ? 0 : weights.reduce((sum, [word, weight]) => sum + (words.has(word) ? weight : 0), 0) / all
    },
  }
}

function rarityOf(ledger: Ledger, word: string): number {
  return 1 / Math.log2(2 + documentFrequency(ledger, word))
}

/** "How are conflicts handled": whether a source has that verb says nothing. */
function withoutLastVerb(question: string): string {
  return withoutPractice(question).replace(/^(\s*how (?:is|are|was|were|do|does|did|can) .*)\b\w+ed(\W*)$/i, '$1$2')
}

/** "How should comments be written" asks for the practice, whatever is done to comments. */
function withoutPractice(question: string): string {
  return question.replace(/^(\s*how (?:should|must|shall|ought) .*)\bbe \w+(\W*)$/i, '$1$2')
}

/** Words of the question that say what it is about, as written. */
export function wordsAskedAbout(question: string): string[] {
  const words = withoutLastVerb(question).match(/[\p{L}\p{N}_]+/gu) ?? []
  return [...new Set(words)].filter((word) => plainTerms(word).some((term) => !emptyTerms.has(term)))
}

/** Without reversed words, which serve the search in compounds. */
export function plainTerms(text: string): string[] {
  return termsOf(text).filter((term) => !term.startsWith('~'))
}

const ordinaryStems = new Set(contentWords(ordinaryWords))
const emptyTerms = new Set(termsOf(`${askingWords} ${ordinaryWords}`))
