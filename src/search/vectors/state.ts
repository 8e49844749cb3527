// State of the vectors: whether passages wait for one, and what `recollect doctor` shows. Loads no
// model code, because it is asked on every sweep.
import type { Clock } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import type { ModelContext } from '../../models/context.ts'
import { deleteValue, isObject, readChecked, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { indexSize } from '../../store/search/postings/lookup.ts'
import { countVectors, vectorModel } from '../../store/search/vectors.ts'

export type VectorContext = Omit<ModelContext, 'redact' | 'sleep'>

export interface VectorState {
  /** The provider and model, as in the configuration. */
  name: string
  /** Passages that have a vector of this model. */
  passages: number
  dimensions: number
  madeMs: number | null
  waiting: VectorPause | null
}

/** Why no vectors are made, and until when. */
export interface VectorPause {
  untilMs: number
  reason: string
}

/** Undefined where vectors are off. */
export function vectorState(ledger: Ledger, { recall }: Config): VectorState | undefined {
  const name = recall.vectors
  if (name === 'off') return undefined
  const waiting = readPause(ledger) ?? null
  const model = vectorModel(ledger)
  if (model?.name !== name) return { name, passages: 0, dimensions: 0, madeMs: null, waiting }
  const { id, dimensions, madeMs } = model
  return { name, passages: countVectors(ledger, id), dimensions, madeMs, waiting }
}

/** New passages are found by their words until they are this share of all. */
const minGrowth = 0.01

/** Reads three rows only. */
export function vectorsDue({ ledger, clock, config }: { ledger: Ledger; clock: Clock; config: Config }): boolean {
  if (config.recall.vectors === 'off') return false
  const { passages } = indexSize(ledger)
  const model = vectorModel(ledger)
  if (passages === 0 || (readPause(ledger)?.untilMs ?? 0) > clock.nowMs()) return false
  return model?.name !== config.recall.vectors || hasGrown(model.seen, passages)
}

function hasGrown(before: number, now: number): boolean {
  return Math.abs(now - before) >= Math.max(1, before * minGrowth)
}

const pauseKey = 'vectors wait'

export function readPause(ledger: Ledger): VectorPause | undefined {
  return readChecked(ledger, pauseKey, (value) => isObject(value) && Number.isFinite(value.untilMs))
}

export function writePause(ledger: Ledger, pause: VectorPause): void {
  writeValue(ledger, pauseKey, { ...pause })
}

export function clearPause(ledger: Ledger): void {
  deleteValue(ledger, pauseKey)
}
