// What the server was last known to have: the base of what is sent next, and what is compared with its own sums.
import type { Ledger } from '../ledger.ts'

export interface ServerItem {
  space: string
  id: string
  kind: string
  version: number
  hash: string
  /** Of the words alone. */
  statement: string
}

export function serverItem(ledger: Ledger, space: string, id: string): ServerItem | undefined {
  return ledger
    .sql('SELECT space, id, kind, version, hash, statement FROM sync_items WHERE space = ? AND id = ?')
    .get(space, id) as ServerItem | undefined
}

export function saveServerItem(ledger: Ledger, item: ServerItem & { bucket: number; mark: number }): void {
  const { space, id, kind, version, hash, statement, bucket, mark } = item
  ledger
    .sql(
      `INSERT OR REPLACE INTO sync_items (space, id, kind, version, hash, statement, bucket, mark)
       VALUES ($space, $id, $kind, $version, $hash, $statement, $bucket, $mark)`,
    )
    .run({ space, id, kind, version, hash, statement, bucket, mark })
}

export function deleteServerItem(ledger: Ledger, space: string, id: string): void {
  ledger.sql('DELETE FROM sync_items WHERE space = ? AND id = ?').run(space, id)
}

/** By bucket. The sum is text: of many items it is more than a number holds. */
export function bucketSums(ledger: Ledger, space: string): Map<number, { count: number; sum: string }> {
  const rows = ledger
    .sql(
      `SELECT bucket, count(*) AS count, CAST(sum(mark) AS TEXT) AS sum FROM sync_items
       WHERE space = ? GROUP BY bucket`,
    )
    .all(space)
  return new Map(rows.map((row) => [Number(row.bucket), { count: Number(row.count), sum: String(row.sum) }]))
}

export function serverItemsInBucket(ledger: Ledger, space: string, bucket: number): ServerItem[] {
  return ledger
    .sql('SELECT space, id, kind, version, hash, statement FROM sync_items WHERE space = ? AND bucket = ?')
    .all(space, bucket) as unknown as ServerItem[]
}

/** In the order of their ids, behind one of them. */
export function serverItemsAfter(ledger: Ledger, space: string, after: string, limit: number): ServerItem[] {
  return ledger
    .sql(
      `SELECT space, id, kind, version, hash, statement FROM sync_items
       WHERE space = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .all(space, after, limit) as unknown as ServerItem[]
}
