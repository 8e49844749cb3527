// What a machine compares with what it has: sums over 256 parts of a space, then the items of those that differ.
import type { Item, Summary } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../problem.ts'
import { type ItemRow, itemColumns, itemJoins, seeing, seenBy, toItem } from './items.ts'

export async function summaryOf(queries: Queries, access: Access): Promise<Summary> {
  const rows = await queries.query<{ bucket: number; count: number; sum: string }>(
    `SELECT i.bucket, count(*) AS count, sum(i.mark)::text AS sum FROM items i WHERE ${seenBy}
     GROUP BY i.bucket ORDER BY i.bucket`,
    seeing(access),
  )
  return { buckets: rows.map(({ bucket, count, sum }) => [bucket, count, sum]) }
}

/** Ids are given by whoever writes, so one part can hold anything: past this, an answer would cost the instance its memory. */
const maxBucketBytes = 40_000_000

export async function bucketItems(queries: Queries, access: Access, bucket: number): Promise<Item[]> {
  const inBucket = `${seenBy} AND i.bucket = $3::smallint`
  const [size] = await queries.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(i.document::text)), 0)::bigint AS bytes FROM items i WHERE ${inBucket}`,
    [...seeing(access), bucket],
  )
  if (size!.bytes > maxBucketBytes) throw new RequestProblem(413, 'too_large', 'This part of the space is too large')
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins} WHERE ${inBucket} ORDER BY i.seq`,
    [...seeing(access), bucket],
  )
  return rows.map((row) => toItem(row, access))
}
