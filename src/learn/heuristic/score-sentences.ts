// Scores the sentences of a message: a weighted sum over named features says how likely a sentence
// is a learning, and of which kind.

import { type MemoryKind, memoryKinds } from '../../memory/memory.ts'
import { humanText } from '../../text/human-text.ts'
import { type Features, messageFeatures, sentenceFeatures } from './features.ts'
import { findQuotations } from './quotations.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { kindWeights, learningWeights } from './weights.ts'

/** A prompt with the agent's texts around it. */
export interface PromptInContext {
  /** The agent's text before the prompt. */
  before: string
  prompt: string
  /** The agent's answer. */
  after: string
}

export interface ScoredSentence {
  sentence: Sentence
  features: Features
  score: number
}

export function scoreSentences({ before, prompt, after }: PromptInContext): ScoredSentence[] {
  const { spans, hasPaste } = humanText(prompt)
  const sentences = sentencesOf(prompt, spans, before)
  const around = messageFeatures({ before, after, hasPaste }, sentences)
  const quotations = findQuotations(prompt, sentences)
  return sentences.map((sentence, index) => {
    const features = sentenceFeatures(sentence, sentences[index + 1], around)
    if (quotations.has(sentence)) features.set('withheld', 1)
    return { sentence, features, score: learningScore(features) }
  })
}

/** Minimum score, chosen for precision: a wrong memory costs more than a missing one. */
export const threshold = -0.35

function learningScore(features: Features): number {
  if (features.has('withheld')) return Number.NEGATIVE_INFINITY
  const weight = weightedSum(features, learningWeights)
  return explicitKind(features) ? Math.max(weight, threshold + 0.5) : weight
}

/** The kind of an explicit speech act. */
function explicitKind(features: Features): MemoryKind | undefined {
  return memoryKinds.find((kind) => features.has(`outright ${kind}`))
}

export function kindOf(features: Features): MemoryKind {
  const said = explicitKind(features)
  if (said) return said
  let best: MemoryKind = 'decision'
  for (const kind of memoryKinds) {
    if (weightedSum(features, kindWeights[kind]) > weightedSum(features, kindWeights[best])) best = kind
  }
  return best
}

function weightedSum(features: Features, weights: Record<string, number>): number {
  let total = 0
  for (const [name, value] of features) total += value * (weights[name] ?? 0)
  return total
}
