// Reads headers of items (all columns but the document) and writes items, many by one statement.
// Both under the lock of the spaces.

import { linksIn, type MemoryLink } from '../../memory/links.ts'
import { bucketOf, markOf } from '../../sync/item-hash.ts'
import type { ItemDocument, ItemKind, SharePermission } from '../../sync/protocol.ts'
import type { Queries, Row } from '../database/database.ts'
import { type IndexFields, indexFieldsOf } from '../search/index-fields.ts'
import { saveLinks } from './links.ts'

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
  /** A memory that is not in the inbox. */
  isKept: boolean
  authorId: number
  /** The space that it is or was shared from. */
  sourceId: string | null
  permission: SharePermission | null
}

export interface LockedSpace {
  id: string
  kind: 'personal' | 'shared' | 'team'
  seq: number
}

/**
 * Locks a space and all spaces that a push of these items can affect: the sources of shared items,
 * and the targets of shares. Always in the order of ids, to avoid deadlocks.
 */
export async function lockSpaces(
  queries: Queries,
  spaceId: string,
  { ids, also }: { ids: readonly string[]; also: readonly string[] },
): Promise<LockedSpace[]> {
  return queries.query<LockedSpace & Row>(
    `WITH sources AS (
       SELECT $1::uuid AS id
       UNION SELECT source_id FROM items WHERE space_id = $1::uuid AND id = ANY($2::text[])
         AND source_id IS NOT NULL AND document IS NOT NULL
     ), touched AS (
       SELECT id FROM sources
       UNION SELECT to_space_id FROM shares WHERE space_id = ANY(ARRAY(SELECT id FROM sources))
       UNION SELECT unnest($3::uuid[])
     )
     SELECT id, kind, seq FROM spaces WHERE id = ANY(ARRAY(SELECT id FROM touched)) ORDER BY id FOR UPDATE`,
    [spaceId, ids, also],
  )
}

/** Headers of these ids in all spaces, and of own items of the first space with the same text. */
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

export interface ItemUpsert {
  header: ItemHeader
  seq: number
  /** Null deletes the item; id and project remain as a tombstone. */
  document: ItemDocument | null
  /** Set if already computed. */
  indexed?: IndexFields | undefined
}

export async function upsertItems(queries: Queries, items: readonly ItemUpsert[], at: string): Promise<void> {
  await queries.query(upsertQuery, [items.map(toRow), at])
  const memories = items.filter(({ header }) => header.kind === 'memory')
  await saveLinks(
    queries,
    memories.map(({ header: { spaceId, id, authorId }, document }) => ({
      spaceId,
      id,
      authorId,
      links: heldLinks(id, document),
    })),
  )
}

/** The links that a document of a memory holds. */
function heldLinks(id: string, document: ItemDocument | null): MemoryLink[] {
  if (document === null) return []
  const { links, supersededBy } = document
  return linksIn({
    id,
    links: Array.isArray(links) ? links.filter((text) => typeof text === 'string') : [],
    supersededBy: typeof supersededBy === 'string' ? supersededBy : null,
  })
}

export async function updateSeqs(queries: Queries, seqs: ReadonlyMap<string, number>): Promise<void> {
  await queries.query(
    `UPDATE spaces SET seq = last.seq FROM unnest($1::uuid[], $2::bigint[]) AS last(id, seq) WHERE spaces.id = last.id`,
    [[...seqs.keys()], [...seqs.values()]],
  )
}

function toRow({ header, seq, document, indexed }: ItemUpsert) {
  const { spaceId, id, kind, version, hash, project, authorId, sourceId, permission } = header
  const { tags, textHash, search, importance } = indexed ?? indexFieldsOf(spaceId, kind, document)
  return {
    space_id: spaceId,
    id,
    kind,
    version,
    seq,
    hash,
    bucket: bucketOf(id),
    mark: markOf(id, hash),
    document,
    project,
    tags,
    text_hash: textHash,
    search,
    importance,
    author_id: authorId,
    source_id: sourceId,
    permission,
  }
}

const columns = `space_id, id, kind, version, seq, hash, bucket, mark, document, project, tags, text_hash, importance,
  author_id, source_id, permission`

const upsertQuery = `
  INSERT INTO items (${columns}, search, updated_at)
  SELECT ${columns}, search::tsvector, $2::timestamptz FROM jsonb_to_recordset($1::jsonb) AS item(
    space_id uuid, id text, kind text, version bigint, seq bigint, hash text, bucket smallint, mark bigint, document jsonb,
    project text, tags text[], text_hash text, search text, importance real, author_id bigint, source_id uuid, permission text
  )
  ON CONFLICT (space_id, id) DO UPDATE SET kind = excluded.kind, version = excluded.version, seq = excluded.seq,
    hash = excluded.hash, mark = excluded.mark, document = excluded.document, project = excluded.project,
    tags = excluded.tags, text_hash = excluded.text_hash, search = excluded.search, importance = excluded.importance,
    author_id = excluded.author_id, source_id = excluded.source_id, permission = excluded.permission,
    updated_at = excluded.updated_at`
