// Extracts what a talk settled as sentences to quote: statements of the user, the agent's
// restatements of them, and the question that a short answer belongs to. Plans of the agent are
// left out, because they would be quoted without their correction.

import { contentWords, valuesIn } from '../text/content-words.ts'
import { humanText } from '../text/human-text.ts'
import { quotableSentences } from '../text/sentences.ts'
import { firmness, isAside, isQuestion, prescribes } from './assertiveness.ts'
import type { TalkMessage } from './sources.ts'

export interface QuotedPiece {
  /** Position in the talk: the message, and the sentence in it. */
  seq: number
  place: number
  role: TalkMessage['role']
  /** A cause or fix that the agent explained, its answer to a prompt, or what was stated. */
  part: 'cause' | 'fix' | 'answer' | 'statement'
  text: string
  /** Content words with their weight in this talk. */
  words: Map<string, number>
  firmness: number
  /** Pasted text in a prompt, not the user's own words. */
  isPasted: boolean
  /** The question or plan that was answered, where the answer cannot be understood alone. */
  asked: string
  /** Share of the subject of the question that it has with what it answers. */
  relevance?: number
  /** Signs that confirm a cause or fix, for people: `tests passed after it`. */
  followed: string[]
}

/** Sentences below this are chatter. */
export const minFirmness = 0.4
/** A longer prompt is a document. */
const maxPromptLength = 16_000

export function extractArgument(said: TalkMessage[], query: string): QuotedPiece[] {
  const weightOf = wordWeights(said, query)
  const userWords = new Set<string>()
  const pieces = said.flatMap((one, index) => {
    const earlier = said.slice(0, index)
    const spoken =
      one.role === 'user'
        ? userPieces(one.text, earlier, query)
        : agentPieces(one.text, { earlier, later: said.slice(index + 1), userWords })
    if (one.role === 'user') for (const word of contentWords(one.text)) userWords.add(word)
    return spoken.map((piece) => {
      const words = new Map(contentWords(`${piece.asked} ${piece.text}`).map((word) => [word, weightOf(word)]))
      return { ...piece, seq: one.seq, role: one.role, part: 'statement' as const, words, followed: [] }
    })
  })
  return pieces
}

/** Where nothing is firm, everything may be quoted. */
export function raiseFirmness(pieces: QuotedPiece[]): QuotedPiece[] {
  if (pieces.some(({ firmness }) => firmness >= minFirmness)) return pieces
  return pieces.map((piece) => ({ ...piece, firmness: Math.max(piece.firmness, minFirmness) }))
}

type PieceDraft = Pick<QuotedPiece, 'place' | 'text' | 'firmness' | 'asked' | 'isPasted'>

/**
 * Answers are firmer than the opening prompt, which reports a problem; answers to an aside count
 * less. Pasted text is used only where the prompt has nothing else.
 */
function userPieces(text: string, earlier: TalkMessage[], query: string): PieceDraft[] {
  const own = typedSentences(text)
  const isPasted = own.length === 0
  const sentences = isPasted ? quotableSentences(text.slice(0, maxPromptLength)) : own
  const last = earlier.at(-1)
  const before = last?.role === 'assistant' ? quotableSentences(last.text) : []
  const isOpening = !earlier.some(({ role }) => role === 'assistant')
  const aside = isAside(before.slice(-3).join(' '), query)
  return sentences.map((sentence, place) => {
    const asked = place === 0 ? answeredQuestion(sentence, sentences.length === 1, before) : ''
    const ground = isOpening ? (prescribes(sentence) ? -0.5 : -2) : 1
    const firm = firmness(sentence, query) + ground + (asked === '' ? 0 : 1)
    const saysNothing = isBare(sentence) && asked === ''
    const weight = (aside || isPasted ? 0.35 : 1) * (saysNothing ? 0.3 : 1)
    return { place, text: sentence, asked, isPasted, firmness: firm * weight }
  })
}

/** Without pasted text. */
export function typedSentences(prompt: string): readonly string[] {
  const text = prompt.slice(0, maxPromptLength)
  const known = knownSentences.get(text)
  if (known) return known
  const sentences = humanText(text).spans.flatMap(({ start, end }) => quotableSentences(text.slice(start, end)))
  if (knownSentences.size >= maxKnown) knownSentences.clear()
  knownSentences.set(text, sentences)
  return sentences
}

/** A cache: every message of a talk is compared with the prompts before it. */
const knownSentences = new Map<string, readonly string[]>()
const maxKnown = 200

