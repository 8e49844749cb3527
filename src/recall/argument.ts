// What a talk settled, as sentences that can be quoted: the person's words, the agent's restatement of them, and what an answer
// answers where it says nothing alone. The agent's own plans are left out, so none stands there without its correction.

import { contentWords, valuesIn } from '../text/content-words.ts'
import { humanText } from '../text/human-text.ts'
import { sentencesIn } from '../text/sentences.ts'
import { firmness, isAside, isQuestion, prescribes } from './assertiveness.ts'
import type { Said } from './source.ts'

export interface Piece {
  /** Place in the talk: the message, and the sentence in it. */
  seq: number
  place: number
  role: Said['role']
  text: string
  /** What it is about, with the weight of each word in this talk. */
  words: Map<string, number>
  firmness: number
  /** It is a paste: somebody else's words in a person's prompt. */
  isPasted: boolean
  /** What the agent had put to the person, where the answer cannot be read alone. */
  asked: string
}

/** Below it a sentence is chatter. */
export const leastFirm = 0.4
/** More than this is a document. */
const longestPrompt = 16_000

export function argumentOf(said: Said[], query: string): Piece[] {
  const weightOf = wordWeights(said, query)
  const pieces = said.flatMap((one, index) => {
    const earlier = said.slice(0, index)
    const spoken =
      one.role === 'user'
        ? personSaid(one.text, earlier, query)
        : agentRestated(one.text, earlier, said.slice(index + 1))
    return spoken.map((piece) => {
      const words = new Map(contentWords(`${piece.asked} ${piece.text}`).map((word) => [word, weightOf(word)]))
      return { ...piece, seq: one.seq, role: one.role, words }
    })
  })
  return pieces.some(({ firmness }) => firmness >= leastFirm) ? pieces : pieces.map(asFirmAsNeeded)
}

/** Where nothing was laid down, what was said is still the answer. */
function asFirmAsNeeded(piece: Piece): Piece {
  return { ...piece, firmness: Math.max(piece.firmness, leastFirm) }
}

type Spoken = Pick<Piece, 'place' | 'text' | 'firmness' | 'asked' | 'isPasted'>

/** An answer is firmer than an opening, which tells what went wrong; an answer to an aside is about something else. */
function personSaid(text: string, earlier: Said[], query: string): Spoken[] {
  const { sentences, isPasted } = ownSentences(text)
  const last = earlier.at(-1)
  const before = last?.role === 'assistant' ? sentencesIn(last.text) : []
  const isOpening = !earlier.some(({ role }) => role === 'assistant')
  const aside = isAside(before.slice(-3).join(' '), query)
  return sentences.map((sentence, place) => {
    const asked = place === 0 ? askedOf(sentence, sentences.length === 1, before) : ''
    const ground = isOpening ? (prescribes(sentence) ? -0.5 : -2) : 1
    const firm = firmness(sentence, query) + ground + (asked === '' ? 0 : 1)
    const saysNothing = isBare(sentence) && asked === ''
    const weight = (aside || isPasted ? 0.35 : 1) * (saysNothing ? 0.3 : 1)
    return { place, text: sentence, asked, isPasted, firmness: firm * weight }
  })
}

/** What a person pasted is not their word, and is read only where it is all there is. */
function ownSentences(prompt: string): { sentences: string[]; isPasted: boolean } {
  const text = prompt.slice(0, longestPrompt)
  const own = humanText(text).spans.flatMap(({ start, end }) => sentencesIn(text.slice(start, end)))
  return own.length > 0 ? { sentences: own, isPasted: false } : { sentences: sentencesIn(text), isPasted: true }
}

/** What was agreed to, plan or question; for a bare answer the question only, since a plan would stand there uncorrected. */
function askedOf(sentence: string, isAlone: boolean, before: string[]): string {
  if (assent.test(sentence) && !objection.test(sentence)) return askedIn(before)
  if (!isBare(sentence) || (yesOrNo.test(sentence) && !isAlone)) return ''
  return before.slice(-2).findLast(isQuestion) ?? ''
}

function isBare(sentence: string): boolean {
  return contentWords(sentence).length < 4
}

/** The question or the plan that an answer belongs to stands at the end. */
function askedIn(before: string[]): string {
  const last = before.slice(-2)
  const asked = last.findLast(isQuestion) ?? last.at(-1) ?? ''
  return asked.length > 400 || /:$/.test(asked) || reports.test(asked) ? '' : asked
}

