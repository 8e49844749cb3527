import type { Role } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'

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
}

/** A key with its user and all that they may see, in one query: every request begins with it. */
export async function keyRow(queries: Queries, keyId: string): Promise<KeyRow | undefined> {
  const [row] = await queries.query<KeyRow & Record<string, unknown>>(
    `SELECT key.hash, key.role, key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt", key.used_at AS "usedAt",
       person.id AS "userId", person.name AS "user", person.disabled_at AS "disabledAt",
       (SELECT jsonb_agg(to_jsonb(space) ORDER BY space.team NULLS FIRST, space.kind) FROM (
          SELECT id, kind, NULL AS team, NULL AS role, NULL::text[] AS projects FROM spaces WHERE user_id = person.id
          UNION ALL
          SELECT space.id, space.kind, team.name, member.role, member.projects
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
