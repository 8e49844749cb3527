// What a machine compares with what it has: sums over 256 parts of a space, then the items of those that differ.
import type { Item, Summary } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { type ItemRow, itemColumns, itemJoins, seeing, seenBy, toItem } from './items.ts'

export async function summaryOf(queries: Queries, access: Access): Promise<Summary> {
  const rows = await queries.query<{ bucket: number; count: number; sum: string }>(
    `SELECT i.bucket, count(*) AS count, sum(i.mark)::text AS sum FROM items i WHERE ${seenBy}
     GROUP BY i.bucket ORDER BY i.bucket`,
    seeing(access),
  )
  return { buckets: rows.map(({ bucket, count, sum }) => [bucket, count, sum]) }
}

export async function bucketItems(queries: Queries, access: Access, bucket: number): Promise<Item[]> {
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins} WHERE ${seenBy} AND i.bucket = $3::smallint ORDER BY i.seq`,
    [...seeing(access), bucket],
  )
  return rows.map((row) => toItem(row, access))
}
