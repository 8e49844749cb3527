// Finds what the agent found out in a talk: causes and fixes that concern the question, with what
// followed (tests, a commit, the person's answer). Explanations that the person rejected or the agent
// took back are left out, and of several a later one counts more. The whole talk is read, because
// the conclusion of a long session is often far from the words that were searched for.
import { contentWords } from '../text/content-words.ts'
import {
  type FunctionalSentence,
  functionalSentences,
  functionOf,
  isExplaining,
  isSpeculation,
} from '../text/sentence-function.ts'
import { type QuotedPiece, typedSentences } from './argument.ts'
import { answersTo, followedBy, isRetracted, turnStart } from './confirmation.ts'
import { fixesOf } from './fixes.ts'
import { mentionedWords, type QuestionIntent, reportsProblem, subjectShare, subjectWords } from './question.ts'
import type { Rarity } from './similarity.ts'
import type { TalkMessage } from './sources.ts'

export interface TalkExplanation {
  pieces: QuotedPiece[]
  score: number
  isConfirmed: boolean
  /** The messages that it belongs to: its turn, and the next one if it was carried out there. */
  from: number
  to: number
}

export interface ExplanationOptions {
  query: string
  intent: QuestionIntent
  rarity: Rarity
}

/** Best first. Without a question only those that were confirmed. */
export function findExplanations(talk: TalkMessage[], options: ExplanationOptions): TalkExplanation[] {
  if (options.intent === 'decision' || options.intent === 'fact') return []
  const spoken = talk.map((said) =>
    said.role === 'assistant' ? functionalSentences(said.text) : personCauses(said.text),
  )
  const relevance = subjectRelevance(talk, options)
  const shareOf = subjectShare(options.query)
  const isNamed = ({ text }: FunctionalSentence) => shareOf(text) >= minNamedShare
  const opening = talk.findIndex(({ role }) => role === 'user')
  const found: TalkExplanation[] = []
  for (const [index, classified] of spoken.entries()) {
    const sentences = withDiagnosis(talk, index, classified)
    if (!sentences.some(isExplaining)) continue
    const relevant = relevance(index, sentences)
    const near = quotedParts(sentences).filter((sentence) => relevant(sentence) >= minRelevance)
    // A change alone is an answer only if it names what was asked about.
    const about = near.some(({ function: part }) => part === 'cause') ? near : near.filter(isNamed)
    if (!about.some(isClear) || isRetracted(talk, spoken, index)) continue
    const followed = talk[index]!.role === 'user' ? [] : followedBy(talk, index)
    if (followed.length === 0 && options.intent === 'report') continue
    const weight = followed.length > 0 ? confirmedFactor : index === opening ? openingFactor : 1
    const factor = weight * (1 + laterFactor * (index / talk.length))
    const pieces = about.map((sentence, place) => ({
      ...pieceOf(talk[index]!, sentence, options),
      asked: place === 0 ? answeredPrompt(talk, index, sentence.text) : '',
      firmness:
        sentence.strength * relevant(sentence) ** relevanceExponent * factor * weightOf(sentence, options.intent),
      followed,
    }))
    const fixes = pieces.some(({ part }) => part === 'fix') ? [] : fixesOf(talk, spoken, index, about)
    const score = scoreOf(pieces)
    if (score < minScore) continue
    found.push({
      pieces: [
        ...pieces,
        ...fixes.map(({ said, sentence }) => ({
          ...pieceOf(said, sentence, options),
          firmness: sentence.strength * factor * fixShare,
        })),
      ],
      score,
      isConfirmed: followed.length > 0,
      from: talk[Math.max(opening + 1, turnStart(talk, index))]?.seq ?? Number.POSITIVE_INFINITY,
      to: lastSeq(talk, answersTo(talk, index).end),
    })
  }
  return found.sort((a, b) => b.score - a.score)
}

/** Up to the prompt at `end`, if it is short enough to be an answer. */
function lastSeq(talk: TalkMessage[], end: number): number {
  const prompt = talk[end]
  if (prompt === undefined) return Number.POSITIVE_INFINITY
  return prompt.text.length <= maxAnswerLength ? prompt.seq : prompt.seq - 1
}

const maxAnswerLength = 200

/** Share of the subject of the question that a sentence and what is around it must have. */
const minRelevance = 0.45
/** Above 1, because half of the subject is often another subject. */
const relevanceExponent = 2
/** An explanation with less is a remark. */
const minScore = 0.6
const minNamedShare = 0.5
const confirmedFactor = 1.6
/** What the person believes before the agent has looked. */
const openingFactor = 0.6
const laterFactor = 0.5
/** Weight of a fix in a later message, which need not have words of the question. */
const fixShare = 0.6

/** What the person names as the cause, in typed text. */
function personCauses(prompt: string): FunctionalSentence[] {
  return typedSentences(prompt)
    .map((text, place) => ({ text, place, ...functionOf(text) }))
    .filter(({ function: part, strength }) => part === 'cause' && strength >= minPersonStrength)
}

const minPersonStrength = 1.2

