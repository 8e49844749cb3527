import type { ItemKind } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { seeing, seenBy } from './items.ts'

export interface Stats {
  kinds: { kind: ItemKind; live: number; deleted: number }[]
  /** Null where nothing has happened yet. */
  lastChangeAt: string | null
}

export async function statsOf(queries: Queries, access: Access): Promise<Stats> {
  const rows = await queries.query<Stats['kinds'][number] & { last: string }>(
    `SELECT i.kind, count(i.document) AS live, count(*) - count(i.document) AS deleted, max(i.updated_at) AS last
     FROM items i WHERE ${seenBy} GROUP BY i.kind ORDER BY i.kind`,
    seeing(access),
  )
  const lastChangeAt =
    rows
      .map(({ last }) => last)
      .sort()
      .at(-1) ?? null
  return { kinds: rows.map(({ kind, live, deleted }) => ({ kind, live, deleted })), lastChangeAt }
}
