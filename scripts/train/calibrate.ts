// Calibrates scores of messages that the model has not seen: Platt scaling, and the threshold at
// which a given share of messages has a candidate.
import { type Calibration, probabilityOf } from '../../src/learn/heuristic/model.ts'
import { fitLogistic } from './logistic.ts'
import type { LabelledMessage } from './messages.ts'

export interface UnseenScore {
  message: LabelledMessage
  /** Undefined if the message has no sentence of the person. */
  logit: number | undefined
}

/** Share of messages that have a candidate. */
const firedShare = 0.33

export function calibrate(scores: UnseenScore[]): Calibration {
  const examples = scores.flatMap(({ message: { label, weight }, logit }) =>
    logit === undefined || label === 'borderline'
      ? []
      : [{ values: [[0, logit] as [number, number], [1, 1] as [number, number]], isPositive: label === 'yes', weight }],
  )
  const [slope, offset] = fitLogistic(examples, [
    { mean: 1, strength: 1 },
    { mean: 0, strength: 0.01 },
  ])
  const fitted = { slope: slope!, offset: offset! }
  return { ...fitted, threshold: thresholdOf(scores, fitted) }
}

function thresholdOf(scores: UnseenScore[], fitted: Omit<Calibration, 'threshold'>): number {
  const total = scores.reduce((sum, { message }) => sum + message.weight, 0)
  let fired = 0
  for (const { message, logit } of scores.toSorted((a, b) => (b.logit ?? -99) - (a.logit ?? -99))) {
    fired += message.weight
    if (fired >= total * firedShare) return probabilityOf(logit ?? -99, fitted)
  }
  return 0
}
