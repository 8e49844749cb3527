// What ranking wants to know of a passage besides its words, told from the text itself.
import { hashTerm } from '../../text/term-hash.ts'
import { termsOf } from '../../text/terms.ts'

export interface RankingFeatures {
  /** The share of its words that stand in questions, in percent: who asks does not answer. */
  asks: number
  /** Whether it says when: "yesterday", "last week", "in 2024". */
  hasTime: boolean
  /** The first term of the name before the colon where a text begins with one, as a number; 0 where there is none. */
  speaker: number
}

export function rankingFeatures(text: string): RankingFeatures {
  if (text === '') return { asks: 0, hasTime: false, speaker: 0 }
  return { asks: shareOfQuestions(text), hasTime: times.test(text), speaker: speakerOf(text) }
}

function shareOfQuestions(text: string): number {
  if (!text.includes('?')) return 0
  let asked = 0
  let all = 0
  for (const [sentence] of text.matchAll(/[^.!?\n]+[.!?]*/g)) {
    const words = sentence.match(/\S+/g)?.length ?? 0
    all += words
    if (/\?[!?]*$/.test(sentence.trimEnd())) asked += words
  }
  return all === 0 ? 0 : Math.round((100 * asked) / all)
}

const times =
  /\b(?:yesterday|today|tonight|tomorrow|ago|recently|since|(?:last|next|this|past) (?:night|morning|week|weekend|month|year|spring|summer|autumn|fall|winter|\w+day)|(?:days?|weeks?|weekend|months?|years?)|january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}|\d{1,2}(?:st|nd|rd|th))\b/i

/** `Ann: ...`, `Ann Lee: ...`. It may be a label ("Note: ..."): whether people talk here is told by the passages around. */
function speakerOf(text: string): number {
  const name = /^\s*(\p{Lu}[\p{L}.'-]{1,20})(?: \p{Lu}[\p{L}.'-]{1,20})?: /u.exec(text)?.[1]
  const term = name ? termsOf(name)[0] : undefined
  return term ? hashTerm(term) : 0
}
