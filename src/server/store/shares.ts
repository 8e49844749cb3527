// The rules of sharing. They are written by the pushes of share items alone, under the lock of the space that they share from.
import type { Permission, Role } from '../../sync/protocol.ts'
import type { Caller } from '../caller.ts'
import type { Queries, Row } from '../database/database.ts'

export interface Rule {
  /** The space and the id of the share item. */
  spaceId: string
  id: string
  /** One of the two. */
  memory: string | null
  tag: string | null
  toSpaceId: string
  permission: Permission
  /** Whether the sharer may still write there. */
  isOpen: boolean
  /** What the sharer may write there; null for all. */
  projects: string[] | null
}

/** Those whose targets still exist. */
export async function rulesFrom(queries: Queries, spaceIds: readonly string[]): Promise<Rule[]> {
  return queries.query<Rule & Row>(
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

/** What a share can be made with: a person, or a team that the sharer is in. */
export interface Target {
  spaceId: string
  /** The person whose it is. */
  userId: number | null
  /** The sharer's, in a team. */
  role: Role | null
  projects: string[] | null
}

/** By the names of share documents: `team:<name>`, `user:<name>`. Those that the sharer cannot know of are left out. */
export async function targetsNamed(
  queries: Queries,
  userId: number,
  names: readonly string[],
): Promise<Map<string, Target>> {
  const rows = await queries.query<Target & { name: string } & Row>(
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

export async function writeRules(queries: Queries, userId: number, rules: readonly Rule[]): Promise<void> {
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

export interface Shares {
  mine: SharedByMe[]
  withMe: SharedWithMe[]
}

export interface SharedByMe {
  id: string
  subject: { kind: 'memory'; id: string } | { kind: 'tag'; tag: string }
  /** `team:<name>` or `user:<name>`. */
  with: string
  permission: Permission
  since: string
}

/** How many memories somebody shares with this person; the memories themselves are those of the space `shared`. */
export interface SharedWithMe {
  user: string
  permission: Permission
  items: number
}

export async function listShares(queries: Queries, caller: Caller): Promise<Shares> {
  const own = caller.spaces.get('me')
  const shared = caller.spaces.get('shared')
  return {
    mine: own ? await sharedFrom(queries, own.spaceId) : [],
    withMe: shared ? await sharedInto(queries, shared.spaceId) : [],
  }
}

async function sharedFrom(queries: Queries, spaceId: string): Promise<SharedByMe[]> {
  const rows = await queries.query<Omit<SharedByMe, 'subject'> & { memory: string | null; tag: string | null }>(
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

async function sharedInto(queries: Queries, spaceId: string): Promise<SharedWithMe[]> {
  return queries.query<SharedWithMe & Row>(
    `SELECT person.name AS user, item.permission, count(*) AS items
     FROM items item JOIN spaces source ON source.id = item.source_id JOIN users person ON person.id = source.user_id
     WHERE item.space_id = $1::uuid AND item.document IS NOT NULL
     GROUP BY person.name, item.permission ORDER BY person.name, item.permission`,
    [spaceId],
  )
}
