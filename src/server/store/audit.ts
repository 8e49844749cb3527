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
export async function writeAudit(queries: Queries, ...records: readonly AuditRecord[]): Promise<void> {
  if (records.length === 0) return
  await queries.query(
    `INSERT INTO audit (space_id, user_id, key_id, action, detail)
     SELECT space_id, user_id, key_id, action, detail
     FROM jsonb_to_recordset($1::jsonb) AS a(space_id uuid, user_id bigint, key_id text, action text, detail jsonb)`,
    [
      records.map(({ spaceId, caller, action, detail }) => ({
        space_id: spaceId,
        user_id: caller?.userId,
        key_id: caller?.keyId,
        action,
        detail,
      })),
    ],
  )
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
