// How much of the subject of a question a place in a talk covers. Rare words count most: a place
// that shares only everyday words with the question is about something else.
import { isCorrection, speechAct } from '../digest/classify-prompt.ts'
import { contentWords } from '../text/content-words.ts'
import { typedSentences } from './argument.ts'
import { turnStart } from './confirmation.ts'
import { once } from './once.ts'
import { beginningsOf, mentionsOf, subjectWords } from './question.ts'
import type { Rarity } from './similarity.ts'
import type { TalkMessage } from './sources.ts'

/** Returns the share of the subject of a question that a text has, from 0 to 1. */
export function weightedShare(query: string, rarity: Rarity): (text: string) => number {
  const subject = weightedSubject(query, rarity)
  return (text) => {
    const words = mentionsOf(
      text,
      subject.map(({ word }) => word),
    )
    return coverage(subject, (word) => (words.has(word) ? 1 : 0))
  }
}

interface SubjectWord {
  word: string
  weight: number
}

function weightedSubject(query: string, rarity: Rarity): SubjectWord[] {
  return [...subjectWords(query)].map((word) => ({ word, weight: rarity(word) }))
}

function coverage(subject: SubjectWord[], creditOf: (word: string) => number): number {
  const total = subject.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 ? 0 : subject.reduce((sum, { word, weight }) => sum + weight * creditOf(word), 0) / total
}

/** What a word of the question counts, by where it is. */
const credits = {
  sentence: 1,
  prompt: 0.9,
  beside: 0.8,
  /** Of a prompt that the one before continues. */
  earlierPrompt: 0.75,
  /** The first prompt of a session with few prompts is what the session is about. */
  openingOfFew: 0.7,
  /** Of the reply that a person answers. */
  answered: 0.6,
  title: 0.6,
  previousPrompt: 0.5,
  message: 0.4,
  opening: 0.3,
}
const nearbySentences = 2
const fewPrompts = 5
const maxRead = 6000
/** No place in a talk can have a word that is nowhere in it, so it hardly decides between them. */
const unsaidShare = 0.4

/** A sentence and its place in the message. */
export interface PlacedText {
  place: number
  text: string
}

/** Relevance of the messages of a talk to a question. */
export interface TalkRelevance {
  at(index: number, sentences: readonly PlacedText[]): MessageRelevance
  /** No sentence of the message has a higher relevance. Found without splitting it into sentences. */
  highest(index: number): number
}

/** Relevance of the sentences of a message to a question. */
export interface MessageRelevance {
  of(sentence: PlacedText): number
  /** Share of the subject in the prompts that the message answers: the question was asked before. */
  asked: number
}

/**
 * Words in a sentence count in full, words of the prompts that it answers, of the sentences around
 * it, of its message, of the title and of the first prompt less.
 */
export function subjectRelevance(
  talk: TalkMessage[],
  { query, rarity, about = '' }: { query: string; rarity: Rarity; about?: string },
): TalkRelevance {
  const words = subjectWords(query)
  const title = mentionsOf(about, words)
  const texts = talk.map(({ text }) => text.slice(0, maxRead).toLowerCase())
  // Splitting all of a talk into words would cost more than everything else.
  const isSaid = (word: string) => title.has(word) || texts.some((text) => text.includes(longBeginningOf(word)))
  const subject = weightedSubject(query, rarity).map(({ word, weight }) => ({
    word,
    weight: isSaid(word) ? weight : weight * unsaidShare,
  }))
  const wordsAt = once((index: number) => mentionsOf(comparedText(talk[index]), words))
  const rarest = subject.reduce((a, b) => (b.weight > a.weight ? b : a), { word: '', weight: 0 })
  const total = subject.reduce((sum, { weight }) => sum + weight, 0)
  const isNamed = rarest.weight >= total * minRarestShare
  const prompts = promptsIn(talk)
  const opening = wordsAt(prompts.first)
  const at = (index: number, sentences: readonly PlacedText[]): MessageRelevance => {
    const said = new Map(sentences.map(({ place, text }) => [place, text]))
    const own = once((place: number) => mentionsOf(said.get(place) ?? '', words))
    const [prompt, ...earlier] = prompts
      .answeredBy(index)
      .filter((prompt) => prompt !== index)
      .map(wordsAt)
    const message = wordsAt(index)
    const answered = talk[index]?.role === 'user' && index > 0 ? wordsAt(index - 1) : new Set<string>()
    const isBeside = (word: string, place: number) => {
      for (let other = place - nearbySentences; other <= place + nearbySentences; other++)
        if (own(other).has(word)) return true
      return false
    }
    const previous = wordsAt(prompts.before(index))
    const creditOf = (word: string, place: number) => {
      if (own(place).has(word)) return credits.sentence
      if (prompt?.has(word)) return credits.prompt
      if (isBeside(word, place)) return credits.beside
      if (earlier.some((words) => words.has(word))) return credits.earlierPrompt
      if (answered.has(word)) return credits.answered
      if (title.has(word)) return credits.title
      const early = opening.has(word) ? prompts.openingCredit : 0
      return Math.max(early, previous.has(word) ? credits.previousPrompt : message.has(word) ? credits.message : 0)
    }
    return {
      of: ({ place }) => {
        const isNear = subject.some(({ word }) => creditOf(word, place) >= credits.earlierPrompt)
        if (!isNear) return 0
        const isUnnamed = isNamed && creditOf(rarest.word, place) < minRarestCredit
        return coverage(subject, (word) => creditOf(word, place)) * (isUnnamed ? unnamedFactor : 1)
      },
      asked: coverage(subject, (word) => (prompt?.has(word) || earlier.some((words) => words.has(word)) ? 1 : 0)),
    }
  }
  return { at, highest: highestRelevance(talk, prompts, subject, title) }
}

