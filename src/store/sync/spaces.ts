// Joined spaces of the server with their cursors, and the server's items as last seen: the base
// versions of the next push.
import type { Ledger } from '../ledger.ts'
import { markMemoriesChanged } from '../memories/rows.ts'

export interface Space {
  name: string
  /** Stable when a team is renamed. */
  id: string
  role: string
  /** Accessible projects, besides memories without one; null for all. */
  projects: string[] | null
  cursor: number
  /** Null when the space must be reconciled completely. */
  reconciledMs: number | null
}

/** The user's own space first. */
export function listSpaces(ledger: Ledger): Space[] {
  return ledger
    .sql(`SELECT * FROM spaces ORDER BY name <> 'me', name`)
    .all()
    .map((row) => ({
      name: String(row.name),
      id: String(row.id),
      role: String(row.role),
      projects: row.projects === null ? null : (JSON.parse(String(row.projects)) as string[]),
      cursor: Number(row.cursor),
      reconciledMs: row.reconciled_at === null ? null : Number(row.reconciled_at),
    }))
}

/**
 * Saves access to a space. A new space is read from the beginning; a changed role or project list
 * triggers a reconciliation.
 */
export function saveSpaceAccess(
  ledger: Ledger,
  { name, id, role, projects }: Omit<Space, 'cursor' | 'reconciledMs'>,
): void {
  ledger
    .sql(
      `INSERT INTO spaces (name, id, role, projects) VALUES ($name, $id, $role, $projects)
       ON CONFLICT (name) DO UPDATE SET
         reconciled_at = CASE WHEN role = excluded.role AND projects IS excluded.projects THEN reconciled_at END,
         role = excluded.role, projects = excluded.projects`,
    )
    .run({ name, id, role, projects: projects === null ? null : JSON.stringify(projects) })
}

export function saveSpaceCursor(ledger: Ledger, name: string, cursor: number): void {
  ledger.sql('UPDATE spaces SET cursor = ? WHERE name = ?').run(cursor, name)
}

export function saveReconciled(ledger: Ledger, name: string, ms: number | null): void {
  ledger.sql('UPDATE spaces SET reconciled_at = ? WHERE name = ?').run(ms, name)
}

/** Deletes the state of a space, but not the memories in it. */
export function deleteSpace(ledger: Ledger, name: string): void {
  ledger.sql('DELETE FROM sync_items WHERE space = ?').run(name)
  ledger.sql('DELETE FROM spaces WHERE name = ?').run(name)
}

/** Renames a team's space; its memories stay in it. */
export function renameSpace(ledger: Ledger, from: string, to: string): void {
  for (const row of ledger.sql('SELECT DISTINCT project FROM memories WHERE space = ?').all(from))
    markMemoriesChanged(ledger, row.project as string | null)
  ledger.sql('UPDATE memories SET space = ? WHERE space = ?').run(to, from)
  ledger.sql('UPDATE sync_items SET space = ? WHERE space = ?').run(to, from)
  ledger.sql('UPDATE outbox SET space = ? WHERE space = ?').run(to, from)
  ledger.sql('UPDATE spaces SET name = ? WHERE name = ?').run(to, from)
}

/** Ids of memories of a space (null for the user's own) in order, after one of them. */
export function memoryIdsIn(ledger: Ledger, space: string | null, after: string, limit: number): string[] {
  return ledger
    .sql('SELECT id FROM memories WHERE space IS ? AND id > ? ORDER BY id LIMIT ?')
    .all(space, after, limit)
    .map((row) => String(row.id))
}

/** Memories that refer to another one as superseding or contradicting, or by a link. */
export function memoriesReferencing(ledger: Ledger, id: string): string[] {
  return ledger
    .sql(
      `SELECT id FROM memories WHERE superseded_by = $id OR contradicts = $id
         OR EXISTS (SELECT 1 FROM json_each(links) l WHERE substr(l.value, instr(l.value, ' ') + 1) = $id)
       ORDER BY id`,
    )
    .all({ id })
    .map((row) => String(row.id))
}

export interface ServerItem {
  space: string
  id: string
  kind: string
  version: number
  hash: string
  /** Hash of the statement alone. */
  statement: string
}

/** The stored kind of memories that other users share into a space. */
export const sharedKind = 'memory shared'

/** Whether the memory belongs to another user who shares it, with the user or with a team. */
export function isSharedByOther(ledger: Ledger, { id, space }: { id: string; space: string | null }): boolean {
  return space !== null && (space === 'shared' || serverItem(ledger, space, id)?.kind === sharedKind)
}

export function serverItem(ledger: Ledger, space: string, id: string): ServerItem | undefined {
  return ledger
    .sql('SELECT space, id, kind, version, hash, statement FROM sync_items WHERE space = ? AND id = ?')
    .get(space, id) as ServerItem | undefined
}

export function saveServerItem(ledger: Ledger, item: ServerItem & { bucket: number; mark: number }): void {
  const { space, id, kind, version, hash, statement, bucket, mark } = item
  ledger
    .sql(
      `INSERT OR REPLACE INTO sync_items (space, id, kind, version, hash, statement, bucket, mark)
       VALUES ($space, $id, $kind, $version, $hash, $statement, $bucket, $mark)`,
    )
    .run({ space, id, kind, version, hash, statement, bucket, mark })
}

export function deleteServerItem(ledger: Ledger, space: string, id: string): void {
  ledger.sql('DELETE FROM sync_items WHERE space = ? AND id = ?').run(space, id)
}

/** By bucket. The sum is text, because it can exceed the range of a number. */
export function bucketSums(ledger: Ledger, space: string): Map<number, { count: number; sum: string }> {
  const rows = ledger
    .sql(
      `SELECT bucket, count(*) AS count, CAST(sum(mark) AS TEXT) AS sum FROM sync_items
       WHERE space = ? GROUP BY bucket`,
    )
    .all(space)
  return new Map(rows.map((row) => [Number(row.bucket), { count: Number(row.count), sum: String(row.sum) }]))
}

export function serverItemsInBucket(ledger: Ledger, space: string, bucket: number): ServerItem[] {
  return ledger
    .sql('SELECT space, id, kind, version, hash, statement FROM sync_items WHERE space = ? AND bucket = ?')
    .all(space, bucket) as unknown as ServerItem[]
}

/** Ordered by id, after `after`. */
export function serverItemsAfter(ledger: Ledger, space: string, after: string, limit: number): ServerItem[] {
  return ledger
    .sql(
      `SELECT space, id, kind, version, hash, statement FROM sync_items
       WHERE space = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    .all(space, after, limit) as unknown as ServerItem[]
}
