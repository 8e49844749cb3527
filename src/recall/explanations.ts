// Finds what the agent found out in a talk: causes and fixes that concern the question, with what
// followed (tests, a commit, the person's answer). Explanations that the person rejected or the agent
// took back are left out, and of several a later one counts more. The whole talk is read, because
// the conclusion of a long session is often far from the words that were searched for.
import { contentWords } from '../text/content-words.ts'
import {
  causeStrength,
  classified,
  type FunctionalSentence,
  isExplaining,
  isSpeculation,
  placedSentences,
} from '../text/sentence-function.ts'
import { answerStrength, withAnswers } from './answers.ts'
import { type QuotedPiece, typedSentences } from './argument.ts'
import { answersTo, followedBy, isRetracted, isWithdrawn, retractionsIn, turnStart } from './confirmation.ts'
import { fixesOf } from './fixes.ts'
import { once } from './once.ts'
import { asksForAnswer, asksForCause, isAsked, type QuestionIntent, reportsProblem } from './question.ts'
import { type LastFix, lastFix, withoutRefuted } from './refuted.ts'
import type { Rarity } from './similarity.ts'
import type { TalkMessage } from './sources.ts'
import { answeredPrompts, type MessageRelevance, type PlacedText, subjectRelevance, weightedShare } from './subject.ts'

export interface TalkExplanation {
  /** Of the message in the talk. */
  index: number
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
  /** Title and project of the session. */
  about?: string
}

/** What is told: of a fix that was replaced, the last one. It counts as much as what it replaces. */
interface LastingSentence extends LastFix {
  measured: FunctionalSentence
}

/** Best first. Without a question only those that were confirmed. */
export function findExplanations(
  talk: TalkMessage[],
  options: ExplanationOptions,
  relevance = subjectRelevance(talk, options),
): TalkExplanation[] {
  const { query, intent, rarity } = options
  if (intent === 'topic') return []
  const placed = once((index: number) => placedSentences(talk[index]!.text))
  const spoken = once((index: number) =>
    talk[index]!.role === 'assistant' ? placed(index).map(classified) : personCauses(talk[index]!.text),
  )
  let withdrawals: ReturnType<typeof retractionsIn> | undefined
  const shareOf = weightedShare(query, rarity)
  const isNamed = ({ text }: FunctionalSentence) => shareOf(text) >= minNamedShare
  const reportedAgain = lastReport(talk, shareOf)
  const found: TalkExplanation[] = []
  for (const index of talk.keys()) {
    if (relevance.highest(index) < minRelevance) continue
    const isReply = talk[index]!.role === 'assistant'
    const relevant = relevance.at(index, isReply ? placed(index) : spoken(index))
    const isRelevant = (one: PlacedText) => relevant.of(one) >= minRelevance
    // Reading the functions of sentences takes most of the time.
    if (isReply && !placed(index).some(isRelevant)) continue
    const diagnosed = withDiagnosis(talk, index, spoken(index))
    const sentences = withAnswers(talk, index, diagnosed, options)
    const parts = quotedParts(sentences)
    if (!parts.some(isRelevant)) continue
    withdrawals ??= retractionsIn(talk)
    const withdrawn = isWithdrawn(withdrawals, index)
    const near = withContinuations(
      parts.filter((one) => !withdrawn(one)),
      isRelevant,
    )
    // A change alone is an answer only if it names what was asked about.
    const about = near.every(({ function: part }) => part === 'fix') ? near.filter(isNamed) : near
    const isLead = (sentence: FunctionalSentence) =>
      sentence.function === 'answer' ? relevant.of(sentence) >= minAnswerRelevance : isClear(sentence)
    if (!about.some(isLead) || isRetracted(talk, spoken, index)) continue
    const followed = talk[index]!.role === 'user' ? [] : followedBy(talk, index)
    if (followed.length === 0 && intent === 'report') continue
    const lasting = about.flatMap((sentence): LastingSentence[] => {
      const own = { said: talk[index]!, sentence }
      const told = sentence.function === 'fix' ? lastFix(talk, spoken, index, sentence) : own
      return told ? [{ ...told, measured: sentence }] : []
    })
    if (lasting.length === 0) continue
    const explanation = explanationAt(index, lasting, relevant, followed)
    if (explanation.score >= minScore) found.push(explanation)
  }
  return preferLast(talk, withoutRefuted(talk, found, shareOf), intent).sort((a, b) => b.score - a.score)

  function explanationAt(
    index: number,
    about: LastingSentence[],
    relevant: MessageRelevance,
    followed: string[],
  ): TalkExplanation {
    const opening = talk.findIndex(({ role }) => role === 'user')
    const weight = followed.length > 0 ? confirmedFactor : index === opening ? openingFactor : 1
    const again = index < reportedAgain ? againFactor : 1
    const factor =
      weight *
      again *
      (1 + (intent === 'state' ? stateFactor : laterFactor) * (index / talk.length)) *
      (1 + askedFactor * relevant.asked ** 2)
    const all = about.map(({ said, sentence, measured }, place) => ({
      ...pieceOf(said, sentence, options),
      asked: place === 0 ? answeredPrompt(talk, index, measured.text) : '',
      firmness:
        measured.strength *
        Math.max(relevant.of(measured), minRelevance) ** relevanceExponent *
        factor *
        weightOf(measured, intent),
      followed: sentence === measured ? followed : followedBy(talk, talk.indexOf(said)),
    }))
    const pieces = isAsked(intent) ? withoutRemarks(all) : all
    const fixes =
      asksForAnswer(intent) || pieces.some(({ part }) => part === 'fix')
        ? []
        : fixesOf(talk, spoken, index, all.map(({ text }) => text).join(' '))
    return {
      index,
      pieces: [
        ...pieces,
        ...fixes.map(({ said, sentence }) => ({
          ...pieceOf(said, sentence, options),
          firmness: sentence.strength * factor * fixShare,
        })),
      ],
      score: scoreOf(pieces, intent),
      isConfirmed: followed.length > 0,
      from: talk[Math.max(opening + 1, turnStart(talk, index))]?.seq ?? Number.POSITIVE_INFINITY,
      to: lastSeq(talk, answersTo(talk, index).end),
    }
  }
}

