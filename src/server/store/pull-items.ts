// Reads changes behind a cursor, and bucket sums for a full comparison. Items and the last sequence
// number come from one statement, so that a cursor at that number has passed all changes up to it.
import type { PullPage, SpaceSummary, SyncItem } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries, Row } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { type ItemRow, itemColumns, itemJoins, toItem, visibleTo, visibleValues } from './items.ts'

interface PullRequest {
  after: number
  limit: number
}

export async function pullItems(
  queries: Queries,
  access: SpaceAccess,
  { after, limit }: PullRequest,
): Promise<PullPage> {
  const rows = await queries.query<PullRow>(pullQuery, [...visibleValues(access), after, limit, maxPageBytes])
  const last = rows[0]?.last ?? 0
  if (after > last) return { items: [], cursor: 0, hasMore: last > 0, isReset: true }
  const items = rows.filter(isItem).map((row) => toItem(row, access))
  const hasMore = rows[0]?.has_more ?? false
  // The cursor also passes changes that the caller cannot see.
  return { items, cursor: hasMore ? items.at(-1)!.seq : last, hasMore, isReset: false }
}

/** Uncompressed; stored documents can be a hundred times smaller. */
const maxPageBytes = 4_000_000

type PullRow = (ItemRow | { id: null }) & Row & { last: number; has_more: boolean | null }

function isItem(row: PullRow): row is ItemRow & PullRow {
  return row.id !== null
}

/** The first item is returned whatever its size. */
const pullQuery = `
  WITH page AS (
    SELECT i.*, row_number() OVER (ORDER BY i.seq) AS place,
      sum(coalesce(octet_length(i.document::text), 0)) OVER (ORDER BY i.seq) AS bytes
    FROM (
      SELECT * FROM items i WHERE ${visibleTo} AND i.seq > $3::bigint ORDER BY i.seq LIMIT $4::integer + 1
    ) i
  ), taken AS (
    SELECT * FROM page WHERE place = 1 OR (place <= $4::integer AND bytes <= $5::bigint)
  )
  SELECT space.seq AS last, (SELECT count(*) FROM page) > (SELECT count(*) FROM taken) AS has_more, ${itemColumns}
  FROM spaces space LEFT JOIN taken i ON true ${itemJoins}
  WHERE space.id = $1::uuid
  ORDER BY i.seq`

export async function summaryOf(queries: Queries, access: SpaceAccess): Promise<SpaceSummary> {
  const rows = await queries.query<{ bucket: number; count: number; sum: string }>(
    `SELECT i.bucket, count(*) AS count, sum(i.mark)::text AS sum FROM items i WHERE ${visibleTo}
     GROUP BY i.bucket ORDER BY i.bucket`,
    visibleValues(access),
  )
  return { buckets: rows.map(({ bucket, count, sum }) => [bucket, count, sum]) }
}

/**
 * Clients choose ids, so one bucket can hold everything; a larger response would exhaust memory.
 */
const maxBucketBytes = 40_000_000

export async function bucketItems(queries: Queries, access: SpaceAccess, bucket: number): Promise<SyncItem[]> {
  const inBucket = `${visibleTo} AND i.bucket = $3::smallint`
  const [size] = await queries.query<{ bytes: number }>(
    `SELECT coalesce(sum(octet_length(i.document::text)), 0)::bigint AS bytes FROM items i WHERE ${inBucket}`,
    [...visibleValues(access), bucket],
  )
  if (size!.bytes > maxBucketBytes) throw new RequestProblem(413, 'too_large', 'This part of the space is too large')
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins} WHERE ${inBucket} ORDER BY i.seq`,
    [...visibleValues(access), bucket],
  )
  return rows.map((row) => toItem(row, access))
}
