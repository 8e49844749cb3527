// Decides when passages need vectors and removes outdated ones; runs in the background, as part of a sweep.
import type { Clock } from '../../core/clock.ts'
import type { Config } from '../../core/config.ts'
import type { ModelContext } from '../../models/model.ts'
import { deleteValue, readValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { indexSize } from '../../store/search/passage-search.ts'
import {
  deleteOtherModels,
  replaceBlock,
  textPassages,
  type VectorModel,
  vectorBlocks,
  vectorModel,
} from '../../store/search/vectors.ts'
import { stampOf, without } from './block.ts'

export type VectorContext = Omit<ModelContext, 'redact' | 'sleep'>

/** New passages are found by their words meanwhile. */
const growthToTakeIn = 0.01

/** Told from three rows. */
export function vectorsDue({ ledger, clock, config }: { ledger: Ledger; clock: Clock; config: Config }): boolean {
  if (config.recall.vectors === 'off') return false
  const { passages } = indexSize(ledger)
  const model = vectorModel(ledger)
  if (passages === 0 || (waitingFor(ledger)?.untilMs ?? 0) > clock.nowMs()) return false
  return model?.name !== config.recall.vectors || hasGrown(model.seen, passages, growthToTakeIn)
}

/** Gives back how many passages have got a vector. */
export async function fitVectors(context: VectorContext): Promise<number> {
  const { ledger, config } = context
  const name = config.recall.vectors
  if (name === 'off') {
    ledger.transaction(() => deleteOtherModels(ledger))
    return 0
  }
  deleteValue(ledger, waitNote)
  return (await import('./fit-provider.ts')).fitFromProvider(context, name)
}

/** Why vectors are not being made, and until when. */
export interface Waiting {
  untilMs: number
  reason: string
}

export const waitNote = 'vectors wait'

export function waitingFor(ledger: Ledger): Waiting | undefined {
  return readValue(ledger, waitNote) as Waiting | undefined
}

function hasGrown(before: number, now: number, share: number): boolean {
  return Math.abs(now - before) >= Math.max(1, before * share)
}

/** Takes the vectors out whose passages are gone or say something else; gives back the passages without one. */
export function refresh(ledger: Ledger, model: VectorModel): number[] {
  const stamps = new Map<number, number>()
  for (const block of vectorBlocks(ledger, model.id))
    for (const [at, id] of block.ids.entries()) stamps.set(id, block.stamps[at]!)
  const missing: number[] = []
  for (const passage of textPassages(ledger)) {
    if (stamps.get(passage.id) === stampOf(passage)) stamps.delete(passage.id)
    else missing.push(passage.id)
  }
  const isGone = (id: number) => stamps.has(id)
  if (stamps.size > 0)
    for (const { number, ...block } of vectorBlocks(ledger, model.id))
      if (block.ids.some(isGone)) replaceBlock(ledger, model.id, number, without(block, isGone, model.dimensions))
  return missing
}
