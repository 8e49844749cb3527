// Vectors of passages and the models that made them. Vectors are stored in blocks, because a search
// reads all of them and one row each takes ten times as long.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { unpackTerms } from './packed-terms.ts'
import { filterIds, type PassageFilter } from './passage-filter.ts'

export interface VectorModel {
  id: number
  /** Name of the model in the configuration. */
  name: string
  dimensions: number
  /** Number of passages when it was created. */
  passages: number
  /** Number of passages at its last update; 0 while some are missing. */
  seen: number
  /** Creation time in milliseconds. */
  madeMs: number
}

/** The model that search uses. */
export function vectorModel(ledger: SqliteDatabase): VectorModel | undefined {
  const row = ledger.sql('SELECT * FROM vector_models WHERE is_whole = 1 ORDER BY id DESC LIMIT 1').get()
  if (!row) return undefined
  const { id, name, dimensions, passages, seen, made_at } = row
  return {
    id: Number(id),
    name: String(name),
    dimensions: Number(dimensions),
    passages: Number(passages),
    seen: Number(seen),
    madeMs: Number(made_at),
  }
}

/** Creates a model without vectors and deletes every other one. */
export function replaceVectorModel(ledger: SqliteDatabase, model: Omit<VectorModel, 'id' | 'seen'>): VectorModel {
  const { name, dimensions, passages, madeMs } = model
  return ledger.transaction(() => {
    const { lastInsertRowid } = ledger
      .sql('INSERT INTO vector_models (name, dimensions, passages, made_at, is_whole) VALUES (?, ?, ?, ?, 1)')
      .run(name, dimensions, passages, madeMs)
    const id = Number(lastInsertRowid)
    deleteOtherModels(ledger, id)
    return { ...model, id, seen: 0 }
  })
}

export function deleteOtherModels(ledger: SqliteDatabase, except = 0): void {
  ledger.sql('DELETE FROM vectors WHERE model <> ?').run(except)
  ledger.sql('DELETE FROM vector_models WHERE id <> ?').run(except)
}

export function saveSeenPassages(ledger: SqliteDatabase, id: number, passages: number): void {
  ledger.sql('UPDATE vector_models SET seen = ? WHERE id = ?').run(passages, id)
}

/** Has passages without a vector looked for again. */
export function forgetSeenPassages(ledger: SqliteDatabase): void {
  ledger.raw.exec('UPDATE vector_models SET seen = 0')
}

export interface VectorBlock {
  ids: Float64Array
  /** Hash of each passage's text; a passage whose text has changed has no valid vector. */
  stamps: Uint32Array
  /** Factor that normalises each vector to length one. */
  scales: Float32Array
  vectors: Int8Array
}

export function addBlock(ledger: SqliteDatabase, model: number, block: VectorBlock): void {
  ledger
    .sql(
      `INSERT INTO vectors (model, block, ids, stamps, scales, vectors)
       SELECT $model, 1 + coalesce(max(block), 0), $ids, $stamps, $scales, $vectors FROM vectors WHERE model = $model`,
    )
    .run({ model, ...columnsOf(block) })
}

export function replaceBlock(ledger: SqliteDatabase, model: number, number: number, block: VectorBlock): void {
  ledger
    .sql(
      `UPDATE vectors SET ids = $ids, stamps = $stamps, scales = $scales, vectors = $vectors
       WHERE model = $model AND block = $number`,
    )
    .run({ model, number, ...columnsOf(block) })
}

/** Latest block first. */
export function* vectorBlocks(ledger: SqliteDatabase, model: number): Generator<VectorBlock & { number: number }> {
  const numbers = ledger.sql('SELECT block FROM vectors WHERE model = ? ORDER BY block DESC').all(model)
  for (const { block: number } of numbers) {
    const row = ledger
      .sql('SELECT ids, stamps, scales, vectors FROM vectors WHERE model = ? AND block = ?')
      .get(model, number as number)
    if (!row) continue
    yield {
      number: Number(number),
      ids: new Float64Array(aligned(row.ids)),
      stamps: new Uint32Array(aligned(row.stamps)),
      scales: new Float32Array(aligned(row.scales)),
      vectors: new Int8Array(aligned(row.vectors)),
    }
  }
}