/** The last prompt in which the person says that the problem is still there; -1 if there is none. */
function lastReport(talk: TalkMessage[], shareOf: (text: string) => number): number {
  return talk.findLastIndex(
    ({ role, text }) =>
      role === 'user' && text.length <= maxReportLength && saysStill.test(text) && shareOf(text) >= minReportShare,
  )
}

const saysStill = /\b(?:still|again|keeps?|not fixed|same)\b/i
const maxReportLength = 600
const minReportShare = 0.4
/** What was explained before did not help. */
const againFactor = 0.5

/** Sentences that are about it, each with the next one if that refers back to it ("That's why …"). */
function withContinuations(
  sentences: FunctionalSentence[],
  isAbout: (sentence: FunctionalSentence) => boolean,
): FunctionalSentence[] {
  const places = new Set(sentences.filter(isAbout).map(({ place }) => place))
  return sentences.filter(({ place, text }) => places.has(place) || (places.has(place - 1) && leans.test(text)))
}

/** The best sentence with those around it that are about the subject as well, and others nearly as good. */
function withoutRemarks(pieces: QuotedPiece[]): QuotedPiece[] {
  const best = pieces.reduce((a, b) => (b.firmness > a.firmness ? b : a))
  return pieces.filter(({ firmness, place }) => {
    const isNear = Math.abs(place - best.place) <= nearbySentences
    return firmness >= best.firmness * (isNear ? minShareNear : minShareFar)
  })
}

const nearbySentences = 3
const minShareNear = 0.4
const minShareFar = 0.75

/** Of explanations in the same line of work the last one is what was found in the end. */
function preferLast(talk: TalkMessage[], found: TalkExplanation[], intent: QuestionIntent): TalkExplanation[] {
  const threadOf = ({ index }: TalkExplanation) => answeredPrompts(talk, index).at(-1)
  const isFull = ({ pieces }: TalkExplanation) =>
    !asksForCause(intent) || pieces.some(({ part }) => part === (intent === 'fix' ? 'fix' : 'cause'))
  const threads = Map.groupBy(found, threadOf)
  return found.map((one) => {
    const all = threads.get(threadOf(one))!
    const full = all.filter(isFull)
    // The change is quoted beside the cause that it belongs to.
    if (full.length > 0 && !full.includes(one)) return { ...one, score: one.score * changeFactor }
    const thread = full.length > 0 ? full : all
    const isLast = thread.length > 1 && thread.at(-1) === one
    return isLast && (one.isConfirmed || !thread.some(({ isConfirmed }) => isConfirmed))
      ? { ...one, score: one.score * lastFactor }
      : one
  })
}

