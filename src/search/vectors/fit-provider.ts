// Vectors that a model makes of each passage: in batches, the newest first, a bounded number in each sweep. What has a vector is
// never sent again, and a provider that is away is left alone for a while.
import { modelContext } from '../../models/context.ts'
import { type Embedder, embedTexts } from '../../models/embeddings.ts'
import type { ModelContext } from '../../models/model.ts'
import { writeValue } from '../../store/key-values.ts'
import { indexSize } from '../../store/search/passage-search.ts'
import {
  addBlock,
  deleteOtherModels,
  replaceVectorModel,
  saveSeenPassages,
  textPassagesById,
  type VectorModel,
  vectorModel,
} from '../../store/search/vectors.ts'
import { blockOf, type Embedded, stampOf } from './block.ts'
import { refresh, type VectorContext, type Waiting, waitNote } from './fit.ts'
import { textsOf } from './texts.ts'

const maxInOneSweep = 2000
const patienceMs = 30_000
const pauseMs = 10 * 60_000

/** Gives back how many passages have got a vector. */
export async function fitFromProvider(context: VectorContext, name: string): Promise<number> {
  const { ledger } = context
  const models = await modelContext(context)
  const model = knownModel(context, name) ?? (await newModel(models, name))
  if (typeof model === 'string') return stop(context, model, 0)
  const { passages } = indexSize(ledger)
  const missing = refresh(ledger, model).reverse()
  // Until everything has been asked for, the next sweep goes on.
  saveSeenPassages(ledger, model.id, 0)
  let taken = 0
  for (const ids of batches(missing, batchSize(model.dimensions))) {
    if (taken >= maxInOneSweep) return taken
    const made = await embedPassages(models, model, ids)
    if (typeof made === 'string') return stop(context, made, taken)
    if (made.length > 0) addBlock(ledger, model.id, blockOf(made, model.dimensions))
    taken += made.length
  }
  saveSeenPassages(ledger, model.id, passages)
  return taken
}

function stop({ ledger, clock }: VectorContext, reason: string, taken: number): number {
  const waiting: Waiting = { untilMs: clock.nowMs() + pauseMs, reason }
  writeValue(ledger, waitNote, { ...waiting })
  return taken
}

export function embedderNamed(name: string): Embedder {
  const colon = name.indexOf(':')
  return { provider: name.slice(0, colon) as Embedder['provider'], model: name.slice(colon + 1) }
}

function knownModel({ ledger }: VectorContext, name: string): VectorModel | undefined {
  const model = vectorModel(ledger)
  return model?.name === name ? model : undefined
}

/** How long its vectors are, only the model itself can tell; or why it does not. Search may use it from the first vector on. */
async function newModel(context: ModelContext, name: string): Promise<VectorModel | string> {
  const { ledger, clock } = context
  const answer = await embedTexts(context, embedderNamed(name), [probe], { timeoutMs: patienceMs })
  if (answer.kind !== 'embedded') return answer.reason
  const dimensions = answer.vectors[0]!.length
  return replaceVectorModel(ledger, { name, dimensions, passages: indexSize(ledger).passages, madeMs: clock.nowMs() })
}

const probe = 'How long are your vectors?'

/** An answer is read up to one megabyte, and a number takes up to twenty characters. */
function batchSize(dimensions: number): number {
  return Math.max(1, Math.min(64, Math.floor(1_000_000 / (dimensions * 21))))
}

function batches(ids: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
}

/** Or why not. */
async function embedPassages(
  context: ModelContext,
  model: VectorModel,
  ids: readonly number[],
): Promise<Embedded[] | string> {
  const { ledger } = context
  const texts = textsOf(ledger, ids)
  const passages = textPassagesById(ledger, [...texts.keys()])
  if (passages.length === 0) return []
  const said = passages.map(({ id }) => texts.get(id)!)
  const answer = await embedTexts(context, embedderNamed(model.name), said, { timeoutMs: patienceMs })
  if (answer.kind !== 'embedded') return answer.reason
  const { vectors } = answer
  if (vectors[0]!.length !== model.dimensions) {
    // Another model under the same name: what the one before has made fits no question any more.
    ledger.transaction(() => deleteOtherModels(ledger))
    return `${model.name} answers with ${vectors[0]!.length} numbers instead of ${model.dimensions}`
  }
  return passages.map((passage, index) => ({ id: passage.id, stamp: stampOf(passage), vector: vectors[index]! }))
}
