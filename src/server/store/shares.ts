// Share rules. Only pushes of share items write them, under the lock of their space.
import type { AccessRole, SharePermission } from '../../sync/protocol.ts'
import type { Caller } from '../context.ts'
import type { Queries, Row } from '../database/database.ts'

export interface ShareRule {
  /** Space and id of the share item. */
  spaceId: string
  id: string
  /** Either a memory or a tag is set. */
  memory: string | null
  tag: string | null
  toSpaceId: string
  permission: SharePermission
  /** Whether the owner may still write to the target. */
  isOpen: boolean
  /** The projects that the owner may write there; null for all. */
  projects: string[] | null
}

/** Rules whose targets exist. */
export async function readRules(queries: Queries, spaceIds: readonly string[]): Promise<ShareRule[]> {
  return queries.query<ShareRule & Row>(
    `SELECT rule.space_id AS "spaceId", rule.id, rule.memory, rule.tag, rule.to_space_id AS "toSpaceId", rule.permission,
       target.kind = 'shared' OR coalesce(member.role IN ('writer', 'admin'), false) AS "isOpen", member.projects
     FROM shares rule
     JOIN spaces source ON source.id = rule.space_id
     JOIN spaces target ON target.id = rule.to_space_id
     LEFT JOIN members member ON member.team_id = target.team_id AND member.user_id = source.user_id
     WHERE rule.space_id = ANY($1::uuid[])`,
    [spaceIds],
  )
}

/** A possible target: a user, or a team of the owner. */
export interface ShareTarget {
  spaceId: string
  /** The user of the space; null for teams. */
  userId: number | null
  /** The owner's role in the team. */
  role: AccessRole | null
  projects: string[] | null
}

/**
 * By names of share documents: `team:<name>`, `user:<name>`. Omits targets unknown to the owner.
 */
export async function readTargets(
  queries: Queries,
  userId: number,
  names: readonly string[],
): Promise<Map<string, ShareTarget>> {
  const rows = await queries.query<ShareTarget & { name: string } & Row>(
    `SELECT 'team:' || team.name AS name, space.id AS "spaceId", NULL::bigint AS "userId", member.role, member.projects
     FROM teams team JOIN spaces space ON space.team_id = team.id
     JOIN members member ON member.team_id = team.id AND member.user_id = $1::bigint
     WHERE team.name = ANY($2::text[])
     UNION ALL
     SELECT 'user:' || person.name, space.id, person.id, NULL, NULL
     FROM users person JOIN spaces space ON space.user_id = person.id AND space.kind = 'shared'
     WHERE person.name = ANY($3::text[]) AND person.disabled_at IS NULL`,
    [userId, namesBehind('team:', names), namesBehind('user:', names)],
  )
  return new Map(rows.map(({ name, ...target }) => [name, target]))
}

function namesBehind(prefix: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

export async function writeRules(queries: Queries, userId: number, rules: readonly ShareRule[]): Promise<void> {
  for (const { spaceId, id, memory, tag, toSpaceId, permission } of rules) {
    await queries.query(
      `INSERT INTO shares (space_id, id, memory, tag, to_space_id, permission, created_by)
       VALUES ($1::uuid, $2, $3, $4, $5::uuid, $6, $7)
       ON CONFLICT (space_id, id) DO UPDATE SET memory = excluded.memory, tag = excluded.tag,
         to_space_id = excluded.to_space_id, permission = excluded.permission`,
      [spaceId, id, memory, tag, toSpaceId, permission, userId],
    )
  }
}

export async function deleteRules(queries: Queries, spaceId: string, ids: readonly string[]): Promise<void> {
  await queries.query('DELETE FROM shares WHERE space_id = $1::uuid AND id = ANY($2::text[])', [spaceId, ids])
}

interface ShareLists {
  mine: OutgoingShare[]
  withMe: IncomingShare[]
}

export interface OutgoingShare {
  id: string
  subject: { kind: 'memory'; id: string } | { kind: 'tag'; tag: string }
  /** `team:<name>` or `user:<name>`. */
  with: string
  permission: SharePermission
  since: string
}

/** Number of memories that a user shares with the caller; they are in the space `shared`. */
interface IncomingShare {
  user: string
  permission: SharePermission
  items: number
}

export async function listShares(queries: Queries, caller: Caller): Promise<ShareLists> {
  const own = caller.spaces.get('me')
  const shared = caller.spaces.get('shared')
  return {
    mine: own ? await outgoingShares(queries, own.spaceId) : [],
    withMe: shared ? await incomingShares(queries, shared.spaceId) : [],
  }
}

async function outgoingShares(queries: Queries, spaceId: string): Promise<OutgoingShare[]> {
  const rows = await queries.query<Omit<OutgoingShare, 'subject'> & { memory: string | null; tag: string | null }>(
    `SELECT rule.id, rule.memory, rule.tag, coalesce('team:' || team.name, 'user:' || person.name) AS with,
       rule.permission, rule.created_at AS since
     FROM shares rule JOIN spaces target ON target.id = rule.to_space_id
     LEFT JOIN teams team ON team.id = target.team_id
     LEFT JOIN users person ON person.id = target.user_id
     WHERE rule.space_id = $1::uuid ORDER BY rule.created_at, rule.id`,
    [spaceId],
  )
  return rows.map(({ memory, tag, ...share }) => ({
    ...share,
    subject: tag === null ? { kind: 'memory', id: memory! } : { kind: 'tag', tag },
  }))
}

async function incomingShares(queries: Queries, spaceId: string): Promise<IncomingShare[]> {
  return queries.query<IncomingShare & Row>(
    `SELECT person.name AS user, item.permission, count(*) AS items
     FROM items item JOIN spaces source ON source.id = item.source_id JOIN users person ON person.id = source.user_id
     WHERE item.space_id = $1::uuid AND item.document IS NOT NULL
     GROUP BY person.name, item.permission ORDER BY person.name, item.permission`,
    [spaceId],
  )
}

/**
 * Memories that are shared now or have one of these tags: all that a change of rules can affect.
 */
export async function idsAffectedByTags(queries: Queries, spaceId: string, tags: readonly string[]): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT id FROM items WHERE space_id = $1::uuid AND kind = 'memory' AND document IS NOT NULL AND tags && $2::text[]
     UNION SELECT id FROM items WHERE source_id = $1::uuid AND document IS NOT NULL`,
    [spaceId, tags],
  )
  return rows.map(({ id }) => id)
}

/** Memories that the rules name, and all that are shared now. */
export async function idsAffectedByRules(queries: Queries, spaceId: string): Promise<string[]> {
  const rows = await queries.query<{ id: string }>(
    `SELECT item.id FROM items item
     JOIN shares rule ON rule.space_id = item.space_id AND (rule.memory = item.id OR rule.tag = ANY(item.tags))
     WHERE item.space_id = $1::uuid AND item.kind = 'memory' AND item.document IS NOT NULL
     UNION SELECT id FROM items WHERE source_id = $1::uuid AND document IS NOT NULL`,
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
