// Links between memories of a space, set by users.

import type { Services } from '../context.ts'
import { hasRole, type SpaceAccess } from '../context.ts'
import type { Queries, Row } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { writeAudit } from './audit.ts'
import { visibleTo, visibleValues } from './items.ts'
import { checkAccessUnchanged } from './keys.ts'
import { lockSpace } from './spaces.ts'

export const linkTypes = ['supersedes', 'resolved-by', 'part-of', 'see-also'] as const
export type LinkType = (typeof linkTypes)[number]

interface MemoryLink {
  from: string
  type: LinkType
  to: string
}

export async function addLink({ database }: Services, access: SpaceAccess, link: MemoryLink): Promise<void> {
  checkWriter(access)
  const { from, type, to } = link
  if (from === to) throw new RequestProblem(422, 'self_link', 'A memory cannot be linked to itself.')
  await database.transaction(async (queries) => {
    // Locked, since two concurrent links could form a cycle.
    await lockSpace(queries, access.spaceId)
    await checkAccessUnchanged(queries, access)
    await checkMemoriesExist(queries, access, [from, to])
    if (type === 'supersedes') await checkNoCycle(queries, access, link)
    const added = await queries.query(
      `INSERT INTO links (space_id, from_id, type, to_id, created_by) VALUES ($1::uuid, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING RETURNING 1`,
      [access.spaceId, from, type, to, access.userId],
    )
    if (added.length === 0) throw new RequestProblem(409, 'duplicate_link', 'This link already exists.')
    await writeAudit(queries, { spaceId: access.spaceId, caller: access, action: 'link', detail: { ...link } })
  })
}

/** Succeeds if the link does not exist. */
export async function removeLink({ database }: Services, access: SpaceAccess, link: MemoryLink): Promise<void> {
  checkWriter(access)
  const { from, type, to } = link
  await database.transaction(async (queries) => {
    await checkAccessUnchanged(queries, access)
    await checkMemoriesExist(queries, access, [from])
    const removed = await queries.query(
      'DELETE FROM links WHERE space_id = $1::uuid AND from_id = $2 AND type = $3 AND to_id = $4 RETURNING 1',
      [access.spaceId, from, type, to],
    )
    if (removed.length === 0) return
    await writeAudit(queries, { spaceId: access.spaceId, caller: access, action: 'unlink', detail: { ...link } })
  })
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

function checkWriter(access: SpaceAccess): void {
  if (hasRole(access.role, 'writer')) return
  throw new RequestProblem(403, 'forbidden', 'You have read access only to this space.')
}

async function checkMemoriesExist(queries: Queries, access: SpaceAccess, ids: readonly string[]): Promise<void> {
  const found = await queries.query(
    `SELECT 1 FROM items i WHERE ${visibleTo} AND i.id = ANY($3::text[]) AND i.kind = 'memory' AND i.document IS NOT NULL`,
    [...visibleValues(access), ids],
  )
  if (found.length < ids.length) throw new RequestProblem(404, 'not_found', 'There is no such memory.')
}

/** Following successors has to terminate. */
async function checkNoCycle(queries: Queries, access: SpaceAccess, { from, to }: MemoryLink): Promise<void> {
  const circle = await queries.query(
    `WITH RECURSIVE behind AS (
       SELECT to_id FROM links WHERE space_id = $1::uuid AND from_id = $2 AND type = 'supersedes'
       UNION
       SELECT link.to_id FROM links link JOIN behind ON link.from_id = behind.to_id
       WHERE link.space_id = $1::uuid AND link.type = 'supersedes'
     )
     SELECT 1 FROM behind WHERE to_id = $3`,
    [access.spaceId, to, from],
  )
  if (circle.length > 0) throw new RequestProblem(422, 'link_cycle', 'The link would form a cycle.')
}
