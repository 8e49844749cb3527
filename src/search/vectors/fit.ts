// Making the vectors of passages, in the background. Where they are learned from the user's own words, meaning is learned anew
// when there is a fifth more to learn from; what is new in between gets vectors from the meaning that is there.
import type { Clock } from '../../core/clock.ts'
import type { Config } from '../../core/config.ts'
import type { ModelContext } from '../../models/model.ts'
import { forgetNote, readNote } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { indexSize } from '../../store/search/passage-search.ts'
import {
  addBlock,
  beginModel,
  deleteModels,
  deleteUnfinishedModels,
  finishModel,
  replaceBlock,
  type SaidPassage,
  saidPassages,
  saidPassagesById,
  saveSeen,
  saveTermVector,
  termVectors,
  type VectorModel,
  vectorBlocks,
  vectorModel,
} from '../../store/search/vectors.ts'
import { bytesPerTerm, termAt } from '../../text/term-hash.ts'
import { blockOf, blockSize, stampOf, without } from './block.ts'
import { embedTerms } from './embed.ts'
import { fitTerms } from './ppmi.ts'

export type VectorContext = Omit<ModelContext, 'redact' | 'sleep'>

/** New passages are found by their words meanwhile. */
const growthToTakeIn = 0.01
const growthToRefit = 0.2

/** Told from three rows. */
export function vectorsDue({ ledger, clock, config }: { ledger: Ledger; clock: Clock; config: Config }): boolean {
  if (config.recall.vectors === 'off') return false
  const { passages } = indexSize(ledger)
  const model = vectorModel(ledger)
  if (passages === 0 || (waitingFor(ledger)?.untilMs ?? 0) > clock.nowMs()) return false
  return model?.name !== config.recall.vectors || hasGrown(model.seen, passages, growthToTakeIn)
}

/** Gives back how many passages have got a vector. */
export async function fitVectors(context: VectorContext, options: { isAnew?: boolean } = {}): Promise<number> {
  const { ledger, config } = context
  const name = config.recall.vectors
  if (name === 'off') {
    ledger.transaction(() => deleteModels(ledger))
    return 0
  }
  deleteUnfinishedModels(ledger)
  forgetNote(ledger, waitNote)
  if (name !== 'own') return (await import('./fit-provider.ts')).fitFromProvider(context, name)
  const model = vectorModel(ledger)
  const { passages } = indexSize(ledger)
  if (options.isAnew || model?.name !== name || hasGrown(model.passages, passages, growthToRefit))
    return fitOwn(context, passages)
  return takeIn(ledger, model, passages)
}

/** Why vectors are not being made, and until when. */
export interface Waiting {
  untilMs: number
  reason: string
}

export const waitNote = 'vectors wait'

export function waitingFor(ledger: Ledger): Waiting | undefined {
  return readNote(ledger, waitNote) as Waiting | undefined
}

function hasGrown(before: number, now: number, share: number): boolean {
  return Math.abs(now - before) >= Math.max(1, before * share)
}

/** Search goes on with the model before until this one is whole. */
function fitOwn({ ledger, clock }: VectorContext, passages: number): number {
  const fitted = fitTerms(sampleOf(ledger, passages))
  if (!fitted) return 0
  const { dimensions, terms, weights, vectors } = fitted
  const model = beginModel(ledger, { name: 'own', dimensions, passages, madeMs: clock.nowMs() })
  ledger.transaction(() => {
    for (const [place, term] of terms.entries()) {
      const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions)
      saveTermVector(ledger, model.id, term, { weight: weights[place]!, vector })
    }
  })
  const taken = takeIn(ledger, model, passages)
  finishModel(ledger, model.id)
  return taken
}

/** So many passages tell as much about how words are used as more would. */
const maxSampled = 40_000

function sampleOf(ledger: Ledger, passages: number): Uint32Array[] {
  const step = Math.ceil(passages / maxSampled)
  const sample: Uint32Array[] = []
  let index = 0
  for (const passage of saidPassages(ledger)) if (index++ % step === 0) sample.push(saidTerms(passage))
  return sample
}

function saidTerms({ said, terms }: SaidPassage): Uint32Array {
  return Uint32Array.from({ length: said }, (_, index) => termAt(terms, index * bytesPerTerm))
}

function takeIn(ledger: Ledger, model: VectorModel, passages: number): number {
  const known = termVectors(ledger, model.id)
  const missing = refresh(ledger, model)
  let taken = 0
  for (let from = 0; from < missing.length; from += blockSize) {
    const embedded = saidPassagesById(ledger, missing.slice(from, from + blockSize)).flatMap((passage) => {
      const vector = embedTerms(saidTerms(passage), known, model.dimensions)
      return vector ? [{ id: passage.id, stamp: stampOf(passage), vector }] : []
    })
    if (embedded.length > 0) addBlock(ledger, model.id, blockOf(embedded, model.dimensions))
    taken += embedded.length
  }
  saveSeen(ledger, model.id, passages)
  return taken
}

/** Takes the vectors out whose passages are gone or say something else; gives back the passages without one. */
export function refresh(ledger: Ledger, model: VectorModel): number[] {
  const stamps = new Map<number, number>()
  for (const block of vectorBlocks(ledger, model.id))
    for (const [at, id] of block.ids.entries()) stamps.set(id, block.stamps[at]!)
  const missing: number[] = []
  for (const passage of saidPassages(ledger)) {
    if (stamps.get(passage.id) === stampOf(passage)) stamps.delete(passage.id)
    else missing.push(passage.id)
  }
  const isGone = (id: number) => stamps.has(id)
  if (stamps.size > 0)
    for (const { number, ...block } of vectorBlocks(ledger, model.id))
      if (block.ids.some(isGone)) replaceBlock(ledger, model.id, number, without(block, isGone, model.dimensions))
  return missing
}
