// Fits the ranking model to labelled messages. All choices (features, priors, sizes) were made by
// leaving one project out at a time, as the report does.
import { phraseMark } from '../../src/learn/heuristic/features.ts'
import { type FeatureWeights, learningLogit, messageLift } from '../../src/learn/heuristic/model.ts'
import { type Example, fitLogistic, type WeightPrior } from './logistic.ts'
import type { LabelledMessage, LabelledSentence } from './messages.ts'

/** How strongly weights of named features and of phrases are kept near their prior. */
const cueStrength = 3
const phraseStrength = 10
/** Messages that must contain a feature. */
const minCueMessages = 3
const minPhraseMessages = 10
const maxPhrases = 700

/**
 * Cues that are too rare in the messages to get a weight of their own, and what cannot be read
 * alone.
 */
const expected: Record<string, number> = {
  impersonal: -0.3,
  fromNowOn: 1,
  always: 0.5,
  standing: 1,
  remember: 1,
  prefer: 1,
  decided: 1,
  goWith: 0.7,
  approach: 0.7,
  switched: 1,
  correctWay: 1,
  useInstead: 0.7,
  wantAll: 1,
  itWas: 1,
  points: 1.5,
  bare: -0.7,
  opensList: -1,
  thanks: -0.5,
  'outright correction': 1,
  'outright preference': 1,
  'outright decision': 1,
  'outright fact': 1,
  'outright debugging': 1,
  'outright operational': 1,
}

/** Phrases are chosen by a first fit, and fitted again without the others. */
export function fitModel(messages: LabelledMessage[]): FeatureWeights {
  const judged = messages.filter(({ label }) => label !== 'borderline')
  const counts = countMessages(judged)
  const frequent = [...counts]
    .filter(([name, count]) => count >= (isPhrase(name) ? minPhraseMessages : minCueMessages))
    .map(([name]) => name)
  const names = [...new Set([...Object.keys(expected), ...frequent])]
  const first = fitWeights(judged, names)
  const influence = (name: string) => Math.abs(first.get(name)!) * Math.sqrt(counts.get(name)!)
  const phrases = names.filter(isPhrase).sort((a, b) => influence(b) - influence(a) || (a < b ? -1 : 1))
  const dropped = new Set(phrases.slice(maxPhrases))
  return fitWeights(
    judged,
    names.filter((name) => !dropped.has(name)),
  )
}

function isPhrase(name: string): boolean {
  return name.startsWith(phraseMark)
}

function countMessages(messages: LabelledMessage[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sentences } of messages) {
    for (const name of new Set(sentences.flatMap(({ features }) => [...features.keys()])))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

function fitWeights(messages: LabelledMessage[], names: string[]): Map<string, number> {
  const places = new Map(names.map((name, place) => [name, place]))
  const examples = messages.flatMap(({ label, weight, sentences }) =>
    sentences.map((sentence) => exampleFrom(sentence, places, label === 'yes' && sentence.isQuoted, weight)),
  )
  const weights = fitLogistic(examples, names.map(priorOf))
  return new Map(names.map((name, place) => [name, weights[place]!]))
}

function exampleFrom(
  { features }: LabelledSentence,
  places: Map<string, number>,
  isPositive: boolean,
  weight: number,
): Example {
  const values = [...features].flatMap(([name, value]): [number, number][] => {
    const place = places.get(name)
    return place === undefined ? [] : [[place, value]]
  })
  return { values, isPositive, weight }
}

function priorOf(name: string): WeightPrior {
  if (name === 'bias') return { mean: -3, strength: 0.01 }
  return { mean: expected[name] ?? 0, strength: isPhrase(name) ? phraseStrength : cueStrength }
}

/** The score of a message before calibration; undefined if it has no sentence of the person. */
export function messageLogit({ sentences }: LabelledMessage, weights: FeatureWeights): number | undefined {
  if (sentences.length === 0) return undefined
  const logits = sentences.map(({ features }) => learningLogit(features, weights))
  return Math.max(...logits) + messageLift(logits)
}
