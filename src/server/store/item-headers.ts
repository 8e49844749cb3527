// What a push has to know of what is there: everything but the documents. Read under the lock of the spaces, so it holds until the end.
import type { ItemDocument, ItemKind, SharePermission } from '../../sync/protocol.ts'
import type { Queries, Row } from '../database/database.ts'

export interface ItemHeader {
  spaceId: string
  id: string
  kind: ItemKind
  version: number
  hash: string
  project: string | null
  tags: string[]
  textHash: string | null
  /** Not deleted. */
  isLive: boolean
  /** A memory that does not wait for a person's decision. */
  isKept: boolean
  authorId: number
  /** Where it is shared from. */
  sourceId: string | null
  permission: SharePermission | null
}

export interface LockedSpace {
  id: string
  kind: 'personal' | 'shared' | 'team'
  seq: number
}

/**
 * Locks a space and all that a push of these items into it can touch: those that they are shared from, and those that either shares
 * with. Everybody locks in the order of ids, so that no two wait for each other.
 */
export async function lockSpaces(
  queries: Queries,
  spaceId: string,
  { ids, also }: { ids: readonly string[]; also: readonly string[] },
): Promise<LockedSpace[]> {
  return queries.query<LockedSpace & Row>(
    `WITH sources AS (
       SELECT $1::uuid AS id
       UNION SELECT source_id FROM items WHERE space_id = $1::uuid AND id = ANY($2::text[]) AND source_id IS NOT NULL
     ), touched AS (
       SELECT id FROM sources
       UNION SELECT to_space_id FROM shares WHERE space_id = ANY(ARRAY(SELECT id FROM sources))
       UNION SELECT unnest($3::uuid[])
     )
     SELECT id, kind, seq FROM spaces WHERE id = ANY(ARRAY(SELECT id FROM touched)) ORDER BY id FOR UPDATE`,
    [spaceId, ids, also],
  )
}

/** Of items with these ids in all these spaces, and of what says the same in the first one and lies there itself. */
export async function readHeaders(
  queries: Queries,
  spaceId: string,
  { spaceIds, ids, textHashes }: { spaceIds: readonly string[]; ids: readonly string[]; textHashes: readonly string[] },
): Promise<ItemHeader[]> {
  const rows = await queries.query<HeaderRow>(
    `SELECT ${headerColumns} FROM items WHERE space_id = ANY($1::uuid[]) AND id = ANY($2::text[])
     UNION ALL
     SELECT ${headerColumns} FROM items
     WHERE space_id = $3::uuid AND text_hash = ANY($4::text[]) AND text_hash IS NOT NULL AND NOT id = ANY($2::text[])
       AND source_id IS NULL`,
    [spaceIds, ids, spaceId, textHashes],
  )
  return rows.map(toHeader)
}

export async function readDocuments(
  queries: Queries,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, ItemDocument>> {
  const rows = await queries.query<{ id: string; document: ItemDocument }>(
    'SELECT id, document FROM items WHERE space_id = $1::uuid AND id = ANY($2::text[]) AND document IS NOT NULL',
    [spaceId, ids],
  )
  return new Map(rows.map(({ id, document }) => [id, document]))
}

const headerColumns = `space_id, id, kind, version, hash, project, tags, text_hash, document IS NOT NULL AS is_live,
  coalesce(document->>'state' = 'kept', false) AS is_kept, author_id, source_id, permission`

type HeaderRow = {
  space_id: string
  id: string
  kind: ItemKind
  version: number
  hash: string
  project: string | null
  tags: string[]
  text_hash: string | null
  is_live: boolean
  is_kept: boolean
  author_id: number
  source_id: string | null
  permission: SharePermission | null
}

function toHeader(row: HeaderRow): ItemHeader {
  return {
    spaceId: row.space_id,
    id: row.id,
    kind: row.kind,
    version: row.version,
    hash: row.hash,
    project: row.project,
    tags: row.tags,
    textHash: row.text_hash,
    isLive: row.is_live,
    isKept: row.is_kept,
    authorId: row.author_id,
    sourceId: row.source_id,
    permission: row.permission,
  }
}
