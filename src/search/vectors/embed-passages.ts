// Makes the vectors of passages with an embedding model, in the background: in batches, newest
// first, a bounded number per sweep. A passage is sent once, and after a failure the provider is
// not asked again for some minutes.
import { type ModelContext, modelContext } from '../../models/context.ts'
import { type EmbeddingModel, embedTexts } from '../../models/embeddings.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesByNumber } from '../../store/memories/memories.ts'
import { searchTextOf } from '../../store/search/index-session.ts'
import { goalOfSession, sessionOfHit } from '../../store/search/passage-search.ts'
import { type PassageSource, passageId, passageSource, type StandaloneKind } from '../../store/search/passages.ts'
import { indexSize } from '../../store/search/postings/lookup.ts'
import { splitPassages } from '../../store/search/split-passages.ts'
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
import { readIndexed } from '../../store/sessions/bodies.ts'
import { commitsByNumber } from '../../store/sessions/commits.ts'
import { summariseEvent } from '../../store/sessions/events.ts'
import { articlesByNumber, daysByNumber } from '../../store/wiki/articles.ts'
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

// Reads the text of passages from their sources: the index stores only terms, and a model needs
// text.

/** Passages whose text was deleted or cannot be read are left out. */
function passageTexts(ledger: Ledger, ids: readonly number[]): Map<number, string> {
  const wanted = ids.map((id) => ({ id, source: passageSource(id) }))
  const texts = new Map<number, string>()
  for (const [source, said] of [
    ...eventTexts(ledger, wanted),
    ...digestTexts(ledger, wanted),
    ...standaloneTexts(ledger, wanted),
  ]) {
    const parts = splitPassages(said, maxParts)
    for (const [part, text] of parts.entries()) texts.set(passageId(source, part), text)
  }
  return new Map(ids.flatMap((id) => (texts.has(id) ? [[id, texts.get(id)!] as const] : [])))
}

/** Limit of parts in a passage id. */
const maxParts = 32

interface WantedPassage {
  id: number
  source: PassageSource
}

type SourceText = [source: PassageSource, text: string]

/** Reads each body once, from the first wanted event to the last. */
function eventTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  const places = wanted.flatMap(({ source }) => (source.kind === 'event' ? [source] : []))
  return [...Map.groupBy(places, ({ session }) => session)].flatMap(([session, own]) => {
    const seqs = new Set(own.map(({ seq }) => seq))
    const { body } = sessionOfHit(ledger, session)
    return body ? bodyTexts(ledger, body, session, seqs) : []
  })
}

function bodyTexts(
  ledger: Ledger,
  { file, bytes }: { file: string; bytes: number },
  session: number,
  seqs: ReadonlySet<number>,
): SourceText[] {
  const said: SourceText[] = []
  const last = Math.max(...seqs)
  try {
    for (const { seq, ...event } of readIndexed(ledger.layout.bodies, file, bytes, Math.min(...seqs))) {
      if (seq > last) break
      if (seqs.has(seq)) said.push([{ kind: 'event', session, seq }, searchTextOf(summariseEvent(event))?.said ?? ''])
    }
  } catch {
    return said
  }
  return said
}

function digestTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  return wanted.flatMap(({ source }) => {
    if (source.kind !== 'digest') return []
    const { title } = sessionOfHit(ledger, source.session)
    return [[source, [title, goalOfSession(ledger, source.session)].filter(Boolean).join('\n')] as SourceText]
  })
}

function standaloneTexts(ledger: Ledger, wanted: readonly WantedPassage[]): SourceText[] {
  const numbersOf = (kind: StandaloneKind) =>
    wanted.flatMap(({ source }) => (source.kind === kind && 'number' in source ? [source.number] : []))
  // Forgotten memories stay in the index but are never sent to a model.
  const memories = [...memoriesByNumber(ledger, numbersOf('memory'))]
    .filter(([, { state }]) => state !== 'forgotten')
    .map(
      ([number, { text, why, apply }]): SourceText => [
        { kind: 'memory', number },
        [text, why, apply].filter(Boolean).join('\n'),
      ],
    )
  const commits = [...commitsByNumber(ledger, numbersOf('commit'))].map(
    ([number, { message }]): SourceText => [{ kind: 'commit', number }, message],
  )
  const articles = [...articlesByNumber(ledger, numbersOf('article'))].map(
    ([number, { said }]): SourceText => [{ kind: 'article', number }, said],
  )
  const days = [...daysByNumber(ledger, numbersOf('journal'))].map(
    ([number, { said }]): SourceText => [{ kind: 'journal', number }, said],
  )
  return [...memories, ...commits, ...articles, ...days]
}
