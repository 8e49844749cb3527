import type { Role } from '../../sync/protocol.ts'
import { type Access, mayAct } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../problem.ts'

export interface KeyRow {
  hash: Uint8Array
  role: Role
  expiresAt: string | null
  revokedAt: string | null
  usedAt: string | null
  userId: number
  user: string
  disabledAt: string | null
  /** One's own first, then the teams by name. */
  spaces: SpaceRow[]
}

export interface SpaceRow {
  id: string
  kind: 'personal' | 'shared' | 'team'
  team: string | null
  /** Of the membership; null for one's own. */
  role: Role | null
  projects: string[] | null
  seq: number
}

/** A key with its user and all that they may see, in one query: every request begins with it. */
export async function keyRow(queries: Queries, keyId: string): Promise<KeyRow | undefined> {
  const [row] = await queries.query<KeyRow & Record<string, unknown>>(
    `SELECT key.hash, key.role, key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt", key.used_at AS "usedAt",
       person.id AS "userId", person.name AS "user", person.disabled_at AS "disabledAt",
       (SELECT jsonb_agg(to_jsonb(space) ORDER BY space.team NULLS FIRST, space.kind) FROM (
          SELECT id, kind, NULL AS team, NULL AS role, NULL::text[] AS projects, seq FROM spaces WHERE user_id = person.id
          UNION ALL
          SELECT space.id, space.kind, team.name, member.role, member.projects, space.seq
          FROM members member
          JOIN teams team ON team.id = member.team_id
          JOIN spaces space ON space.team_id = member.team_id
          WHERE member.user_id = person.id
        ) space) AS spaces
     FROM keys key JOIN users person ON person.id = key.user_id
     WHERE key.id = $1`,
    [keyId],
  )
  return row
}

/** Of several that ask at once, one writes. */
export async function noteUse(queries: Queries, keyId: string, at: string, notSince: string): Promise<void> {
  await queries.query('UPDATE keys SET used_at = $2 WHERE id = $1 AND (used_at IS NULL OR used_at <= $3)', [
    keyId,
    at,
    notSince,
  ])
}

/**
 * A request may wait between being let in and writing: for its own body, for a lock. Called under the lock of what it writes to:
 * whoever was disabled or taken out of a team meanwhile writes nothing any more. The next request says why.
 */
export async function checkStill(queries: Queries, access: Access): Promise<void> {
  const [row] = await queries.query<{ role: Role | null; projects: string[] | null }>(
    `SELECT member.role, member.projects FROM users person
     LEFT JOIN spaces space ON space.id = $3::uuid
     LEFT JOIN members member ON member.team_id = space.team_id AND member.user_id = person.id
     WHERE person.id = $1::bigint AND person.disabled_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM keys key WHERE key.id = $2 AND key.revoked_at IS NOT NULL)`,
    [access.userId, access.keyId, access.spaceId],
  )
  if (row && (access.kind !== 'team' || isAsBefore(access, row))) return
  throw new RequestProblem(503, 'access_changed', 'What this key may do has just changed', 'Ask again.')
}

function isAsBefore(access: Access, { role, projects }: { role: Role | null; projects: string[] | null }): boolean {
  return role !== null && mayAct(role, access.role) && JSON.stringify(projects) === JSON.stringify(access.projects)
}