const changeFactor = 0.5
const lastFactor = 1.5

/** Up to the prompt at `end`, if it is short enough to be an answer. */
function lastSeq(talk: TalkMessage[], end: number): number {
  const prompt = talk[end]
  if (prompt === undefined) return Number.POSITIVE_INFINITY
  return prompt.text.length <= maxAnswerLength ? prompt.seq : prompt.seq - 1
}

const maxAnswerLength = 200

/** Share of the subject of the question that a sentence and what is around it must have. */
const minRelevance = 0.38
/** Above 1, because half of the subject is often another subject. */
const relevanceExponent = 2
/** An explanation with less is a remark. */
const minScore = 0.3
const minNamedShare = 0.3
/** Share of the subject that a plain statement needs to be an answer. */
const minAnswerRelevance = 0.5
const confirmedFactor = 1.6
/** What the person believes before the agent has looked. */
const openingFactor = 0.6
const laterFactor = 0.5
/** How it stands is said at the end. */
const stateFactor = 3
/** The person asked the same: the turn is about it. */
const askedFactor = 1.2
/** Weight of a fix in a later message, which need not have words of the question. */
const fixShare = 0.6

/** What the person names as the cause, in typed text. */
function personCauses(prompt: string): FunctionalSentence[] {
  return typedSentences(prompt)
    .map((text, place): FunctionalSentence => ({ text, place, function: 'cause', strength: causeStrength(text) }))
    .filter(({ strength }) => strength >= minPersonStrength)
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

function isQuoted(sentence: FunctionalSentence): boolean {
  return isExplaining(sentence) || sentence.function === 'answer'
}

/** Causes, fixes and answers, and up to three sentences that continue a cause. */
function quotedParts(sentences: FunctionalSentence[]): FunctionalSentence[] {
  let continued = maxContinuation
  return sentences.flatMap((sentence): FunctionalSentence[] => {
    if (isQuoted(sentence)) {
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

function weightOf({ function: part, strength }: FunctionalSentence, intent: QuestionIntent): number {
  // Where no cause is asked for, being one makes a sentence no better.
  if (asksForAnswer(intent)) return Math.min(1, answerStrength / strength)
  if (part === 'answer') return 1
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

function pieceOf(said: TalkMessage, sentence: FunctionalSentence, { query, intent }: ExplanationOptions): QuotedPiece {
  const asked = new Set(contentWords(query))
  return {
    seq: said.seq,
    place: sentence.place,
    role: said.role,
    part: partOf(sentence, intent),
    text: sentence.text,
    asked: '',
    isPasted: false,
    firmness: 0,
    words: new Map(contentWords(sentence.text).map((word) => [word, asked.has(word) ? 1.4 : 1])),
    followed: [],
  }
}

function partOf({ function: part }: FunctionalSentence, intent: QuestionIntent): QuotedPiece['part'] {
  if (asksForAnswer(intent)) return 'answer'
  return part === 'fix' || part === 'answer' ? part : 'cause'
}

/** An explanation of several sentences beats a remark. */
function scoreOf(pieces: QuotedPiece[], intent: QuestionIntent): number {
  const best = (isPart: (part: QuotedPiece['part']) => boolean) =>
    pieces
      .filter(({ part }) => isPart(part))
      .map(({ firmness }) => firmness)
      .sort((a, b) => b - a)
      .slice(0, rankWeights.length)
      .reduce((sum, firmness, rank) => sum + firmness * rankWeights[rank]!, 0)
  if (asksForAnswer(intent)) return best(() => true)
  const [asked, other] = intent === 'fix' ? (['fix', 'cause'] as const) : (['cause', 'fix'] as const)
  const [main, beside] = [best((part) => part === asked), best((part) => part === other)]
  return main + beside * (main > 0 ? besideWeight : aloneWeight) + statementWeight * best((part) => part === 'answer')
}

const rankWeights = [1, 0.5, 0.25]
/** Weight of a fix beside a cause, and of one without, where the cause is asked for. */
const besideWeight = 0.4
const aloneWeight = 0.6
const statementWeight = 0.5
