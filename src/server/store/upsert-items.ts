// Writing of items, many by one statement. Whoever writes has locked the space.
import { bucketOf, markOf } from '../../sync/item-hash.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'
import { type IndexFields, indexFieldsOf } from '../search/index-fields.ts'
import type { ItemHeader } from './item-headers.ts'

export interface ItemUpsert {
  header: ItemHeader
  seq: number
  /** Null deletes it: what is left is its id, its project and that it is gone. */
  document: ItemDocument | null
  /** Where it is known already. */
  indexed?: IndexFields | undefined
}

export async function upsertItems(queries: Queries, items: readonly ItemUpsert[], at: string): Promise<void> {
  await queries.query(upsertQuery, [items.map(toRow), at])
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
