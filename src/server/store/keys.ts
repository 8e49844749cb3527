// Keys and their callers. A key is `rk_<id>_<secret>`; only a hash of the secret is stored. The
// secret has 256 random bits, so one round of SHA-256 suffices.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { AccessRole } from '../../sync/protocol.ts'
import { hasRole, type SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'

export interface ServerKey {
  id: string
  user: string
  name: string
  role: AccessRole
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  /** Rounded to the hour. */
  usedAt: string | null
}

export interface NewKey {
  user: string
  /** Its purpose, such as the name of a machine. */
  name: string
  role: AccessRole
  expiresAt: string | null
}

/** Returns the text of the key, which is not stored. Undefined if the user is unknown. */
export async function createKey(queries: Queries, key: NewKey): Promise<{ id: string; text: string } | undefined> {
  const id = newId()
  const secret = randomBytes(32).toString('base64url')
  const [created] = await queries.query(
    `INSERT INTO keys (id, user_id, hash, name, role, expires_at)
     SELECT $1, id, $3, $4, $5, $6 FROM users WHERE name = $2 RETURNING id`,
    [id, key.user, hashOf(secret), key.name, key.role, key.expiresAt],
  )
  return created && { id, text: `rk_${id}_${secret}` }
}

/** Of all users or one; latest first. */
export async function listKeys(queries: Queries, user: string | null = null): Promise<ServerKey[]> {
  return queries.query<ServerKey & Record<string, unknown>>(
    `SELECT key.id, person.name AS "user", key.name, key.role, key.created_at AS "createdAt",
       key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt", key.used_at AS "usedAt"
     FROM keys key JOIN users person ON person.id = key.user_id
     WHERE $1::text IS NULL OR person.name = $1
     ORDER BY key.created_at DESC, key.id`,
    [user],
  )
}

/** Effective at once on all instances. False if there is no such key (of that user, if given). */
export async function revokeKey(queries: Queries, id: string, user: string | null = null): Promise<boolean> {
  const revoked = await queries.query(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, now())
     WHERE id = $1 AND ($2::text IS NULL OR user_id = (SELECT id FROM users WHERE name = $2)) RETURNING id`,
    [id, user],
  )
  return revoked.length > 0
}

/** Undefined if malformed. */
export function parseKey(text: string): { id: string; secret: string } | undefined {
  const [, id, secret] = /^rk_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  return id && secret ? { id, secret } : undefined
}

/** In constant time. */
export function matchesHash(secret: string, hash: Uint8Array): boolean {
  return timingSafeEqual(hashOf(secret), hash)
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function newId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('')
}

export interface KeyRow {
  hash: Uint8Array
  role: AccessRole
  expiresAt: string | null
  revokedAt: string | null
  usedAt: string | null
  userId: number
  user: string
  disabledAt: string | null
  /** Own spaces first, then teams by name. */
  spaces: SpaceRow[]
}

export interface SpaceRow {
  id: string
  kind: 'personal' | 'shared' | 'team'
  team: string | null
  /** The membership's role; null for own spaces. */
  role: AccessRole | null
  projects: string[] | null
  seq: number
}

/**
 * Reads keys with their users and spaces in one query, since every request needs one. The ids are
 * JSON, because of an array the planner considers the length and plans every query anew.
 */
export async function readKeyRows(queries: Queries, keyIds: readonly string[]): Promise<Map<string, KeyRow>> {
  const rows = await queries.query<KeyRow & Record<string, unknown> & { id: string }>(
    `SELECT key.id, key.hash, key.role, key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt",
       key.used_at AS "usedAt", person.id AS "userId", person.name AS "user", person.disabled_at AS "disabledAt",
       (SELECT jsonb_agg(to_jsonb(space) ORDER BY space.team NULLS FIRST, space.kind) FROM (
          SELECT id, kind, NULL AS team, NULL AS role, NULL::text[] AS projects, seq FROM spaces WHERE user_id = person.id
          UNION ALL
          SELECT space.id, space.kind, team.name, member.role, member.projects, space.seq
          FROM members member
          JOIN teams team ON team.id = member.team_id
          JOIN spaces space ON space.team_id = member.team_id
          WHERE member.user_id = person.id
        ) space) AS spaces
     FROM jsonb_array_elements_text($1::jsonb) AS asked(id)
     CROSS JOIN LATERAL (SELECT * FROM keys WHERE keys.id = asked.id LIMIT 1) key
     JOIN users person ON person.id = key.user_id`,
    [JSON.stringify(keyIds)],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Writes at most once for concurrent requests. */
export async function recordKeyUse(queries: Queries, keyId: string, at: string, notSince: string): Promise<void> {
  await queries.query('UPDATE keys SET used_at = $2 WHERE id = $1 AND (used_at IS NULL OR used_at <= $3)', [
    keyId,
    at,
    notSince,
  ])
}

/**
 * Checks under the lock that the access still holds: the request may have waited for its body or a
 * lock while the user was disabled or removed from a team.
 */
export async function checkAccessUnchanged(queries: Queries, access: SpaceAccess): Promise<void> {
  const [hasChanged] = await findChangedAccess(queries, [access])
  if (hasChanged) throw accessChanged()
}

export function accessChanged(): RequestProblem {
  return new RequestProblem(503, 'access_changed', 'The access of this key has just changed', 'Try again.')
}

/** For each access whether it has changed; in the order of the accesses. */
export async function findChangedAccess(queries: Queries, accesses: readonly SpaceAccess[]): Promise<boolean[]> {
  const rows = await queries.query<{ place: number; role: AccessRole | null; projects: string[] | null }>(
    `SELECT a.place, member.role, member.projects
     FROM jsonb_to_recordset($1::jsonb) AS a(place int, user_id bigint, key_id text, space_id uuid)
     JOIN users person ON person.id = a.user_id
     LEFT JOIN spaces space ON space.id = a.space_id
     LEFT JOIN members member ON member.team_id = space.team_id AND member.user_id = person.id
     WHERE person.disabled_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM keys key WHERE key.id = a.key_id AND key.revoked_at IS NOT NULL)`,
    [
      accesses.map(({ userId, keyId, spaceId }, place) => ({
        place,
        user_id: userId,
        key_id: keyId,
        space_id: spaceId,
      })),
    ],
  )
  const found = new Map(rows.map((row) => [row.place, row]))
  return accesses.map((access, place) => {
    const row = found.get(place)
    return !row || (access.kind === 'team' && !isSameAccess(access, row))
  })
}

function isSameAccess(
  access: SpaceAccess,
  { role, projects }: { role: AccessRole | null; projects: string[] | null },
): boolean {
  return role !== null && hasRole(role, access.role) && JSON.stringify(projects) === JSON.stringify(access.projects)
}
