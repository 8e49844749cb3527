// Evicts bodies: deletes the file and its search index entries. The session, its digest and its
// event rows stay, so that the next sweep does not read the old events as new.
import { readdirSync } from 'node:fs'
import type { Ledger } from '../ledger.ts'
import { indexDigest, unindexEvents } from '../search/index-session.ts'
import { compactIndex } from '../search/passages.ts'
import { retainedSizes, totalBytes } from '../sizes.ts'
import { deleteBody } from './bodies.ts'

export interface StoredBody {
  id: number
  uid: string
  /** Path of the transcript that it was last read from. */
  source: string | null
  file: string
  bytes: number
  events: number
  isDigested: boolean
  isLearned: boolean
  capturedAt: string
}

/** Sessions that have a body, by end time, oldest first. */
export function storedBodies(ledger: Ledger): StoredBody[] {
  return ledger
    .sql(
      `SELECT id, uid, source, body, body_bytes, events, digested_through, learned_through, captured_at FROM sessions
       WHERE body IS NOT NULL ORDER BY coalesce(ended, unixepoch(captured_at) * 1000), id`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      source: row.source as string | null,
      file: String(row.body),
      bytes: Number(row.body_bytes),
      events: Number(row.events),
      isDigested: row.digested_through === row.events,
      isLearned: row.learned_through === row.events,
      capturedAt: String(row.captured_at),
    }))
}

export function evictBody(ledger: Ledger, session: StoredBody, evictedAt: string): void {
  unindexEvents(ledger, session.id, session.events)
  ledger
    .sql(
      `UPDATE sessions SET body = NULL, body_bytes = 0, body_raw = 0, body_frames = 0, copy_bytes = 0, evicted_through = events,
         evicted_at = ? WHERE id = ?`,
    )
    .run(evictedAt, session.id)
  indexDigest(ledger, session.id)
  scheduleBodyDeletion(ledger, session.file)
}

export interface EvictedSession {
  id: number
  uid: string
  agent: string
  /** Path of the transcript that it was last read from. */
  source: string
  /** The text before this place is deleted. */
  evictedThrough: number
}

/** Sessions whose text was deleted completely or up to a place, latest first. */
export function evictedSessions(ledger: Ledger): EvictedSession[] {
  return ledger
    .sql(
      `SELECT id, uid, agent, source, evicted_through FROM sessions
       WHERE evicted_through > 0 AND source IS NOT NULL ORDER BY coalesce(ended, 0) DESC, id DESC`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      agent: String(row.agent),
      source: String(row.source),
      evictedThrough: Number(row.evicted_through),
    }))
}

/** Records that the text from `fromSeq` on exists again. */
export function markRestored(ledger: Ledger, session: number, fromSeq: number): void {
  ledger
    .sql(
      `UPDATE sessions SET evicted_through = $from, evicted_at = CASE WHEN $from > 0 THEN evicted_at END
       WHERE id = $session`,
    )
    .run({ session, from: fromSeq })
  indexDigest(ledger, session)
}

/** Body files that no session names. */
export function orphanedBodies(ledger: Ledger): string[] {
  const named = new Set(storedBodies(ledger).map(({ file }) => file))
  const files = readdirSync(ledger.layout.bodies, { recursive: true, encoding: 'utf8' })
  return files.filter((path) => path.endsWith('.zst') && !named.has(path))
}

export function isBodyNamed(ledger: Ledger, file: string): boolean {
  return ledger.sql('SELECT 1 FROM sessions WHERE body = ?').get(file) !== undefined
}

/** `bytes` is the size of the store without these bodies. */
export type EvictionStep = { kind: 'evicted' | 'too many'; bytes: number }

/**
 * Evicts these bodies in one transaction and compacts the index, because only the size after that
 * says what was freed. Changes nothing if the store would also fit without evicting the last one.
 */
export function evictAtMostNeeded(
  ledger: Ledger,
  bodies: readonly StoredBody[],
  maxBytes: number,
  evictedAt: string,
): EvictionStep {
  let bytes = 0
  try {
    ledger.transaction(() => {
      for (const body of bodies) evictBody(ledger, body, evictedAt)
      compactIndex(ledger)
      bytes = totalBytes(retainedSizes(ledger))
      if (bodies.length > 1 && bytes + bodies.at(-1)!.bytes <= maxBytes) throw new TooManyEvicted()
    })
    return { kind: 'evicted', bytes }
  } catch (error) {
    if (error instanceof TooManyEvicted) return { kind: 'too many', bytes }
    throw error
  }
}

/** Rolls back the transaction. */
class TooManyEvicted extends Error {}

/** Compacts the index and returns free pages to the file system. */
export function shrinkLedger(ledger: Ledger): void {
  compactIndex(ledger)
  ledger.raw.exec('PRAGMA incremental_vacuum')
  ledger.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

/**
 * Lists a body file for deletion in the transaction that stops naming it. A run that is killed
 * before the file is deleted leaves the list for the next run. The table is called `retired`.
 */
export function scheduleBodyDeletion(ledger: Ledger, file: string): void {
  ledger.sql('INSERT INTO retired (file) VALUES (?) ON CONFLICT DO NOTHING').run(file)
}

export function cancelBodyDeletion(ledger: Ledger, file: string): void {
  ledger.sql('DELETE FROM retired WHERE file = ?').run(file)
}

export function deleteScheduledBodies(ledger: Ledger): void {
  const files = ledger.sql('SELECT file FROM retired').all()
  if (files.length === 0) return
  for (const { file } of files) deleteBody(ledger.layout.bodies, String(file))
  ledger.raw.exec('DELETE FROM retired')
}

/** Whether the file of this name will be deleted by the current or the next run. */
export function isScheduledForDeletion(ledger: Ledger, file: string): boolean {
  return ledger.sql('SELECT 1 FROM retired WHERE file = ?').get(file) !== undefined
}
