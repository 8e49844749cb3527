// Share rules. Only pushes of share items write them, under the lock of their space.
import type { ReceivedShare } from '../../sync/documents.ts'
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
  /** Teams accept all shares of their writers; a user accepts them one by one or by a common team. */
  isAccepted: boolean
  /** Whether it is accepted and the owner may still write to the target. */
  isOpen: boolean
  /** The projects that the owner may write there; null for all. */
  projects: string[] | null
}

/** Rules whose targets exist. */
export async function readRules(queries: Queries, spaceIds: readonly string[]): Promise<ShareRule[]> {
  return queries.query<ShareRule & Row>(
    `SELECT rule.space_id AS "spaceId", rule.id, rule.memory, rule.tag, rule.to_space_id AS "toSpaceId", rule.permission,
       rule.is_accepted AS "isAccepted", member.projects,
       CASE target.kind WHEN 'shared' THEN rule.is_accepted
         ELSE coalesce(member.role IN ('writer', 'admin'), false) END AS "isOpen"
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
  /** Whether the owner and the user have a team in common. */
  isTeammate: boolean
  /** What the user refused of the owner, as `subjectKey` writes it. */
  refused: string[]
}

/** A memory and a tag of the same name differ. */
export function subjectKey({ memory, tag }: Pick<ShareRule, 'memory' | 'tag'>): string {
  return tag === null ? `memory ${memory}` : `tag ${tag}`
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
    `SELECT 'team:' || team.name AS name, space.id AS "spaceId", NULL::bigint AS "userId", member.role, member.projects,
       true AS "isTeammate", '{}'::text[] AS refused
     FROM teams team JOIN spaces space ON space.team_id = team.id
     JOIN members member ON member.team_id = team.id AND member.user_id = $1::bigint
     WHERE team.name = ANY($2::text[])
     UNION ALL
     SELECT 'user:' || person.name, space.id, person.id, NULL, NULL,
       EXISTS (SELECT 1 FROM members mine JOIN members theirs ON theirs.team_id = mine.team_id
               WHERE mine.user_id = $1::bigint AND theirs.user_id = person.id),
       ARRAY(SELECT refusal.subject FROM share_refusals refusal JOIN spaces own ON own.id = refusal.space_id
             WHERE refusal.to_space_id = space.id AND own.user_id = $1::bigint)
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
  for (const { spaceId, id, memory, tag, toSpaceId, permission, isAccepted } of rules) {
    await queries.query(
      `INSERT INTO shares (space_id, id, memory, tag, to_space_id, permission, created_by, is_accepted)
       VALUES ($1::uuid, $2, $3, $4, $5::uuid, $6, $7, $8)
       ON CONFLICT (space_id, id) DO UPDATE SET memory = excluded.memory, tag = excluded.tag,
         to_space_id = excluded.to_space_id, permission = excluded.permission, is_accepted = excluded.is_accepted`,
      [spaceId, id, memory, tag, toSpaceId, permission, userId, isAccepted],
    )
  }
}

export async function deleteRules(queries: Queries, spaceId: string, ids: readonly string[]): Promise<void> {
  await queries.query('DELETE FROM shares WHERE space_id = $1::uuid AND id = ANY($2::text[])', [spaceId, ids])
}

interface ShareLists {
  mine: OutgoingShare[]
  withMe: IncomingShare[]
  received: ReceivedShare[]
}

export interface OutgoingShare {
  id: string
  subject: { kind: 'memory'; id: string } | { kind: 'tag'; tag: string }
  /** `team:<name>` or `user:<name>`. */
  with: string
  permission: SharePermission
  /** False while the user has not accepted it, and after they refused it. */
  isAccepted: boolean
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
    received: shared ? await receivedShares(queries, shared.spaceId) : [],
  }
}

async function outgoingShares(queries: Queries, spaceId: string): Promise<OutgoingShare[]> {
  const rows = await queries.query<Omit<OutgoingShare, 'subject'> & { memory: string | null; tag: string | null }>(
    `SELECT rule.id, rule.memory, rule.tag, coalesce('team:' || team.name, 'user:' || person.name) AS with,
       rule.permission, rule.is_accepted AS "isAccepted", rule.created_at AS since
     FROM shares rule JOIN spaces target ON target.id = rule.to_space_id
     LEFT JOIN teams team ON team.id = target.team_id
     LEFT JOIN users person ON person.id = target.user_id
     WHERE rule.space_id = $1::uuid ORDER BY rule.created_at, rule.id`,
    [spaceId],
  )
  return rows.map(({ memory, tag, ...share }) => ({ ...share, subject: subjectOf({ memory, tag }) }))
}

