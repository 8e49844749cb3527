// What became of an explanation of the agent: whether tests, a commit or the person's answer confirm
// it, and whether the person rejected it or the agent took it back.
import { speechAct } from '../digest/classify-prompt.ts'
import { contentWords } from '../text/content-words.ts'
import { type FunctionalSentence, isRetraction, mayRetract, placedSentences } from '../text/sentence-function.ts'
import { typedSentences } from './argument.ts'
import { once } from './once.ts'
import { mentionedWords, mentionsOf, subjectWords } from './question.ts'
import type { TalkMessage, TalkSignal } from './sources.ts'

/** What happened after an explanation, or before it in the same turn, that supports it. */
export function followedBy(talk: TalkMessage[], index: number): string[] {
  const { answers, end } = answersTo(talk, index)
  const acts = answers.map(({ text }) => speechAct(text))
  if (acts.includes('correction')) return []
  const after = signalsIn(talk, index, end)
  const signs = [...confirmations(after), ...(acts.includes('approval') ? ['accepted'] : [])]
  if (signs.length > 0) return [...signs.slice(0, -1), `${signs.at(-1)} after it`]
  const before = signalsIn(talk, turnStart(talk, index), index)
  const earlier = before.includes('edited') ? confirmations(before) : []
  return earlier.length > 0 ? [...earlier.slice(0, -1), `${earlier.at(-1)} before it`] : []
}

function signalsIn(talk: TalkMessage[], from: number, to: number): TalkSignal[] {
  return talk.slice(from, to).flatMap(({ signals = [] }) => signals)
}

/**
 * The prompts that respond to an explanation, and the end of the work that follows from it: of its
 * turn, or of the next one if the person asked there for what was explained.
 */
export function answersTo(talk: TalkMessage[], index: number): TurnAnswers {
  const read = knownAnswers.get(talk) ?? once((at: number) => findAnswers(talk, at))
  knownAnswers.set(talk, read)
  return read(index)
}

interface TurnAnswers {
  answers: TalkMessage[]
  end: number
}

/** A talk is not changed any more, and each of its explanations asks several times. */
const knownAnswers = new WeakMap<TalkMessage[], (index: number) => TurnAnswers>()

function findAnswers(talk: TalkMessage[], index: number): TurnAnswers {
  const next = turnEnd(talk, index)
  const answer = talk[next]
  if (answer === undefined) return { answers: [], end: next }
  const isDone = signalsIn(talk, index, next).includes('edited')
  if (isDone || !isGoAhead(answer.text, talk[index]!.text)) return { answers: [answer], end: next }
  const end = turnEnd(talk, next)
  return { answers: [answer, ...talk.slice(end, end + 1)], end }
}

/** A short prompt after an explanation asks for what was explained, as does one with its words. */
function isGoAhead(prompt: string, explained: string): boolean {
  const words = [...subjectWords(prompt.replace(/https?:\S+/g, ''))]
  if (contentWords(prompt).length <= maxGoAheadWords) return true
  if (words.length > 2 * maxGoAheadWords) return false
  return mentionsOf(explained, words).size >= Math.max(2, words.length / 3)
}

const maxGoAheadWords = 6

function confirmations(signals: TalkSignal[]): string[] {
  const test = signals.findLast((signal) => signal === 'tests passed' || signal === 'tests failed')
  return [...(test === 'tests passed' ? ['tests passed'] : []), ...(signals.includes('committed') ? ['committed'] : [])]
}

/** Index of the prompt of a turn. */
export function turnStart(talk: TalkMessage[], index: number): number {
  return Math.max(
    0,
    talk.findLastIndex(({ role }, at) => at <= index && role === 'user'),
  )
}

/** Index of the next prompt. */
export function turnEnd(talk: TalkMessage[], index: number): number {
  const next = talk.findIndex(({ role }, at) => at > index && role === 'user')
  return next < 0 ? talk.length : next
}

