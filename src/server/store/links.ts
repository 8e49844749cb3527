// Links between memories of a space. The documents of the memories are their source; this table is
// an index of them, written with every memory.
import type { MemoryLink } from '../../memory/links.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries, Row } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { visibleTo, visibleValues } from './items.ts'

/** The links that the document of a memory holds; none for a deleted one. */
export interface HeldLinks {
  spaceId: string
  id: string
  /** Who wrote the memory. */
  authorId: number
  links: readonly MemoryLink[]
}

/** Replaces the links that these memories hold. Call in the transaction that writes them. */
export async function saveLinks(queries: Queries, held: readonly HeldLinks[]): Promise<void> {
  if (held.length === 0) return
  const wanted = held.flatMap(({ spaceId, authorId, links }) =>
    links.map(({ from, type, to }) => ({ space_id: spaceId, from_id: from, type, to_id: to, created_by: authorId })),
  )
  await queries.query(
    `DELETE FROM links link USING unnest($1::uuid[], $2::text[]) AS holder(space_id, id)
     WHERE link.space_id = holder.space_id
       AND holder.id = CASE link.type WHEN 'supersedes' THEN link.to_id ELSE link.from_id END
       AND NOT EXISTS (
         SELECT 1 FROM jsonb_to_recordset($3::jsonb) AS wanted(space_id uuid, from_id text, type text, to_id text)
         WHERE wanted.space_id = link.space_id AND wanted.from_id = link.from_id AND wanted.type = link.type
           AND wanted.to_id = link.to_id
       )`,
    [held.map(({ spaceId }) => spaceId), held.map(({ id }) => id), wanted],
  )
  if (wanted.length === 0) return
  await queries.query(
    `INSERT INTO links (space_id, from_id, type, to_id, created_by)
     SELECT space_id, from_id, type, to_id, created_by
     FROM jsonb_to_recordset($1::jsonb) AS wanted(space_id uuid, from_id text, type text, to_id text, created_by bigint)
     ON CONFLICT DO NOTHING`,
    [wanted],
  )
}

/** Links in both directions whose other end is visible. */
export async function linksOf(queries: Queries, access: SpaceAccess, id: string): Promise<MemoryLink[]> {
  await checkMemoriesExist(queries, access, [id])
  return queries.query<MemoryLink & Row>(
    `SELECT link.from_id AS from, link.type, link.to_id AS to FROM links link
     JOIN items i ON i.space_id = link.space_id AND i.id = CASE link.from_id WHEN $3 THEN link.to_id ELSE link.from_id END
     WHERE link.space_id = $1::uuid AND (link.from_id = $3 OR link.to_id = $3) AND ${visibleTo} AND i.document IS NOT NULL
     ORDER BY link.created_at, link.from_id, link.type, link.to_id`,
    [...visibleValues(access), id],
  )
}

export async function checkMemoriesExist(queries: Queries, access: SpaceAccess, ids: readonly string[]): Promise<void> {
  const found = await queries.query(
    `SELECT 1 FROM items i WHERE ${visibleTo} AND i.id = ANY($3::text[]) AND i.kind = 'memory' AND i.document IS NOT NULL`,
    [...visibleValues(access), ids],
  )
  if (found.length < ids.length) throw new RequestProblem(404, 'not_found', 'There is no such memory.')
}

/** Whether the successors of a memory lead to another one. */
export async function leadsTo(
  queries: Queries,
  { spaceId }: SpaceAccess,
  { from, to }: Pick<MemoryLink, 'from' | 'to'>,
): Promise<boolean> {
  const circle = await queries.query(
    `WITH RECURSIVE behind AS (
       SELECT to_id FROM links WHERE space_id = $1::uuid AND from_id = $2 AND type = 'supersedes'
       UNION
       SELECT link.to_id FROM links link JOIN behind ON link.from_id = behind.to_id
       WHERE link.space_id = $1::uuid AND link.type = 'supersedes'
     )
     SELECT 1 FROM behind WHERE to_id = $3`,
    [spaceId, from, to],
  )
  return circle.length > 0
}
