// A message, sentence by sentence, each with its cues and its weight.

import { humanText } from '../../text/human-text.ts'
import { type Features, messageFeatures, sentenceFeatures } from './features.ts'
import type { PromptInContext } from './judge.ts'
import { learningScore } from './score.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

export interface ScoredSentence {
  sentence: Sentence
  features: Features
  score: number
}

/** An exchange is looked at alone and then again with its neighbours: it is weighed once. */
const scoredByExchange = new WeakMap<PromptInContext, ScoredSentence[]>()

export function scoreSentences(exchange: PromptInContext): ScoredSentence[] {
  let said = scoredByExchange.get(exchange)
  if (!said) {
    said = scoreAll(exchange)
    scoredByExchange.set(exchange, said)
  }
  return said
}

function scoreAll({ before, prompt, after }: PromptInContext): ScoredSentence[] {
  const { spans, hasPaste } = humanText(prompt)
  const sentences = sentencesOf(prompt, spans, before)
  const around = messageFeatures({ before, after, hasPaste }, sentences)
  return sentences.map((sentence, index) => {
    const features = sentenceFeatures(sentence, sentences[index + 1], around)
    return { sentence, features, score: learningScore(features) }
  })
}
