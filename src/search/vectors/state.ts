// How things stand with the vectors, for people: who makes them, for how many passages, since when, and what is in the way.
import type { Config } from '../../core/config.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countVectors, vectorModel } from '../../store/search/vectors.ts'
import { type Waiting, waitingFor } from './fit.ts'

export interface VectorState {
  /** As the configuration names it. */
  name: string
  /** Passages that have a vector; none where those that are there come from another model. */
  passages: number
  dimensions: number
  madeMs: number | null
  waiting: Waiting | null
}

/** Undefined where vectors are off. */
export function vectorState(ledger: Ledger, { recall }: Config): VectorState | undefined {
  const name = recall.vectors
  if (name === 'off') return undefined
  const waiting = waitingFor(ledger) ?? null
  const model = vectorModel(ledger)
  if (model?.name !== name) return { name, passages: 0, dimensions: 0, madeMs: null, waiting }
  const { id, dimensions, madeMs } = model
  return { name, passages: countVectors(ledger, id), dimensions, madeMs, waiting }
}
