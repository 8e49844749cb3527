// Makes the vectors of passages with an embedding model, in the background: in batches, newest
// first, a bounded number per sweep. A passage is sent once, and after a failure the provider is
// not asked again for some minutes.

import type { ModelContext } from '../../models/context.ts'
import { modelContext } from '../../models/context.ts'
import { type EmbeddingModel, embedTexts } from '../../models/embeddings.ts'
import type { Ledger } from '../../store/ledger.ts'
import { indexSize } from '../../store/search/passage-search.ts'
import {
  addBlock,
  deleteOtherModels,
  replaceBlock,
  replaceVectorModel,
  saveSeenPassages,
  textPassages,
  textPassagesById,
  type VectorModel,
  vectorBlocks,
  vectorModel,
} from '../../store/search/vectors.ts'
import { passageTexts } from './passage-texts.ts'
import { clearPause, type VectorContext, writePause } from './state.ts'
import { type EmbeddedPassage, packBlock, stampOf, withoutPassages } from './vector-block.ts'

const maxPerSweep = 2000
const timeoutMs = 30_000
const pauseMs = 10 * 60_000

/** Returns the number of passages that got a vector. Deletes all vectors where they are off. */
export async function updateVectors(context: VectorContext): Promise<number> {
  const { ledger, config } = context
  const name = config.recall.vectors
  if (name === 'off') {
    ledger.transaction(() => deleteOtherModels(ledger))
    return 0
  }
  clearPause(ledger)
  const models = await modelContext(context)
  const model = existingModel(ledger, name) ?? (await createModel(models, name))
  if (typeof model === 'string') return pause(context, model, 0)
  const { passages } = indexSize(ledger)
  const missing = removeOutdated(ledger, model).reverse()
  // While this is 0, the next sweep continues with the passages that are left.
  saveSeenPassages(ledger, model.id, 0)
  let count = 0
  for (const ids of batches(missing, batchSize(model.dimensions))) {
    if (count >= maxPerSweep) return count
    const embedded = await embedPassages(models, model, ids)
    if (typeof embedded === 'string') return pause(context, embedded, count)
    if (embedded.length > 0) addBlock(ledger, model.id, packBlock(embedded, model.dimensions))
    count += embedded.length
  }
  saveSeenPassages(ledger, model.id, passages)
  return count
}

function pause({ ledger, clock }: VectorContext, reason: string, count: number): number {
  writePause(ledger, { untilMs: clock.nowMs() + pauseMs, reason })
  return count
}

/** Parses `recall.vectors`: `<provider>:<model>`. */
export function parseEmbedder(name: string): EmbeddingModel {
  const colon = name.indexOf(':')
  return { provider: name.slice(0, colon) as EmbeddingModel['provider'], model: name.slice(colon + 1) }
}

function existingModel(ledger: Ledger, name: string): VectorModel | undefined {
  const model = vectorModel(ledger)
  return model?.name === name ? model : undefined
}

/** Asks the model for the length of its vectors; returns the reason where it does not answer. */
async function createModel(context: ModelContext, name: string): Promise<VectorModel | string> {
  const { ledger, clock } = context
  const answer = await embedTexts(context, parseEmbedder(name), [probe], { timeoutMs })
  if (answer.kind !== 'embedded') return answer.reason
  const dimensions = answer.vectors[0]!.length
  return replaceVectorModel(ledger, { name, dimensions, passages: indexSize(ledger).passages, madeMs: clock.nowMs() })
}

const probe = 'How long are your vectors?'

/** A response is read up to one megabyte, and a number takes up to 21 characters. */
function batchSize(dimensions: number): number {
  return Math.max(1, Math.min(64, Math.floor(1_000_000 / (dimensions * 21))))
}

function batches(ids: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

/** Returns the reason where the model does not answer. */
async function embedPassages(
  context: ModelContext,
  model: VectorModel,
  ids: readonly number[],
): Promise<EmbeddedPassage[] | string> {
  const { ledger } = context
  const texts = passageTexts(ledger, ids)
  const passages = textPassagesById(ledger, [...texts.keys()])
  if (passages.length === 0) return []
  const input = passages.map(({ id }) => texts.get(id)!)
  const answer = await embedTexts(context, parseEmbedder(model.name), input, { timeoutMs })
  if (answer.kind !== 'embedded') return answer.reason
  const { vectors } = answer
  if (vectors[0]!.length !== model.dimensions) {
    // Another model under the same name: the stored vectors cannot be compared with a question's.
    ledger.transaction(() => deleteOtherModels(ledger))
    return `${model.name} answers with ${vectors[0]!.length} numbers instead of ${model.dimensions}`
  }
  return passages.map((passage, index) => ({ id: passage.id, stamp: stampOf(passage), vector: vectors[index]! }))
}

/** Removes vectors of deleted and changed passages; returns the passages without a vector. */
function removeOutdated(ledger: Ledger, model: VectorModel): number[] {
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
      if (block.ids.some(isGone))
        replaceBlock(ledger, model.id, number, withoutPassages(block, isGone, model.dimensions))
  return missing
}
