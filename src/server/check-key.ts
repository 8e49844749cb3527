// Resolves a key to its caller. Queries the database on every request, so that a key revoked on one
// instance is refused by all of them at once.
import { type Clock, isoTime } from '../core/clock.ts'
import { type Caller, lowerRole, type SpaceAccess } from './context.ts'
import type { ServerDatabase } from './database/database.ts'
import { type KeyRow, matchesHash, parseKey, readKeyRows, recordKeyUse, type SpaceRow } from './store/keys.ts'

type KeyCheck = { kind: 'known'; caller: Caller } | { kind: 'missing' | 'unknown' | 'revoked' | 'expired' | 'disabled' }

export type ReadKey = (keyId: string) => Promise<KeyRow | undefined>

const hourMs = 3_600_000

export async function checkKey(
  database: ServerDatabase,
  clock: Clock,
  presented: string | undefined,
  readKey: ReadKey = async (id) => (await readKeyRows(database, [id])).get(id),
): Promise<KeyCheck> {
  if (!presented) return { kind: 'missing' }
  const key = parseKey(presented)
  const row = key && (await readKey(key.id))
  // The state of a key is revealed only to a caller who has its secret.
  if (!row || !matchesHash(key.secret, row.hash)) return { kind: 'unknown' }
  const nowMs = clock.nowMs()
  if (row.revokedAt !== null) return { kind: 'revoked' }
  if (row.expiresAt !== null && Date.parse(row.expiresAt) <= nowMs) return { kind: 'expired' }
  if (row.disabledAt !== null) return { kind: 'disabled' }
  if (row.usedAt === null || Date.parse(row.usedAt) <= nowMs - hourMs) {
    await recordKeyUse(database, key.id, isoTime(nowMs), isoTime(nowMs - hourMs))
  }
  return { kind: 'known', caller: callerFrom(key.id, row) }
}

function callerFrom(keyId: string, row: KeyRow): Caller {
  const spaces = row.spaces.map((space) => spaceAccessOf(space, keyId, row))
  return {
    userId: row.userId,
    user: row.user,
    keyId,
    role: row.role,
    keyExpiresAt: row.expiresAt,
    spaces: new Map(spaces.map((access) => [access.space, access])),
  }
}

function spaceAccessOf({ id, kind, team, role, projects, seq }: SpaceRow, keyId: string, row: KeyRow): SpaceAccess {
  const max = { personal: row.role, shared: 'reader', team: role ?? 'reader' } as const
  const name = { personal: 'me', shared: 'shared', team: `team:${team}` }[kind]
  return {
    space: name,
    spaceId: id,
    kind,
    role: lowerRole(row.role, max[kind]),
    projects,
    seq,
    userId: row.userId,
    keyId,
  }
}
