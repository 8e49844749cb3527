import type { Queries } from '../database/database.ts'

/** The memories of a space that are shared somewhere now, and those with one of these tags: all that a change of the rules can concern. */
export async function idsForSharing(queries: Queries, spaceId: string, tags: readonly string[]): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT id FROM items WHERE space_id = $1::uuid AND kind = 'memory' AND document IS NOT NULL AND tags && $2::text[]
     UNION SELECT id FROM items WHERE source_id = $1::uuid`,
    [spaceId, tags],
  )
  return rows.map(({ id }) => id)
}

/** All that the rules of a space name, and all that they have brought somewhere. */
export async function idsOfShared(queries: Queries, spaceId: string): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT item.id FROM items item
     JOIN shares rule ON rule.space_id = item.space_id AND (rule.memory = item.id OR rule.tag = ANY(item.tags))
     WHERE item.space_id = $1::uuid AND item.kind = 'memory' AND item.document IS NOT NULL
     UNION SELECT id FROM items WHERE source_id = $1::uuid`,
    [spaceId],
  )
  return rows.map(({ id }) => id)
}

export async function personalSpaceOf(queries: Queries, userId: number): Promise<string | undefined> {
  const [space] = await queries.query<{ id: string }>(
    `SELECT id FROM spaces WHERE user_id = $1::bigint AND kind = 'personal'`,
    [userId],
  )
  return space?.id
}
