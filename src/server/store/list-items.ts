// Lists and counts the live items of a space.
import type { ItemKind, SyncItem } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { type ItemRow, itemColumns, itemJoins, toItem, visibleTo, visibleValues } from './items.ts'

interface ListQuery {
  kind?: ItemKind | undefined
  project?: string | undefined
  tag?: string | undefined
  limit: number
  /** The seq of the last item of the previous page. */
  before?: number | undefined
}

export async function listItems(queries: Queries, access: SpaceAccess, query: ListQuery): Promise<SyncItem[]> {
  const { kind, project, tag, limit, before } = query
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins}
     WHERE ${visibleTo} AND i.document IS NOT NULL
       AND ($3::text IS NULL OR i.kind = $3) AND ($4::text IS NULL OR i.project = $4)
       AND ($5::text IS NULL OR $5 = ANY(i.tags)) AND ($6::bigint IS NULL OR i.seq < $6)
     ORDER BY i.seq DESC LIMIT $7::integer`,
    [...visibleValues(access), kind ?? null, project ?? null, tag ?? null, before ?? null, limit],
  )
  return rows.map((row) => toItem(row, access))
}

type NameCount = { name: string; items: number }

/** Most used first. */
export async function tagsOf(queries: Queries, access: SpaceAccess): Promise<NameCount[]> {
  return queries.query<NameCount>(
    `SELECT tag AS name, count(*) AS items FROM items i, unnest(i.tags) tag WHERE ${visibleTo} AND i.document IS NOT NULL
     GROUP BY tag ORDER BY items DESC, name LIMIT ${maxNames}`,
    visibleValues(access),
  )
}

export async function projectsOf(queries: Queries, access: SpaceAccess): Promise<NameCount[]> {
  return queries.query<NameCount>(
    `SELECT i.project AS name, count(*) AS items FROM items i
     WHERE ${visibleTo} AND i.document IS NOT NULL AND i.project IS NOT NULL
     GROUP BY i.project ORDER BY items DESC, name LIMIT ${maxNames}`,
    visibleValues(access),
  )
}

const maxNames = 1000

interface SpaceStats {
  kinds: { kind: ItemKind; live: number; deleted: number }[]
  /** Null for an empty space. */
  lastChangeAt: string | null
}

export async function statsOf(queries: Queries, access: SpaceAccess): Promise<SpaceStats> {
  const rows = await queries.query<SpaceStats['kinds'][number] & { last: string }>(
    `SELECT i.kind, count(i.document) AS live, count(*) - count(i.document) AS deleted, max(i.updated_at) AS last
     FROM items i WHERE ${visibleTo} GROUP BY i.kind ORDER BY i.kind`,
    visibleValues(access),
  )
  const lastChangeAt =
    rows
      .map(({ last }) => last)
      .sort()
      .at(-1) ?? null
  return { kinds: rows.map(({ kind, live, deleted }) => ({ kind, live, deleted })), lastChangeAt }
}
