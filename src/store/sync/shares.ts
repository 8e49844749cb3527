// Share rules that the user created, and the user's own memories that they concern.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { memoryFromRow } from '../memories/memories.ts'
import { enqueue, ownSpace } from './outbox.ts'

/** One memory, or every memory with a tag. */
export type ShareSubject = { kind: 'memory'; id: string } | { kind: 'tag'; tag: string }

export interface Share {
  id: string
  subject: ShareSubject
  /** `team:<name>` or `user:<name>`. */
  with: string
  permission: 'read' | 'write'
  atMs: number
}

/**
 * Saves a share and queues it for sending. Call in the transaction of the change that it belongs
 * to.
 */
export function saveShare(ledger: Ledger, { id, subject, with: target, permission, atMs }: Share): void {
  ledger
    .sql('INSERT OR REPLACE INTO shares (id, subject, shared_with, permission, at) VALUES (?, ?, ?, ?, ?)')
    .run(id, JSON.stringify(subject), target, permission, Math.trunc(atMs))
  enqueue(ledger, ownSpace, 'share', shareItemId(id))
}

export function deleteShare(ledger: Ledger, id: string): void {
  ledger.sql('DELETE FROM shares WHERE id = ?').run(id)
  enqueue(ledger, ownSpace, 'share', shareItemId(id))
}

export function shareById(ledger: Ledger, id: string): Share | undefined {
  const row = ledger.sql('SELECT * FROM shares WHERE id = ?').get(id)
  return row ? shareOf(row) : undefined
}

/** Earliest first. */
export function listShares(ledger: Ledger): Share[] {
  return ledger.sql('SELECT * FROM shares ORDER BY at, id').all().map(shareOf)
}

/** Item id of a share on the server. */
export function shareItemId(id: string): string {
  return `share:${id}`
}

function shareOf(row: Record<string, unknown>): Share {
  return {
    id: String(row.id),
    subject: JSON.parse(String(row.subject)) as ShareSubject,
    with: String(row.shared_with),
    permission: row.permission as Share['permission'],
    atMs: Number(row.at),
  }
}

/** Whether memories of others can be in the ledger. False for most users, who have no server. */
export function hasTeams(ledger: Ledger): boolean {
  return (
    ledger
      .sql('SELECT EXISTS (SELECT 1 FROM spaces) OR EXISTS (SELECT 1 FROM memories WHERE space IS NOT NULL) AS any')
      .get()!.any === 1
  )
}

/** The user's own memories that contradict one of these. */
export function ownContradicting(ledger: Ledger, ids: readonly string[]): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories WHERE space IS NULL AND state = 'kept'
         AND contradicts IN (SELECT value FROM json_each(?)) ORDER BY number`,
    )
    .all(JSON.stringify(ids))
    .map(memoryFromRow)
}

/** The user's own current memories with a tag. */
export function ownMemoriesTagged(ledger: Ledger, tag: string): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories WHERE space IS NULL AND state = 'kept' AND superseded_by IS NULL
         AND EXISTS (SELECT 1 FROM json_each(tags) t WHERE t.value = ?) ORDER BY number`,
    )
    .all(tag)
    .map(memoryFromRow)
}