function subjectOf({ memory, tag }: Pick<ShareRule, 'memory' | 'tag'>): OutgoingShare['subject'] {
  return tag === null ? { kind: 'memory', id: memory! } : { kind: 'tag', tag }
}

const isRefused = `EXISTS (SELECT 1 FROM share_refusals refusal
  WHERE refusal.to_space_id = rule.to_space_id AND refusal.space_id = rule.space_id
    AND refusal.subject = coalesce('tag ' || rule.tag, 'memory ' || rule.memory))`

/** Names no text of a memory: what was not accepted is not shown. Pending ones first. */
async function receivedShares(queries: Queries, sharedSpaceId: string): Promise<ReceivedShare[]> {
  const rows = await queries.query<Omit<ReceivedShare, 'subject'> & { memory: string | null; tag: string | null }>(
    `SELECT person.name AS from, rule.id, rule.memory, rule.tag, rule.permission, rule.created_at AS since,
       CASE WHEN rule.is_accepted THEN 'accepted' WHEN ${isRefused} THEN 'refused' ELSE 'pending' END AS state,
       (SELECT count(*) FROM items item WHERE item.space_id = rule.space_id AND item.kind = 'memory'
          AND item.document->>'state' = 'kept' AND (item.id = rule.memory OR rule.tag = ANY(item.tags))) AS items
     FROM shares rule JOIN spaces source ON source.id = rule.space_id JOIN users person ON person.id = source.user_id
     WHERE rule.to_space_id = $1::uuid
     ORDER BY rule.is_accepted OR ${isRefused}, rule.created_at DESC, person.name, rule.id LIMIT ${maxReceived}`,
    [sharedSpaceId],
  )
  return rows.map(({ memory, tag, ...share }) => ({ ...share, subject: subjectOf({ memory, tag }) }))
}

const maxReceived = 500

/** Shares that wait for the decision of the user of this space. */
export async function countPendingShares(queries: Queries, sharedSpaceId: string): Promise<number> {
  const [row] = await queries.query<{ count: number }>(
    `SELECT count(*) AS count FROM shares rule
     WHERE rule.to_space_id = $1::uuid AND NOT rule.is_accepted AND NOT ${isRefused}`,
    [sharedSpaceId],
  )
  return row!.count
}

export interface ShareAnswer {
  /** The name of the user who shares. */
  from: string
  id: string
  isAccepted: boolean
}

/** The space that a received share comes from; undefined if there is no such share. */
export async function sourceOfShare(
  queries: Queries,
  sharedSpaceId: string,
  { from, id }: Pick<ShareAnswer, 'from' | 'id'>,
): Promise<string | undefined> {
  const [row] = await queries.query<{ spaceId: string }>(
    `SELECT rule.space_id AS "spaceId" FROM shares rule
     JOIN spaces source ON source.id = rule.space_id JOIN users person ON person.id = source.user_id
     WHERE rule.to_space_id = $1::uuid AND rule.id = $3 AND person.name = $2`,
    [sharedSpaceId, from, id],
  )
  return row?.spaceId
}

/** Call under the lock of the source space. False if the share has ended in the meantime. */
export async function saveShareAnswer(
  queries: Queries,
  { spaceId, toSpaceId, id, isAccepted }: Pick<ShareRule, 'spaceId' | 'toSpaceId' | 'id' | 'isAccepted'>,
): Promise<boolean> {
  const [rule] = await queries.query<Pick<ShareRule, 'memory' | 'tag'> & Row>(
    `UPDATE shares SET is_accepted = $4 WHERE space_id = $1::uuid AND to_space_id = $2::uuid AND id = $3
     RETURNING memory, tag`,
    [spaceId, toSpaceId, id, isAccepted],
  )
  if (!rule) return false
  await queries.query(
    isAccepted
      ? 'DELETE FROM share_refusals WHERE to_space_id = $1::uuid AND space_id = $2::uuid AND subject = $3'
      : `INSERT INTO share_refusals (to_space_id, space_id, subject) VALUES ($1::uuid, $2::uuid, $3)
         ON CONFLICT DO NOTHING`,
    [toSpaceId, spaceId, subjectKey(rule)],
  )
  return true
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
