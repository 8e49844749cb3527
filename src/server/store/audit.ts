// The audit log: who did what, without content.
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'

export interface AuditRecord {
  /** Null for actions outside of spaces. */
  spaceId: string | null
  /** Null for the command line. */
  caller: Pick<SpaceAccess, 'userId' | 'keyId'> | null
  action: string
  /** Ids, names and counts. */
  detail: Record<string, unknown>
}

interface AuditLogEntry {
  id: number
  at: string
  user: string | null
  keyId: string | null
  action: string
  detail: Record<string, unknown>
}

/** Call in the transaction of the action. */
export async function writeAudit(queries: Queries, { spaceId, caller, action, detail }: AuditRecord): Promise<void> {
  await queries.query('INSERT INTO audit (space_id, user_id, key_id, action, detail) VALUES ($1, $2, $3, $4, $5)', [
    spaceId,
    caller?.userId,
    caller?.keyId,
    action,
    detail,
  ])
}

/** Latest first; `before` is the last id of the previous page. */
export async function listAudit(
  queries: Queries,
  { spaceId }: Pick<SpaceAccess, 'spaceId'>,
  { before = null, limit }: { before?: number | null; limit: number },
): Promise<AuditLogEntry[]> {
  return queries.query<AuditLogEntry & Record<string, unknown>>(
    `SELECT entry.id, entry.at, person.name AS "user", entry.key_id AS "keyId", entry.action, entry.detail
     FROM audit entry LEFT JOIN users person ON person.id = entry.user_id
     WHERE entry.space_id = $1 AND ($2::bigint IS NULL OR entry.id < $2)
     ORDER BY entry.id DESC LIMIT $3`,
    [spaceId, before, limit],
  )
}
