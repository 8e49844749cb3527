// Scores the sentences of a message: their features, and how likely each is a learning.
import { hasSpeaker, humanText } from '../../text/human-text.ts'
import { type Features, messageFeatures, sentenceFeatures } from './features.ts'
import { learningLogit, messageLift, probabilityOf, type RankingModel } from './model.ts'
import { findPointers, type PointedStatement } from './pointers.ts'
import { findQuotations } from './quotations.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

/** A prompt with the agent's texts around it. */
export interface PromptInContext {
  /** The agent's text before the prompt. */
  before: string
  prompt: string
  /** The agent's answer. */
  after: string
}

export interface SentenceWithFeatures {
  sentence: Sentence
  features: Features
  /** The statement of the agent that it points to. */
  pointer: PointedStatement | undefined
}

export interface ScoredSentence extends SentenceWithFeatures {
  /** Calibrated probability, 0 to 1. */
  score: number
}

export function scoreSentences(exchange: PromptInContext, model: RankingModel): ScoredSentence[] {
  const logits = sentencesWithFeatures(exchange).map((one) => ({
    ...one,
    logit: learningLogit(one.features, model.weights),
  }))
  const lift = messageLift(logits.filter(({ features }) => !isWithheld(features)).map(({ logit }) => logit))
  return logits.map(({ logit, ...one }) => ({
    ...one,
    score: isWithheld(one.features) ? 0 : probabilityOf(logit + lift, model.calibration),
  }))
}

/** The person does not claim what the sentence says: a quotation, a denial, a supposition. */
export function isWithheld(features: Features): boolean {
  return features.has('withheld')
}

/** What training and judging read of a message. */
export function sentencesWithFeatures({ before, prompt, after }: PromptInContext): SentenceWithFeatures[] {
  const { spans, hasPaste } = humanText(prompt)
  const sentences = sentencesOf(prompt, spans, before)
  const around = messageFeatures({ before, after, hasPaste }, sentences)
  const quotations = findQuotations(prompt, sentences)
  const pointers = findPointers(before, sentences)
  const impersonal = spans.filter((span) => isImpersonal(prompt.slice(span.start, span.end)))
  return sentences.map((sentence, index) => {
    const features = sentenceFeatures(sentence, sentences[index + 1], around)
    const pointer = pointers.find((one) => one.sentence === sentence)
    if (quotations.has(sentence)) features.set('withheld', 1)
    if (pointer) features.set('points', 1)
    if (impersonal.some(({ start, end }) => start <= sentence.start && sentence.end <= end))
      features.set('impersonal', 1)
    return { sentence, features, pointer }
  })
}

/** A long paragraph in which nobody speaks is more often pasted than typed. */
function isImpersonal(paragraph: string): boolean {
  return paragraph.length >= 100 && !hasSpeaker(paragraph)
}
