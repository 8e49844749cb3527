// Vectors of passages, and who made them. They lie in blocks of many, because a search reads them all and a row each takes
// ten times as long.
import type { SqliteDatabase } from '../../core/sqlite.ts'
import { filterConditions, type PassageFilter } from './passage-search.ts'

export interface VectorModel {
  id: number
  /** As the configuration names it. */
  name: string
  dimensions: number
  /** How many passages there were when it was made. */
  passages: number
  /** How many there were when it last took new ones in; 0 while some of them wait. */
  seen: number
  /** When it was made, in milliseconds. */
  madeMs: number
}

/** The one that search uses. */
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

export interface VectorBlock {
  ids: Float64Array
  /** What each passage said, in short: one that says something else by now has no vector. */
  stamps: Uint32Array
  /** What makes each vector of length one. */
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

/** The last written first. */
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

export function countVectors(ledger: SqliteDatabase, model: number): number {
  const row = ledger.sql('SELECT coalesce(sum(length(stamps)), 0) / 4 AS count FROM vectors WHERE model = ?').get(model)
  return Number(row!.count)
}

export interface TextPassage {
  id: number
  /** How many of its terms are said. */
  said: number
  /** As packed by `packTerms`. */
  terms: Uint8Array
}

/** Passages that say something, in the order of their ids; those that stand alone last, the newest of them at the end. */
export function* textPassages(ledger: SqliteDatabase): Generator<TextPassage> {
  for (const among of ['id >= 0 ORDER BY id', 'id < 0 ORDER BY id DESC']) {
    for (const row of ledger.sql(`SELECT id, said, terms FROM passages WHERE said > 0 AND ${among}`).iterate())
      yield { id: Number(row.id), said: Number(row.said), terms: row.terms as Uint8Array }
  }
}

export function textPassagesById(ledger: SqliteDatabase, ids: readonly number[]): TextPassage[] {
  return ledger
    .sql('SELECT id, said, terms FROM passages WHERE said > 0 AND id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
    .map((row) => ({ id: Number(row.id), said: Number(row.said), terms: row.terms as Uint8Array }))
}

/** Which of these passages a search may find; the conditions know the table by the name of the index. */
export function filterPassages(ledger: SqliteDatabase, ids: readonly number[], filter: PassageFilter): Set<number> {
  const { where, values } = filterConditions(filter)
  const rows = ledger
    .sql(`SELECT id FROM passages AS passage_terms WHERE id IN (SELECT value FROM json_each($ids)) ${where}`)
    .all({ ids: JSON.stringify(ids), ...values })
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

/** A blob as SQLite hands it out may begin anywhere; numbers of more than a byte must not. */
function aligned(blob: unknown): ArrayBuffer {
  const bytes = blob as Uint8Array
  const { buffer, byteOffset, byteLength } = bytes
  if (byteOffset === 0 && buffer.byteLength === byteLength) return buffer as ArrayBuffer
  return bytes.slice().buffer as ArrayBuffer
}
