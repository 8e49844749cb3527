// The judge that needs no model: finds sentences of a user's message that may be worth remembering.
// Each is scored by a trained model; those above a threshold become candidates, in the user's own
// words and with the neighbours that explain them.
import { type Learning, type MemoryKind, maxMemoryLength } from '../../memory/memory.ts'
import { attributesOf, withAgreedTag } from './attributes.ts'
import { kindOf } from './kinds.ts'
import { type RankingModel, trainedModel } from './model.ts'
import { isRequest } from './requests.ts'
import { retractedSubject } from './retraction.ts'
import { isWithheld, type PromptInContext, type ScoredSentence, scoreSentences } from './score-sentences.ts'
import { groupSentences, reasonIn, type SentenceGroup, statementOf } from './statement.ts'

const maxLearnings = 3
/** A sentence that is this much less likely than the best one of its message is left out. */
const minShareOfBest = 0.3

export function judgeExchange(exchange: PromptInContext, model: RankingModel = trainedModel): Learning[] {
  const { prompt } = exchange
  const { threshold } = model.calibration
  const scored = scoreSentences(exchange, model)
  const retracted = scored.flatMap((one) => retractionOf(one, threshold) ?? [])
  const open = scored.filter(({ sentence, features }) => !isWithheld(features) && !retractedSubject(sentence.text))
  const best = Math.max(0, ...open.map(({ score }) => score))
  const isCandidate = ({ sentence, score }: ScoredSentence) =>
    (score >= threshold && score >= best * minShareOfBest) || isRequest(sentence)
  const pointed = open.filter(isCandidate).flatMap((one) => pointedLearning(prompt, one) ?? [])
  const own = groupSentences(
    prompt,
    open.map((one) => ({ ...one, isKept: !one.pointer && isCandidate(one) })),
  ).flatMap((group) => ownLearning(prompt, group) ?? [])
  const byText = new Map([...pointed, ...own].sort((a, b) => b.score! - a.score!).map((one) => [one.text, one]))
  const found = [...byText.values()].slice(0, maxLearnings)
  return [...retracted, ...found]
}

function retractionOf({ sentence, score }: ScoredSentence, threshold: number): Learning | undefined {
  const subject = retractedSubject(sentence.text)
  if (!subject) return undefined
  return {
    ...attributesOf('correction', new Map(), Math.max(score, threshold)),
    text: subject,
    quote: sentence.text,
    why: null,
    isRetraction: true,
  }
}

/** The statement of the agent that the user agreed to. */
function pointedLearning(prompt: string, { sentence, features, pointer, score }: ScoredSentence): Learning | undefined {
  if (!pointer || pointer.text.length > maxMemoryLength) return undefined
  const kind: MemoryKind = pointer.isCause ? 'debugging' : kindOf(features)
  return {
    ...withAgreedTag(attributesOf(kind, features, score)),
    text: pointer.text,
    quote: prompt.slice(sentence.start, sentence.end),
    why: null,
  }
}

/** A request to remember is certain, whatever its words are about. */
const requestScore = 0.95

function ownLearning(prompt: string, { best, sentences }: SentenceGroup): Learning | undefined {
  const { text, start, end } = statementOf(prompt, sentences)
  if (text === '' || text.length > maxMemoryLength) return undefined
  const isAsked = sentences.some(isRequest)
  const score = isAsked ? Math.max(best.score, requestScore) : best.score
  return {
    ...attributesOf(kindOf(best.features), best.features, score),
    text,
    quote: prompt.slice(start, end),
    why: reasonIn(text),
    ...(isAsked ? { isRequest: true } : {}),
  }
}
