// A message, sentence by sentence, each with its cues and its weight.

import { humanText } from '../../text/human-text.ts'
import { type Features, sentenceFeatures, surroundingFeatures } from './features.ts'
import type { Exchange } from './judge.ts'
import { learningScore } from './score.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

export interface Said {
  sentence: Sentence
  features: Features
  score: number
}

/** An exchange is looked at alone and then again with its neighbours: it is weighed once. */
const weighed = new WeakMap<Exchange, Said[]>()

export function weigh(exchange: Exchange): Said[] {
  let said = weighed.get(exchange)
  if (!said) {
    said = weighAnew(exchange)
    weighed.set(exchange, said)
  }
  return said
}

function weighAnew({ before, prompt, after }: Exchange): Said[] {
  const { spans, hasPaste } = humanText(prompt)
  const sentences = sentencesOf(prompt, spans, before)
  const around = surroundingFeatures({ before, after, hasPaste }, sentences)
  return sentences.map((sentence, index) => {
    const features = sentenceFeatures(sentence, sentences[index + 1], around)
    return { sentence, features, score: learningScore(features) }
  })
}
