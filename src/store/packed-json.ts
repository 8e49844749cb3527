// JSON in columns that are rarely read, compressed: the states of digests and of readers are a third
// of their size then. Rows of earlier versions, and those that a person has changed, hold it as text.
import type { SqliteDatabase } from '../core/sqlite.ts'
import { compress, decompress } from '../core/zstd.ts'

/** Of zstd; higher ones gain nothing on a few kilobytes. */
const level = 3

export function packJson(value: unknown): Uint8Array {
  return packText(JSON.stringify(value))
}

function packText(json: string): Uint8Array {
  return compress(Buffer.from(json), level)
}

/** The JSON of a column. Throws if it cannot be decompressed. */
export function unpackJson(column: unknown): string {
  return column instanceof Uint8Array ? decompress(column).toString('utf8') : String(column)
}

/**
 * `unpack_json(column)` for queries, and `pack_json(text)` for migrations. Node frees what a function
 * was given and returns only when the call that runs the statement returns, so `all` must not run it
 * over a whole table.
 */
export function addJsonFunctions({ raw }: SqliteDatabase): void {
  raw.function('unpack_json', { deterministic: true }, (column) => (column === null ? null : jsonOrEmpty(column)))
  raw.function('pack_json', { deterministic: true }, (json) => (json === null ? null : packText(String(json))))
}

/** An error would stop a pass over all rows; an empty state is found by `repairStoredJson`. */
export function jsonOrEmpty(column: unknown): string {
  try {
    return unpackJson(column)
  } catch {
    return '{}'
  }
}
