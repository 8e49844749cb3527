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
  /** Indexes of the pushes that can affect it. */
  pushes: number[]
}

/** What a push locks: its space, what its items affect, and other spaces that it names. */
export interface LockRequest {
  spaceId: string
  ids: readonly string[]
  also: readonly string[]
}

/**
 * Locks the spaces of pushes and all spaces that they can affect: the sources of shared items, and
 * the targets of shares. Always in the order of ids, to avoid deadlocks. Without `isWaiting`, spaces
 * that another transaction has locked are left out.
 */
export async function lockSpaces(
  queries: Queries,
  pushes: readonly LockRequest[],
  { isWaiting }: { isWaiting: boolean },
): Promise<LockedSpace[]> {
  const asked = pushes.map(({ spaceId, ids, also }, place) => ({ place, space_id: spaceId, ids, also }))
  return queries.query<LockedSpace & Row>(isWaiting ? lockQuery : `${lockQuery} SKIP LOCKED`, [asked])
}

/**
 * Looks up by LATERAL, one by one: while a table has no statistics, the planner would choose a join
 * that scans all items.
 */
const lockQuery = `
  WITH asked AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS a(place int, space_id uuid, ids text[], also uuid[])
  ), sources AS (
    SELECT place, space_id AS id FROM asked
    UNION SELECT a.place, source.id FROM asked a CROSS JOIN unnest(a.ids) AS item(id) CROSS JOIN LATERAL (
      SELECT i.source_id AS id FROM items i WHERE i.space_id = a.space_id AND i.id = item.id
        AND i.source_id IS NOT NULL AND i.document IS NOT NULL LIMIT 1
    ) source
  ), touched AS (
    SELECT place, id FROM sources
    UNION SELECT s.place, target.id FROM sources s CROSS JOIN LATERAL (
      SELECT r.to_space_id AS id FROM shares r WHERE r.space_id = s.id OFFSET 0
    ) target
    UNION SELECT place, unnest(also) FROM asked
  )
  SELECT id, kind, seq, ARRAY(SELECT t.place FROM touched t WHERE t.id = spaces.id) AS pushes
  FROM spaces WHERE id = ANY(ARRAY(SELECT t.id FROM touched t)) ORDER BY id FOR UPDATE`

/** Ids in several spaces, and texts in one. */
export interface HeaderQuery {
  spaceIds: readonly string[]
  ids: readonly string[]
  /** Whose own items with these texts are read as well. */
  spaceId: string
  textHashes: readonly string[]
}

/** Headers of these ids in their spaces, and of own items of the space with the same text; some twice. */
export async function readHeaders(queries: Queries, asked: readonly HeaderQuery[]): Promise<ItemHeader[]> {
  const pairs = asked.flatMap(({ spaceIds, ids }) => spaceIds.flatMap((spaceId) => ids.map((id) => [spaceId, id])))
  const texts = asked.flatMap(({ spaceId, textHashes }) => textHashes.map((hash) => [spaceId, hash]))
  const rows = await queries.query<HeaderRow>(headerQuery, [
    pairs.map(([spaceId]) => spaceId),
    pairs.map(([, id]) => id),
    texts.map(([spaceId]) => spaceId),
    texts.map(([, hash]) => hash),
  ])
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

const headerColumns = `i.space_id, i.id, i.kind, i.version, i.hash, i.project, i.tags, i.text_hash,
  i.document IS NOT NULL AS is_live, coalesce(i.document->>'state' = 'kept', false) AS is_kept, i.author_id, i.source_id,
  i.permission`

/** Looks up by LATERAL, as `lockQuery` does. */
const headerQuery = `
  SELECT found.* FROM unnest($1::uuid[], $2::text[]) AS a(space_id, id) CROSS JOIN LATERAL (
    SELECT ${headerColumns} FROM items i WHERE i.space_id = a.space_id AND i.id = a.id LIMIT 1
  ) found
  UNION ALL
  SELECT found.* FROM unnest($3::uuid[], $4::text[]) AS a(space_id, text_hash) CROSS JOIN LATERAL (
    SELECT ${headerColumns} FROM items i WHERE i.space_id = a.space_id AND i.text_hash = a.text_hash
      AND i.text_hash IS NOT NULL AND i.source_id IS NULL OFFSET 0
  ) found`

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
    `UPDATE spaces SET seq = last.seq FROM jsonb_to_recordset($1::jsonb) AS last(id uuid, seq bigint)
     WHERE spaces.id = last.id`,
    [[...seqs].map(([id, seq]) => ({ id, seq }))],
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