/** As `creditOf`, with words anywhere in the message and without splitting it. */
function highestRelevance(
  talk: TalkMessage[],
  prompts: TalkPrompts,
  subject: SubjectWord[],
  title: ReadonlySet<string>,
): (index: number) => number {
  const textAt = once((index: number) => foldedText(talk[index]?.text ?? ''))
  const isIn = once((word: string) => {
    const beginnings = beginningsOf(word)
    return once((index: number) => beginnings.some((beginning) => textAt(index).includes(beginning)))
  })
  return (index) => {
    const answered = prompts.answeredBy(index)
    const previous = prompts.before(index)
    const reply = talk[index]?.role === 'user' ? index - 1 : -1
    let isNear = false
    const share = coverage(subject, (word) => {
      const isInText = isIn(word)
      const isOwn = isInText(index)
      if (isOwn || answered.some(isInText)) {
        isNear = true
        return isOwn ? credits.sentence : credits.prompt
      }
      if (isInText(reply)) return credits.answered
      if (title.has(word)) return credits.title
      const early = isInText(prompts.first) ? prompts.openingCredit : 0
      return Math.max(early, isInText(previous) ? credits.previousPrompt : 0)
    })
    return isNear ? share : 0
  }
}

interface TalkPrompts {
  /** Of the first prompt; -1 if there is none. */
  first: number
  openingCredit: number
  /** The prompts that a message answers, as `answeredPrompts`. */
  answeredBy(index: number): number[]
  /** The prompt before those; -1 if there is none. */
  before(index: number): number
}

function promptsIn(talk: TalkMessage[]): TalkPrompts {
  const asked = talk.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const answeredBy = answeredPromptsIn(talk)
  return {
    first: asked[0] ?? -1,
    openingCredit: asked.length <= fewPrompts ? credits.openingOfFew : credits.opening,
    answeredBy,
    before(index) {
      const last =
        answeredBy(index)
          .filter((prompt) => prompt !== index)
          .at(-1) ?? index
      return asked.findLast((place) => place < last) ?? -1
    },
  }
}

/** A word with this share of the weight names the subject; what is not about it is about something else. */
const minRarestShare = 0.3
const minRarestCredit = 0.5
const unnamedFactor = 0.6

/** A stem may end in another letter than its word: "empti", "empty". */
function longBeginningOf(stem: string): string {
  return stem.length > 4 ? stem.slice(0, -1) : stem
}

/** As `contentWords` folds it, without splitting it. */
function foldedText(text: string): string {
  return (/^[\u0000-\u007f]*$/.test(text) ? text : text.normalize('NFKC')).toLowerCase()
}

/** Of a prompt only what was typed; a long one is a document, which has words of every subject. */
function comparedText(said: TalkMessage | undefined): string {
  if (said === undefined) return ''
  if (said.role === 'assistant') return said.text.slice(0, maxRead)
  const typed = typedSentences(said.text).join('\n')
  return (typed === '' ? said.text : typed).slice(0, maxPromptRead)
}

const maxPromptRead = 1500

/**
 * The prompt of the turn of a message, and the ones before it where that only tells the agent to go
 * on ("fix it", "commit and push"). What a person says may be about the turn before.
 */
export function answeredPrompts(talk: TalkMessage[], index: number): number[] {
  const prompts: number[] = []
  let at = turnStart(talk, index)
  while (talk[at]?.role === 'user') {
    prompts.push(at)
    if (prompts.length > maxContinuations || !(at === index || continues(talk[at]!.text))) break
    const before = talk.findLastIndex(({ role }, place) => place < at && role === 'user')
    if (before < 0) break
    at = before
  }
  return prompts
}

const maxContinuations = 3

/** `answeredPrompts`, read once for all replies of a turn. */
function answeredPromptsIn(talk: TalkMessage[]): (index: number) => number[] {
  const starts: number[] = []
  for (const [index, { role }] of talk.entries()) starts.push(role === 'user' ? index : (starts[index - 1] ?? 0))
  const ofReplies = once((start: number) => answeredPrompts(talk, start + 1))
  return (index) => {
    const start = starts[index]
    return start === undefined || start === index ? answeredPrompts(talk, index) : ofReplies(start)
  }
}

/** A correction, few words of its own, or words that refer back: it is about what was said before. */
export function continues(prompt: string): boolean {
  if (prompt.length > maxContinuationLength) return false
  if (isCorrection(speechAct(prompt))) return true
  const typed = typedSentences(prompt).join(' ')
  const words = contentWords(typed).filter((word) => !goAheadWords.has(word))
  return words.length <= (refersBack.test(typed) ? maxContinuationWords : 0)
}

const maxContinuationLength = 300
const maxContinuationWords = 6
const refersBack = /\b(?:it|this|that|them|these|those|both|same|again|instead)\b/i
const goAheadWords = new Set(
  contentWords(
    'yes yeah ok okay sure fine great thanks please go ahead continue proceed fix do commit push merge test run try',
  ),
)