/** The first sentence of the answer to a reported problem often names the cause without saying so. */
function withDiagnosis(talk: TalkMessage[], index: number, sentences: FunctionalSentence[]): FunctionalSentence[] {
  const prompt = talk[index - 1]
  const [first, ...rest] = sentences
  const isAnswer = prompt?.role === 'user' && talk[index]!.role === 'assistant' && reportsProblem(prompt.text)
  if (!isAnswer || first === undefined || isShort(first) || !/^[\p{Lu}`]/u.test(first.text)) return sentences
  if (first.function !== 'context' || isSpeculation(first.text) || /^(?:i|we|you|yes|no|ok|sure)\b/i.test(first.text))
    return sentences
  return [{ ...first, function: 'cause', strength: diagnosisStrength }, ...rest]
}

const diagnosisStrength = 1.2

/** Weaker sentences are quoted only beside a clear one. */
function isClear({ function: part, strength }: FunctionalSentence): boolean {
  return (part === 'cause' || part === 'fix') && strength >= 1.2
}

/** Causes and fixes, and up to three sentences that continue a cause. */
function quotedParts(sentences: FunctionalSentence[]): FunctionalSentence[] {
  let continued = maxContinuation
  return sentences.flatMap((sentence): FunctionalSentence[] => {
    if (isExplaining(sentence)) {
      continued = sentence.function === 'cause' ? 0 : maxContinuation
      return [sentence]
    }
    const goesOn = continued < maxContinuation && sentence.function === 'context' && !isShort(sentence)
    continued++
    return goesOn ? [{ ...sentence, function: 'cause', strength: continuationStrength }] : []
  })
}

const maxContinuation = 3
const continuationStrength = 0.6

function isShort({ text }: FunctionalSentence): boolean {
  return contentWords(text).length < 4
}

function weightOf({ function: part }: FunctionalSentence, intent: QuestionIntent): number {
  return part === 'fix' ? (intent === 'fix' ? 1.2 : 0.9) : intent === 'fix' ? 0.9 : 1
}

/** The question of the person, where the answer cannot be understood alone. */
function answeredPrompt(talk: TalkMessage[], index: number, sentence: string): string {
  const asked = talk[turnStart(talk, index)]
  if (asked?.role !== 'user' || talk[index]!.role === 'user' || !leans.test(sentence)) return ''
  const last = typedSentences(asked.text).at(-1) ?? ''
  return last.length <= maxAskedLength && !/[=<>{}]/.test(last) ? last : ''
}

const leans = /^(?:because|due to|since|it|it's|this|that|that's|they|those|these|so|yes|no)\b/i
const maxAskedLength = 200

function pieceOf(said: TalkMessage, sentence: FunctionalSentence, { query }: ExplanationOptions): QuotedPiece {
  const asked = new Set(contentWords(query))
  return {
    seq: said.seq,
    place: sentence.place,
    role: said.role,
    part: sentence.function === 'fix' ? 'fix' : 'cause',
    text: sentence.text,
    asked: '',
    isPasted: false,
    firmness: 0,
    words: new Map(contentWords(sentence.text).map((word) => [word, asked.has(word) ? 1.4 : 1])),
    followed: [],
  }
}

/** An explanation of several sentences beats a remark. */
function scoreOf(pieces: QuotedPiece[]): number {
  const best = (part: QuotedPiece['part']) =>
    pieces
      .filter((piece) => piece.part === part)
      .map(({ firmness }) => firmness)
      .sort((a, b) => b - a)
      .slice(0, rankWeights.length)
      .reduce((sum, firmness, rank) => sum + firmness * rankWeights[rank]!, 0)
  return best('cause') + fixWeight * best('fix')
}

const rankWeights = [1, 0.5, 0.25]
const fixWeight = 0.4

/**
 * How much of the subject of the question a sentence has: words in it count in full, words of the
 * sentences around it, of the prompt it answers, of its message and of the first prompt less.
 */
function subjectRelevance(talk: TalkMessage[], { query, rarity }: ExplanationOptions) {
  const subject = [...subjectWords(query)].map((word) => ({ word, weight: Math.sqrt(rarity(word)) }))
  const total = subject.reduce((sum, { weight }) => sum + weight, 0)
  const known = new Map<number, Set<string>>()
  const wordsAt = (index: number) => {
    if (!known.has(index)) known.set(index, mentionedWords(talk[index]?.text.slice(0, maxRead) ?? ''))
    return known.get(index)!
  }
  const opening = wordsAt(talk.findIndex(({ role }) => role === 'user'))
  return (index: number, sentences: FunctionalSentence[]) => {
    const own = new Map(sentences.map(({ place, text }) => [place, mentionedWords(text)]))
    const [prompt, message] = [wordsAt(turnStart(talk, index)), wordsAt(index)]
    const isNear = (word: string, place: number) =>
      [...own].some(([other, words]) => Math.abs(other - place) <= nearbySentences && words.has(word))
    const shareOf = (word: string, place: number) => {
      if (own.get(place)?.has(word)) return 1
      if (!message.has(word)) return prompt.has(word) ? 0.7 : opening.has(word) ? 0.3 : 0
      return isNear(word, place) ? 0.8 : prompt.has(word) ? 0.7 : 0.5
    }
    return ({ place }: FunctionalSentence) =>
      total === 0 ? 0 : subject.reduce((sum, { word, weight }) => sum + weight * shareOf(word, place), 0) / total
  }
}

const nearbySentences = 3

const maxRead = 6000