/** Deletes the vectors of deleted passages. Call inside a transaction. */
export function deleteUnusedVectors(ledger: SqliteDatabase): void {
  for (const row of ledger.sql('SELECT id, dimensions FROM vector_models').all()) {
    const [model, dimensions] = [Number(row.id), Number(row.dimensions)]
    for (const block of vectorBlocks(ledger, model)) {
      const used = existingPassages(ledger, block.ids)
      const kept = Array.from(block.ids.keys()).filter((at) => used.has(block.ids[at]!))
      if (kept.length === block.ids.length) continue
      replaceBlock(ledger, model, block.number, {
        ids: Float64Array.from(kept, (at) => block.ids[at]!),
        stamps: Uint32Array.from(kept, (at) => block.stamps[at]!),
        scales: Float32Array.from(kept, (at) => block.scales[at]!),
        vectors: Int8Array.from(
          kept.flatMap((at) => [...block.vectors.subarray(at * dimensions, (at + 1) * dimensions)]),
        ),
      })
    }
  }
}

function existingPassages(ledger: SqliteDatabase, ids: Float64Array): Set<number> {
  const rows = ledger
    .sql('SELECT id FROM passages WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(Array.from(ids)))
  return new Set(rows.map((row) => Number(row.id)))
}

export function countVectors(ledger: SqliteDatabase, model: number): number {
  const row = ledger.sql('SELECT coalesce(sum(length(stamps)), 0) / 4 AS count FROM vectors WHERE model = ?').get(model)
  return Number(row!.count)
}

export interface TextPassage {
  id: number
  /** Number of its terms that were said. */
  said: number
  /** Packed by `packHashes`. */
  terms: Uint8Array
}

/** Passages with text, ordered by id; standalone ones last, newest of them at the end. */
export function* textPassages(ledger: SqliteDatabase): Generator<TextPassage> {
  for (const among of ['id >= 0 ORDER BY id', 'id < 0 ORDER BY id DESC']) {
    for (const row of ledger.sql(`SELECT id, said, terms FROM passages WHERE said > 0 AND ${among}`).iterate())
      yield { id: Number(row.id), said: Number(row.said), terms: unpackTerms(ledger, row.terms as Uint8Array) }
  }
}

export function textPassagesById(ledger: SqliteDatabase, ids: readonly number[]): TextPassage[] {
  return ledger
    .sql('SELECT id, said, terms FROM passages WHERE said > 0 AND id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
    .map((row) => ({ id: Number(row.id), said: Number(row.said), terms: unpackTerms(ledger, row.terms as Uint8Array) }))
}

export function filterPassages(ledger: SqliteDatabase, ids: readonly number[], filter: PassageFilter): Set<number> {
  const wanted = filterIds(ledger, ids, filter)
  const rows = ledger
    .sql(`SELECT id FROM passages WHERE id IN (SELECT value FROM json_each($ids)) AND ($since IS NULL OR ts >= $since)`)
    .all({ ids: JSON.stringify(wanted), since: filter.sinceMs ?? null })
  return new Set(rows.map(({ id }) => Number(id)))
}

function columnsOf({
  ids,
  stamps,
  scales,
  vectors,
}: VectorBlock): Record<'ids' | 'stamps' | 'scales' | 'vectors', Uint8Array> {
  return { ids: bytesOf(ids), stamps: bytesOf(stamps), scales: bytesOf(scales), vectors: bytesOf(vectors) }
}

function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

/** SQLite may return blobs at any offset; typed arrays need an aligned buffer. */
function aligned(blob: unknown): ArrayBuffer {
  const bytes = blob as Uint8Array
  const { buffer, byteOffset, byteLength } = bytes
  if (byteOffset === 0 && buffer.byteLength === byteLength) return buffer as ArrayBuffer
  return bytes.slice().buffer as ArrayBuffer
}
