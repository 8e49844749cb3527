// Splits a statement into clauses and says of each term whether it is asserted or rejected, and in
// which part of the clause it stands.
import { characterPairs } from '../text/statement.ts'
import { statementStopWords } from '../text/stop-words.ts'
import { conceptOf } from '../text/synonyms.ts'
import { type QuantityKind, quantityKind } from './quantities.ts'
import {
  auxiliary,
  clauseStart,
  conditionWords,
  directions,
  infinitive,
  isDenial,
  isVerb,
  lightWords,
  opposites,
  prepositions,
} from './word-classes.ts'

export interface StatementTerm {
  term: string
  /** As it was written, in lower case. */
  word: string
  isRejected: boolean
  /** Behind a preposition: where, when, what for. */
  isContext: boolean
  /** The preposition before its phrase, '' if there is none. */
  preposition: string
  /** A proper name, a path, an address: something that cannot be paraphrased. */
  isName: boolean
  quantity: QuantityKind | undefined
  /** Whether a verb comes before it. */
  isBehindVerb: boolean
  /** The word right before it. */
  previous: string
}

/** Expects lower case, with phrases and quantities unified; `names` are its proper names. */
export function termsIn(said: string, names: ReadonlySet<string>): StatementTerm[] {
  const words = tokensOf(said)
  const done: StatementTerm[] = []
  let clause = newClause()
  let isBehindVerb = false
  const endClause = () => {
    for (const term of clause.terms) done.push(clause.isNegated ? { ...term, isRejected: !term.isRejected } : term)
    clause = newClause()
  }
  for (const [index, word] of words.entries()) {
    const [previous, next, second] = [words[index - 1] ?? '', words[index + 1] ?? '', words[index + 2] ?? '']
    if (sentenceMark.test(word)) endClause()
    else if (joint.test(word)) {
      const startsClause =
        clauseStart.test(next) ||
        (next !== 'not' && isDenial(next, second)) ||
        isDeniedApart(words, index, clause) ||
        states.has(next)
      if (word === 'but' || startsClause) endClause()
      else if (word !== 'and') clause.preposition = ''
    } else if (startsContrast(word, next, previous, clause, done.length)) {
      clause.contrastFrom = clause.terms.length
      clause.isPreference = false
      if (word === 'without') clause.preposition = word
    } else if (isDenial(word, next)) clause.isNegated = true
    else {
      if (/^(?:prefer(?:s|red)?|favou?r(?:s|ed)?)$/.test(word)) clause.isPreference = true
      if (weighing.test(word) && words.slice(index, index + maxAhead).includes('over')) clause.isPreference = true
      if (auxiliaryVerb.test(word)) clause.hasAuxiliary = true
      if (isVerb(word, previous)) isBehindVerb = true
      if (prepositions.has(word)) {
        if (word === 'of' || (word === 'to' && infinitive.test(previous))) continue
        // "Use pnpm instead of npm for installs": the purpose belongs to both.
        if (clause.contrastFrom < clause.terms.length && /^(?:for|when|while|if)$/.test(word))
          clause.contrastFrom = Number.POSITIVE_INFINITY
        clause.preposition = directions.get(word) ?? word
        if (!conditionWords.has(word)) continue
      }
      const { preposition, contrastFrom } = clause
      const isRejected = clause.terms.length >= contrastFrom
      if (/^(?:it|them)$/.test(word) && isBehindVerb && done.length > 0) {
        const meant = done.findLast(({ isContext }) => !isContext) ?? done.at(-1)!
        clause.terms.push({ ...meant, word, isRejected })
        continue
      }
      const counterpart = opposites.get(word)
      if (counterpart !== undefined) clause.isNegated = !clause.isNegated
      // A run of Chinese is one word of many terms.
      const isName = names.has(word) || /[\d/@_]|\w\.\w/.test(word)
      const quantity = quantityKind(word)
      for (const term of meaningOf(counterpart ?? word, names))
        clause.terms.push({
          ...{ term, word, previous, isRejected, preposition, isBehindVerb, isName, quantity },
          isContext: preposition !== '',
        })
    }
  }
  endClause()
  return done
}

