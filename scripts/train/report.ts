// Measures the model on projects that it has not seen: every project is judged by a model trained
// and calibrated on the others. Intervals are 95 % percentiles of a bootstrap over sessions.
import { judgeExchange } from '../../src/learn/heuristic/judge.ts'
import type { Learning } from '../../src/memory/memory.ts'
import { calibrate, type UnseenScore } from './calibrate.ts'
import { fitModel, messageLogit } from './fit.ts'
import type { LabelledMessage } from './messages.ts'

/** Scores of every message by a model that was trained without its project. */
export function unseenScores(messages: LabelledMessage[]): UnseenScore[] {
  return foldsOf(messages).flatMap(({ weights, inside }) =>
    inside.map((message) => ({ message, logit: messageLogit(message, weights) })),
  )
}

function foldsOf(messages: LabelledMessage[]) {
  return projectsOf(messages).map((project) => ({
    project,
    weights: fitModel(messages.filter((message) => message.project !== project)),
    inside: messages.filter((message) => message.project === project),
  }))
}

function projectsOf(messages: LabelledMessage[]): string[] {
  return [...new Set(messages.map(({ project }) => project))].sort()
}

interface JudgedMessage {
  message: LabelledMessage
  learnings: Learning[]
  score: number
}

export function printReport(messages: LabelledMessage[]): void {
  const folds = foldsOf(messages)
  const scores = folds.flatMap(({ weights, inside }) =>
    inside.map((message) => ({ message, logit: messageLogit(message, weights) })),
  )
  const judged = folds.flatMap(({ project, weights, inside }) => {
    const calibration = calibrate(scores.filter(({ message }) => message.project !== project))
    return inside.map((message): JudgedMessage => {
      const learnings = judgeExchange(message, { weights, calibration })
      return { message, learnings, score: Math.max(0, ...learnings.map(({ score = 0 }) => score)) }
    })
  })
  const yes = messages.filter(({ label }) => label === 'yes').length
  console.log(`${messages.length} messages, ${yes} with a learning; each project by a model of the others, weighted`)
  for (const [name, measure] of Object.entries(measures))
    console.log(`${name.padEnd(36)} ${percent(measure(judged))}  (${interval(judged, measure)})`)
  console.log('by project: messages, with a learning, recall, share with a candidate, area under the curve')
  for (const project of projectsOf(messages)) {
    const own = judged.filter(({ message }) => message.project === project)
    const positives = own.filter(({ message }) => message.label === 'yes').length
    const figures = [recall, firedShare, areaUnderCurve].map((measure) => percent(measure(own)))
    console.log(`  ${project.padEnd(28)} ${own.length} ${positives} ${figures.join(' ')}`)
  }
  printCalibration(judged)
}

type Measure = (judged: JudgedMessage[]) => number

const measures: Record<string, Measure> = {
  recall: recall,
  'messages with a candidate': firedShare,
  'precision in the highest 3 %': (judged) => precisionOfHighest(judged, 0.03),
  'precision in the highest 10 %': (judged) => precisionOfHighest(judged, 0.1),
  'area under the curve': areaUnderCurve,
  'correct kind, of those found': (judged) =>
    meanOfHits(judged, ({ message, learnings }) => (learnings.some(({ kind }) => kind === message.kind) ? 1 : 0)),
  'overlap with quotation or summary': (judged) => meanOfHits(judged, overlap),
}

function weightOf(judged: JudgedMessage[]): number {
  return judged.reduce((sum, { message }) => sum + message.weight, 0)
}

function recall(judged: JudgedMessage[]): number {
  const positives = judged.filter(({ message }) => message.label === 'yes')
  return weightOf(positives.filter(({ learnings }) => learnings.length > 0)) / weightOf(positives)
}

function firedShare(judged: JudgedMessage[]): number {
  return weightOf(judged.filter(({ learnings }) => learnings.length > 0)) / weightOf(judged)
}

/** Borderline messages are among the highest, but count neither way. */
function precisionOfHighest(judged: JudgedMessage[], share: number): number {
  const limit = weightOf(judged) * share
  let seen = 0
  let right = 0
  let wrong = 0
  for (const { message } of judged.toSorted((a, b) => b.score - a.score)) {
    if (seen >= limit) break
    seen += message.weight
    if (message.label === 'yes') right += message.weight
    if (message.label === 'no') wrong += message.weight
  }
  return right / (right + wrong)
}

/** Messages without a candidate share the lowest score. */
function areaUnderCurve(judged: JudgedMessage[]): number {
  const byScore = Map.groupBy(judged, ({ score }) => score)
  let below = 0
  let area = 0
  for (const score of [...byScore.keys()].sort((a, b) => a - b)) {
    const equal = byScore.get(score)!
    const positive = weightOf(equal.filter(({ message }) => message.label === 'yes'))
    const negative = weightOf(equal.filter(({ message }) => message.label === 'no'))
    area += positive * (below + negative / 2)
    below += negative
  }
  return area / (below * weightOf(judged.filter(({ message }) => message.label === 'yes')))
}

function meanOfHits(judged: JudgedMessage[], of: (one: JudgedMessage) => number): number {
  const hits = judged.filter(({ message, learnings }) => message.label === 'yes' && learnings.length > 0)
  return hits.reduce((sum, one) => sum + of(one), 0) / hits.length
}

function overlap({ message: { quote, gist }, learnings }: JudgedMessage): number {
  return Math.max(...learnings.map(({ text }) => Math.max(tokenF1(text, quote), tokenF1(text, gist))))
}

function tokenF1(a: string, b: string): number {
  const words = wordsOf(a)
  const left = wordsOf(b)
  const length = words.length + left.length
  let common = 0
  for (const word of words) {
    const place = left.indexOf(word)
    if (place < 0) continue
    left.splice(place, 1)
    common++
  }
  return common === 0 ? 0 : (2 * common) / length
}

function wordsOf(text: string): string[] {
  return [...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
}

const rounds = 1000

function interval(judged: JudgedMessage[], measure: Measure): string {
  const sessions = [...Map.groupBy(judged, ({ message }) => message.group).values()]
  let seed = 12345
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32
  }
  const values = Array.from({ length: rounds }, () =>
    measure(sessions.flatMap(() => sessions[Math.floor(random() * sessions.length)]!)),
  ).sort((a, b) => a - b)
  return `${percent(values[Math.floor(0.025 * rounds)]!)} to ${percent(values[Math.ceil(0.975 * rounds) - 1]!)}`
}

/** Whether a score of 0.2 means that 20 % are right. */
function printCalibration(judged: JudgedMessage[]): void {
  const counted = judged.filter(({ message, score }) => message.label !== 'borderline' && score > 0)
  const borders = [0, 0.05, 0.1, 0.2, 0.3, 0.5, 1.01]
  console.log('score, messages, share with a learning')
  for (const [index, low] of borders.slice(0, -1).entries()) {
    const inside = counted.filter(({ score }) => score >= low && score < borders[index + 1]!)
    const positive = weightOf(inside.filter(({ message }) => message.label === 'yes'))
    if (inside.length > 0) console.log(`  from ${low}: ${inside.length} ${percent(positive / weightOf(inside))}`)
  }
}

function percent(share: number): string {
  return (share * 100).toFixed(1)
}
