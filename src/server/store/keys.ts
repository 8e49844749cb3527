// A key is `rk_<id>_<secret>`. The id is found by, the secret is only known by its hash: it has 256 random bits, so one round of
// SHA-256 is enough, and a copy of the database opens nothing.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Role } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'

export interface Key {
  id: string
  user: string
  name: string
  role: Role
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  /** To the hour. */
  usedAt: string | null
}

export interface NewKey {
  user: string
  /** What it is for: a machine, a job. */
  name: string
  role: Role
  expiresAt: string | null
}

/** The text is given here and never again. Undefined where there is no such user. */
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

/** All of them, or one user's; the latest first. */
export async function listKeys(queries: Queries, user: string | null = null): Promise<Key[]> {
  return queries.query<Key & Record<string, unknown>>(
    `SELECT key.id, person.name AS "user", key.name, key.role, key.created_at AS "createdAt",
       key.expires_at AS "expiresAt", key.revoked_at AS "revokedAt", key.used_at AS "usedAt"
     FROM keys key JOIN users person ON person.id = key.user_id
     WHERE $1::text IS NULL OR person.name = $1
     ORDER BY key.created_at DESC, key.id`,
    [user],
  )
}

/** From now on, on every instance: each request asks the database. False where there is no such key (of that user, where one is named). */
export async function revokeKey(queries: Queries, id: string, user: string | null = null): Promise<boolean> {
  const revoked = await queries.query(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, now())
     WHERE id = $1 AND ($2::text IS NULL OR user_id = (SELECT id FROM users WHERE name = $2)) RETURNING id`,
    [id, user],
  )
  return revoked.length > 0
}

/** Its two parts; undefined for what is no key. */
export function readKey(text: string): { id: string; secret: string } | undefined {
  const [, id, secret] = /^rk_([a-z0-9]{12})_([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  return id && secret ? { id, secret } : undefined
}

/** Takes the same time wherever they begin to differ. */
export function isSecret(secret: string, hash: Uint8Array): boolean {
  return timingSafeEqual(hashOf(secret), hash)
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function newId(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('')
}
