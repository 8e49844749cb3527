// Reads items with the caller's access. Every query uses `visibleTo`, so hidden items are never
// read.
import type { ItemDocument, ItemKind, SharePermission, SyncItem } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries, Row } from '../database/database.ts'

export async function itemById(queries: Queries, access: SpaceAccess, id: string): Promise<SyncItem | undefined> {
  return (await itemsByIds(queries, access, [id]))[0]
}

export async function itemsByIds(queries: Queries, access: SpaceAccess, ids: readonly string[]): Promise<SyncItem[]> {
  const rows = await queries.query<ItemRow>(
    `SELECT ${itemColumns} FROM items i ${itemJoins} WHERE ${visibleTo} AND i.id = ANY($3::text[]) ORDER BY i.seq`,
    [...visibleValues(access), ids],
  )
  return rows.map((row) => toItem(row, access))
}

/** SQL condition; needs `visibleValues(access)` as its first values. */
export const visibleTo =
  'i.space_id = $1::uuid AND ($2::text[] IS NULL OR i.project IS NULL OR i.project = ANY($2::text[]))'

export function visibleValues(access: SpaceAccess): [spaceId: string, projects: readonly string[] | null] {
  return [access.spaceId, access.projects]
}

export const itemColumns = `i.id, i.kind, i.seq, i.version, i.hash, i.document, i.permission,
  author.name AS author, sharer.id AS sharer_id, sharer.name AS sharer`

export const itemJoins = `
  LEFT JOIN users author ON author.id = i.author_id
  LEFT JOIN spaces source ON source.id = i.source_id
  LEFT JOIN users sharer ON sharer.id = source.user_id`

export interface ItemRow extends Row {
  id: string
  kind: ItemKind
  seq: number
  version: number
  hash: string
  document: ItemDocument | null
  permission: SharePermission | null
  /** Null if the user was deleted. */
  author: string | null
  sharer_id: number | null
  sharer: string | null
}

export function toItem(row: ItemRow, access: SpaceAccess): SyncItem {
  const { id, kind, seq, version, hash, document, permission, author, sharer_id, sharer } = row
  return {
    id,
    kind,
    seq,
    version,
    hash,
    document,
    author: author ?? '',
    sharedBy:
      sharer !== null && permission !== null ? { user: sharer, isMine: sharer_id === access.userId, permission } : null,
  }
}