/** The sentences in which the agent says again what the person has said; at the end of a talk all of them, as one. */
function agentRestated(text: string, earlier: Said[], later: Said[]): Spoken[] {
  if (earlier.length === 0) return []
  const heard = new Set(earlier.filter(({ role }) => role === 'user').flatMap((said) => contentWords(said.text)))
  const sentences = sentencesIn(text)
  const isClosing = later.every((said) => said.text.length < 160) && !isQuestion(sentences.at(-1) ?? '')
  const recapAt = isClosing ? sentences.findIndex((sentence) => recaps.test(sentence)) : -1
  const kept = sentences.map((sentence, place) => ({
    sentence,
    place,
    restates: states(sentence) && ((recapAt >= 0 && place >= recapAt) || isHeard(sentence, heard)),
  }))
  if (!isClosing) {
    const follows = earlier.at(-1)!.role === 'user'
    return kept
      .filter(({ restates, place }) => restates && follows && place < 2)
      .map(({ sentence, place }) => ({
        place,
        text: sentence,
        asked: '',
        isPasted: false,
        firmness: firmness(sentence, '') + 0.3,
      }))
  }
  return runs(kept).map((run) => {
    const whole = run.map(({ sentence }) => sentence).join(' ')
    const firm = Math.max(...run.map(({ sentence }) => firmness(sentence, '')))
    return {
      place: run[0]!.place,
      text: whole,
      asked: '',
      isPasted: false,
      firmness: firm + (recaps.test(whole) ? 2 : 1),
    }
  })
}

function states(sentence: string): boolean {
  return !isQuestion(sentence) && !plans.test(sentence) && !reports.test(sentence)
}

function isHeard(sentence: string, heard: Set<string>): boolean {
  const words = contentWords(sentence)
  return words.length >= 3 && words.filter((word) => heard.has(word)).length >= words.length * 0.35
}

interface Kept {
  sentence: string
  place: number
  restates: boolean
}

/** Sentences that follow each other, with those that lean on the one before them. */
function runs(kept: Kept[]): Kept[][] {
  const found: Kept[][] = []
  for (const one of kept) {
    const run = found.at(-1)
    const isNext = run !== undefined && run.at(-1)!.place + 1 === one.place
    if (isNext && (one.restates || (leans.test(one.sentence) && firmness(one.sentence, '') > 1))) run.push(one)
    else if (one.restates) found.push([one])
  }
  return found
}

/** A word that comes back in many turns is what the talk is about; one that was asked for, a name or a value weighs more. */
function wordWeights(said: Said[], query: string): (word: string) => number {
  const turns = new Map<string, number>()
  const values = new Set<string>()
  for (const { text } of said) {
    for (const word of new Set(contentWords(text))) turns.set(word, (turns.get(word) ?? 0) + 1)
    for (const value of valuesIn(text)) values.add(value)
  }
  const asked = new Set(contentWords(query))
  return (word) => Math.log2(1 + (turns.get(word) ?? 1)) * (asked.has(word) ? 1.4 : 1) * (values.has(word) ? 1.4 : 1)
}

const assent =
  /^(?:yes|yeah|yep|yup|exactly|right|correct|agreed|precisely|confirmed|perfect|that's (?:it|right|correct)|all unchanged|deliberately)\b/i
const yesOrNo = /^(?:yes|yeah|yep|no|nope|never|not|exactly|right|correct|agreed|sure|ok(?:ay)?|done|perfect)\b/i
const objection = /\b(?:but|except|however|though|almost|only half|not quite|with one)\b/i
const plans =
  /\b(?:i'll|i will|i'd|i would|i can|i could|i propose|i suggest|i recommend|i'm (?:going|making|switching)|i assume|my (?:plan|proposal|instinct|default|suggestion|recommendation|goal)|we could|(?:simplest|easiest|cleanest|safest) (?:\w+ )?(?:fix|cleanup|semantics|way|option|approach|move)|let me|let's)\b/i
const reports =
  /\b(?:looking at|i see|i've|i found|running|(?:tests?|checks) (?:still )?pass(?:ed|es)?|test suite|here's|question)\b/i
const leans = /^(?:it|it's|this|that|that's|they|those|these|so|and|only|no)\b/i
const recaps =
  /\b(?:recap|to sum(?:mari[sz]e)?|in (?:summary|full|short)|settled|final|so,? the (?:\w+ )?(?:rule|set|map|contract|order|policy)|amended rule|going forward)\b/i