/**
 * The plan or question that was agreed to; for a bare answer only a question, since a plan may have
 * been rejected.
 */
function answeredQuestion(sentence: string, isAlone: boolean, before: string[]): string {
  if (assent.test(sentence) && !objection.test(sentence)) return lastQuestion(before)
  if (!isBare(sentence) || (yesOrNo.test(sentence) && !isAlone)) return ''
  return before.slice(-2).findLast(isQuestion) ?? ''
}

function isBare(sentence: string): boolean {
  return contentWords(sentence).length < 4
}

/** The question or plan is at the end of the message before. */
function lastQuestion(before: string[]): string {
  const last = before.slice(-2)
  const asked = last.findLast(isQuestion) ?? last.at(-1) ?? ''
  return asked.length > 400 || /:$/.test(asked) || reports.test(asked) ? '' : asked
}

interface MessageContext {
  earlier: TalkMessage[]
  later: TalkMessage[]
  /** Content words of the prompts before it. */
  userWords: ReadonlySet<string>
}

/**
 * Sentences in which the agent restates what the user said; in the closing message as one piece.
 */
function agentPieces(text: string, { earlier, later, userWords }: MessageContext): PieceDraft[] {
  if (earlier.length === 0) return []
  const sentences = quotableSentences(text)
  const isClosing = later.every((said) => said.text.length < 160) && !isQuestion(sentences.at(-1) ?? '')
  const recapAt = isClosing ? sentences.findIndex((sentence) => recaps.test(sentence)) : -1
  const kept = sentences.map((sentence, place) => ({
    sentence,
    place,
    restates: isStatement(sentence) && ((recapAt >= 0 && place >= recapAt) || repeatsUser(sentence, userWords)),
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
  return consecutiveRuns(kept).map((run) => {
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

function isStatement(sentence: string): boolean {
  return !isQuestion(sentence) && !/:\W*$/.test(sentence) && !plans.test(sentence) && !reports.test(sentence)
}

function repeatsUser(sentence: string, userWords: ReadonlySet<string>): boolean {
  const words = contentWords(sentence)
  return words.length >= 3 && words.filter((word) => userWords.has(word)).length >= words.length * 0.35
}

interface RestatedSentence {
  sentence: string
  place: number
  restates: boolean
}

/** Runs of restating sentences, with following ones that refer back ("It …", "That …"). */
function consecutiveRuns(kept: RestatedSentence[]): RestatedSentence[][] {
  const found: RestatedSentence[][] = []
  for (const one of kept) {
    const run = found.at(-1)
    const isNext = run !== undefined && run.at(-1)!.place + 1 === one.place
    if (isNext && (one.restates || (leans.test(one.sentence) && firmness(one.sentence, '') > 1))) run.push(one)
    else if (one.restates) found.push([one])
  }
  return found
}

/** Words of many turns weigh more, as do words of the query, names and values. */
function wordWeights(said: TalkMessage[], query: string): (word: string) => number {
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
  /^(?:yes|yeah|yep|yup|exactly|right|correct|agreed|precisely|confirmed|perfect|that's (?:it|right|correct)|all unchanged|deliberately|(?:looks|sounds) good|lgtm|go (?:ahead|with (?:it|that))|do (?:it|that)|works for me|makes sense)\b/i
const yesOrNo = /^(?:yes|yeah|yep|no|nope|never|not|exactly|right|correct|agreed|sure|ok(?:ay)?|done|perfect)\b/i
const objection = /\b(?:but|except|however|though|almost|only half|not quite|with one)\b/i
const plans =
  /\b(?:i'll|i will|i'd|i would|i can|i could|i propose|i suggest|i recommend|i'm (?:going|making|switching)|i assume|my (?:plan|proposal|instinct|default|suggestion|recommendation|goal)|we could|(?:simplest|easiest|cleanest|safest) (?:\w+ )?(?:fix|cleanup|semantics|way|option|approach|move)|let me|let's)\b/i
const reports =
  /\b(?:looking at|i see|i've|i found|running|(?:tests?|checks) (?:still )?pass(?:ed|es)?|test suite|here's|question)\b/i
const leans = /^(?:it|it's|this|that|that's|they|those|these|so|and|only|no)\b/i
const recaps =
  /\b(?:recap|to sum(?:mari[sz]e)?|in (?:summary|full|short)|settled|final|so,? the (?:\w+ )?(?:rule|set|map|contract|order|policy)|amended rule|going forward)\b/i
