// What a space holds, for people and programs that look through it: live items only, the last changed first.
import type { Item, ItemKind } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { type ItemRow, itemColumns, itemJoins, seeing, seenBy, toItem } from './items.ts'

export interface ListQuery {
  kind?: ItemKind | undefined
  project?: string | undefined
  tag?: string | undefined
  limit: number
  /** The seq of the last item of the page before. */
  before?: number | undefined
}

export async function listItems(queries: Queries, access: Access, query: ListQuery): Promise<Item[]> {
  const { kind, project, tag, limit, before } = query
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins}
     WHERE ${seenBy} AND i.document IS NOT NULL
       AND ($3::text IS NULL OR i.kind = $3) AND ($4::text IS NULL OR i.project = $4)
       AND ($5::text IS NULL OR $5 = ANY(i.tags)) AND ($6::bigint IS NULL OR i.seq < $6)
     ORDER BY i.seq DESC LIMIT $7::integer`,
    [...seeing(access), kind ?? null, project ?? null, tag ?? null, before ?? null, limit],
  )
  return rows.map((row) => toItem(row, access))
}

export type Counted = { name: string; items: number }

/** The most used first. */
export async function tagsOf(queries: Queries, access: Access): Promise<Counted[]> {
  return queries.query<Counted>(
    `SELECT tag AS name, count(*) AS items FROM items i, unnest(i.tags) tag WHERE ${seenBy} AND i.document IS NOT NULL
     GROUP BY tag ORDER BY items DESC, name LIMIT ${maxNames}`,
    seeing(access),
  )
}

export async function projectsOf(queries: Queries, access: Access): Promise<Counted[]> {
  return queries.query<Counted>(
    `SELECT i.project AS name, count(*) AS items FROM items i
     WHERE ${seenBy} AND i.document IS NOT NULL AND i.project IS NOT NULL
     GROUP BY i.project ORDER BY items DESC, name LIMIT ${maxNames}`,
    seeing(access),
  )
}

const maxNames = 1000