/** Tokens of a statement in order, with marks for the ends of clauses. */
export function tokensOf(said: string): string[] {
  return [...said.matchAll(tokens)].map(([token]) => token)
}

const tokens =
  /§\w+:[\d.,]*\d|§day:\w+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[.@~]?[\p{L}\p{N}_]+(?:[./:@#+$~'-]+[\p{L}\p{N}_]+)*(?:\+\+|#)?|[,;:!?()–—。，；：！？]|\.(?=\s|$)|\s-\s/gu

const sentenceMark = /^(?:[;:!?()–—。；：！？.]|\s-\s)$/
const joint = /^(?:[,，]|and|but|then|whereas)$/

/** "Enabled in staging and disabled in production". */
const states: ReadonlySet<string> = new Set(['enabled', 'disabled', 'allowed', 'forbidden'])

/** "GET requests are cached, POST requests are not": each part has its own verb, and one is denied. */
function isDeniedApart(words: readonly string[], index: number, clause: Clause): boolean {
  const isSentence = clause.hasAuxiliary || (words[index] === ',' && clause.terms.length > 1)
  if (!isSentence) return false
  const ahead = words.slice(index + 1, index + 1 + maxAhead)
  const end = ahead.findIndex((word) => joint.test(word) || sentenceMark.test(word))
  const next = end < 0 ? ahead : ahead.slice(0, end)
  const isDenied = (word: string, at: number) => isDenial(word, next[at + 1] ?? '')
  const denial = next.findIndex(isDenied)
  // "Shared never imports from it".
  if (denial > 0 && denial < next.length - 1) return true
  return clause.hasAuxiliary && next.some((word) => auxiliaryVerb.test(word)) && (clause.isNegated || denial > 0)
}

const maxAhead = 12
const auxiliaryVerb = /^(?:is|are|was|were|has|have|do|does|must|should|can|may|will|\w+n't)$/
/** "We value clarity over speed". */
const weighing = /^(?:use|want|value|choose|pick|take|like|rank|put|need|trust)s?$/

interface Clause {
  terms: StatementTerm[]
  isNegated: boolean
  /** Terms from here on are rejected in contrast to those before. */
  contrastFrom: number
  /** "Prefer tabs over spaces". */
  isPreference: boolean
  hasAuxiliary: boolean
  /** The last preposition, '' before the first. */
  preposition: string
}

function newClause(): Clause {
  return {
    ...{ terms: [], isNegated: false, contrastFrom: Number.POSITIVE_INFINITY },
    ...{ isPreference: false, hasAuxiliary: false, preposition: '' },
  }
}

/** "…, not X", "… instead of X", "prefer … over X". */
function startsContrast(word: string, next: string, previous: string, clause: Clause, done: number): boolean {
  if (word === 'not')
    return clause.terms.length > 0 ? previous === ',' || !auxiliary.test(previous) : previous === ',' && done > 0
  if (word === 'instead' || word === 'place') return next === 'of'
  if (word === 'rather') return next === 'than'
  if (word === 'without') return true
  return clause.isPreference && /^(?:over|to)$/.test(word)
}

/** The terms of a word; none if it says nothing about the subject. */
export function meaningOf(word: string, names: ReadonlySet<string>): string[] {
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word))
    return characterPairs(word)
  if (word.startsWith('§') || /[\d/@_]|\w\.\w|^\./.test(word)) return [word]
  // The region US, not the pronoun.
  if (names.has(word) && word.length === 2) return [word]
  if (statementStopWords.has(word) || lightWords.has(word)) return []
  // "Hard-code" is "hardcode"; the letter of "service-a" is a name.
  return [conceptOf(word.replace(/'s$/, '').replace(/(?<=\p{L}{2})-(?=\p{L}{2})/gu, ''))]
}