/** The person rejected it, or the agent took all of it back. */
export function isRetracted(talk: TalkMessage[], spoken: SpokenSentences, index: number): boolean {
  if (answersTo(talk, index).answers.some(({ text }) => isRejection(text))) return true
  const isTakenBack = (sentences: FunctionalSentence[]) =>
    sentences.some(({ function: part, text }) => part === 'retraction' && isBare(text))
  if (isTakenBack(spoken(index))) return true
  const answered = turnEnd(talk, index)
  const nextTurn = turnEnd(talk, answered)
  for (let later = answered; later < nextTurn; later++) {
    const sentences = spoken(later)
    if (concedes.test(sentences[0]?.text ?? '') && followedBy(talk, index).length === 0) return true
    if (isTakenBack(sentences)) return true
  }
  return false
}

/** Places of the replies of each turn that the person answered with a rejection. */
export function rejectedIn(talk: readonly TalkMessage[]): Set<number> {
  const rejected = new Set<number>()
  let turn: number[] = []
  for (const { role, seq, text } of talk) {
    if (role === 'assistant') {
      turn.push(seq)
      continue
    }
    if (isRejection(text)) for (const place of turn) rejected.add(place)
    turn = []
  }
  return rejected
}

/** The sentences of a message with their functions, which are read where they are needed. */
export type SpokenSentences = (index: number) => FunctionalSentence[]

interface Retraction {
  /** The message. */
  index: number
  words: string[]
}

/** What the agent takes back, in all messages. */
export function retractionsIn(talk: TalkMessage[]): Retraction[] {
  return talk.flatMap(({ role, text: message }, index) => {
    if (role !== 'assistant' || !mayRetract(message)) return []
    return placedSentences(message)
      .filter(({ text }) => isRetraction(text))
      .map(({ text }) => ({ index, words: [...subjectWords(text)] }))
  })
}

/** Returns whether a later message takes a sentence back, with most of its own words. */
export function isWithdrawn(found: readonly Retraction[], index: number): (sentence: FunctionalSentence) => boolean {
  const retractions = found.filter((one) => one.index > index).map(({ words }) => words)
  if (retractions.length === 0) return () => false
  return ({ text }) => {
    const words = mentionedWords(text)
    return retractions.some((own) => own.filter((word) => words.has(word)).length >= Math.max(2, own.length / 2))
  }
}

/** Also a prompt that is only the output of a failure: it did not help. */
function isRejection(prompt: string): boolean {
  return rejects.test(prompt.trim().slice(0, 200)) || (printsFailure.test(prompt) && typedSentences(prompt).length < 3)
}

const printsFailure = /^(?:Traceback \(most|E {2,}|FAILED |FAIL |panic: |Uncaught |\s*\w*(?:Error|Exception): )/m

function isBare(sentence: string): boolean {
  return subjectWords(sentence).size < 4
}

/** Opening words of a person for whom the explanation or the fix is wrong. */
const rejects =
  /^(?:hm+,? )?(?:no+[,.!]? (?:that|it|this)(?:'s| is| was|isn't| isn't) ?(?:not|n't|wrong)|no+[.!]?$|nope\b|wrong\b|incorrect\b|that(?:'s| is| was)? ?(?:not (?:it|right|true|correct|the)|wrong|incorrect|isn't (?:it|right|true|the))|(?:it|that|this)(?:'s| is)? still\b|still (?:not|fail|broken|wrong|the same|getting|doesn't|does not|seeing|happen|slow|flaky)|(?:it|that|this) (?:still )?(?:does|did)(?:n't| not) (?:work|help|fix|make)|same (?:error|problem|issue|thing|result)|(?:it|uh oh|oops).{0,20}happened again|i (?:don't|do not) (?:think|believe|buy|agree)|are you sure\b|you(?:'re| are) wrong|let'?s not\b|(?:(?:yeah|yes|ok(?:ay)?|no|hm+)[,.]? )?(?:you can |please |let's |can you )?(?:undo|revert|roll back) (?:that|it|this)\b)/i

/** The agent agrees with an objection. */
const concedes =
  /^(?:you(?:'re| are) (?:absolutely |totally |completely |quite )?right|my (?:mistake|apolog)|sorry|i apologi[sz]e|good catch)/i
