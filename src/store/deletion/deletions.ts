// Deletions of sessions by a user, and the tombstones that keep them from being captured again.
import type { Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'

/**
 * `deleting` and `restoring`: the ledger is done, files are not. `held` can be undone. `purging`:
 * cannot be undone any more, traces are being removed.
 */
export type DeletionState = 'deleting' | 'held' | 'restoring' | 'undone' | 'purging' | 'purged'

/** What a deletion took away, in numbers: no text of it is kept. */
export interface DeletionSummary {
  sessions: number
  events: number
  bytes: number
  memories: number
  /** Keys of projects that were deleted completely. */
  projects: string[]
}

/** Files of the vault that the deletion has to clean up. */
export interface DeletionFiles {
  /** Journal entries by day: ids of sessions. */
  journal: Record<string, string[]>
  /** Paths of articles below the vault, without extension. */
  articles: string[]
  /** Those from which our text goes, and text of people stays. */
  emptied: string[]
}

export interface Deletion {
  /** Number of its change. */
  change: number
  atMs: number
  state: DeletionState
  summary: DeletionSummary
  files: DeletionFiles
}

export function saveDeletion(ledger: Ledger, { change, atMs, state, summary, files }: Deletion): void {
  ledger
    .sql('INSERT INTO deletions (change, at, state, summary, files) VALUES (?, ?, ?, ?, ?)')
    .run(change, atMs, state, JSON.stringify(summary), JSON.stringify(files))
}

export function setDeletionState(ledger: Ledger, change: number, state: DeletionState): void {
  ledger.sql('UPDATE deletions SET state = ? WHERE change = ?').run(state, change)
}

/** Names of files may have words of what was deleted. */
export function forgetDeletedFiles(ledger: Ledger, change: number): void {
  const none: DeletionFiles = { journal: {}, articles: [], emptied: [] }
  ledger.sql('UPDATE deletions SET files = ? WHERE change = ?').run(JSON.stringify(none), change)
}

/** Begins the time in which deletions can be undone again. */
export function restartHolds(ledger: Ledger, atMs: number): void {
  ledger.sql("UPDATE deletions SET at = ? WHERE state = 'held'").run(atMs)
}

export function deletionOf(ledger: Ledger, change: number): Deletion | undefined {
  const row = ledger.sql('SELECT * FROM deletions WHERE change = ?').get(change)
  return row && fromRow(row)
}

/** Newest first. */
export function listDeletions(ledger: Ledger, states?: readonly DeletionState[]): Deletion[] {
  return ledger
    .sql(
      `SELECT * FROM deletions WHERE $states IS NULL OR state IN (SELECT value FROM json_each($states))
       ORDER BY change DESC`,
    )
    .all({ states: states ? JSON.stringify(states) : null })
    .map(fromRow)
}

function fromRow(row: Record<string, unknown>): Deletion {
  return {
    change: Number(row.change),
    atMs: Number(row.at),
    state: row.state as DeletionState,
    summary: JSON.parse(String(row.summary)) as Json as unknown as DeletionSummary,
    files: JSON.parse(String(row.files)) as Json as unknown as DeletionFiles,
  }
}

export interface DeletedSession {
  uid: string
  id: number
  change: number
  /** Path of the transcript that it was last read from. */
  source: string | null
}

export function saveTombstone(ledger: Ledger, { uid, id, change, source }: DeletedSession): void {
  ledger
    .sql('INSERT OR REPLACE INTO deleted_sessions (uid, id, change, source) VALUES (?, ?, ?, ?)')
    .run(uid, id, change, source)
  ledger
    .sql(
      `INSERT OR IGNORE INTO deleted_events (key, change)
       SELECT key, $change FROM events WHERE id >= $id * ${2 ** 24} AND id < ($id + 1) * ${2 ** 24}`,
    )
    .run({ id, change })
}

/** Transcripts of which something was left out are read again from their start. */
export function removeTombstones(ledger: Ledger, change: number): void {
  ledger.sql('DELETE FROM cursors WHERE path IN (SELECT path FROM left_out WHERE change = ?)').run(change)
  ledger.sql('DELETE FROM left_out WHERE change = ?').run(change)
  ledger.sql('DELETE FROM deleted_sessions WHERE change = ?').run(change)
  ledger.sql('DELETE FROM deleted_events WHERE change = ?').run(change)
}

/**
 * Forgets where the transcripts of deleted sessions are to be read on, because the state of their readers
 * quotes them, and so do reports of what could not be read. They are read again when they change.
 */
export function forgetTranscripts(ledger: Ledger, change: number): void {
  const paths = `SELECT source FROM deleted_sessions WHERE change = $change
    UNION SELECT path FROM left_out WHERE change = $change
    UNION SELECT c.path FROM cursors c JOIN deleted_sessions d ON d.change = $change
      AND instr(c.path, substr(d.uid, instr(d.uid, ':') + 1)) > 0`
  // Databases have no offset, and their state only names versions of sessions.
  ledger
    .sql(
      `UPDATE cursors SET offset = 0, head = NULL, tail = NULL, state = NULL WHERE offset > 0 AND path IN (${paths})`,
    )
    .run({ change })
  ledger.sql(`DELETE FROM problems WHERE path IN (${paths})`).run({ change })
}

interface ReadSession {
  uid: string
  parent: string | undefined
  /** Path of the transcript. */
  path: string
}

/**
 * Whether a session that was read is deleted, and therefore left out. A session that a deleted one
 * has started is deleted with it; it has no row, so there is no row id to reserve.
 */
export function leaveOutDeleted(ledger: Ledger, { uid, parent, path }: ReadSession): boolean {
  const change = changeOfSession(ledger, uid) ?? (parent === undefined ? undefined : changeOfSession(ledger, parent))
  if (change === undefined) return false
  ledger
    .sql('INSERT OR IGNORE INTO deleted_sessions (uid, id, change, source) VALUES (?, 0, ?, ?)')
    .run(uid, change, path)
  saveLeftOut(ledger, path, change)
  return true
}

function changeOfSession(ledger: Ledger, uid: string): number | undefined {
  return ledger.sql('SELECT change FROM deleted_sessions WHERE uid = ?').get(uid)?.change as number | undefined
}

/** Keys from `hashKey` of deleted events: a session that continues a deleted one repeats them. */
export function deletedKeys(ledger: Ledger, keys: readonly string[], path?: string): Set<string> {
  const found = new Set<string>()
  if (!ledger.sql('SELECT 1 FROM deleted_events LIMIT 1').get()) return found
  for (const key of keys) {
    const row = ledger.sql('SELECT change FROM deleted_events WHERE key = ?').get(Buffer.from(key, 'base64'))
    if (!row) continue
    found.add(key)
    if (path !== undefined) saveLeftOut(ledger, path, Number(row.change))
  }
  return found
}

/** Whether a session repeats events of a deleted one, from which it was forked or handed over. */
export function repeatsDeleted(ledger: Ledger, session: number, keys: readonly string[]): boolean {
  const isFork = ledger
    .sql('SELECT 1 FROM sessions s JOIN deleted_sessions d ON d.uid = s.forked_from WHERE s.id = ?')
    .get(session)
  return isFork !== undefined || deletedKeys(ledger, keys).size > 0
}

/**
 * Sessions whose kept lines may have text of the sessions that this change deletes: they repeat
 * their events, or were read from the same transcript. To be called after the tombstones were saved.
 */
export function sessionsWithTextOf(ledger: Ledger, change: number): { id: number; uid: string }[] {
  return ledger
    .sql(
      `SELECT id, uid, source FROM sessions WHERE copy_bytes > 0
         AND uid NOT IN (SELECT uid FROM deleted_sessions WHERE change = $change)
         AND (forked_from IN (SELECT uid FROM deleted_sessions WHERE change = $change)
           OR source IN (SELECT source FROM deleted_sessions WHERE change = $change)
           OR id IN (SELECT session FROM inherited WHERE key IN (SELECT key FROM deleted_events WHERE change = $change)))`,
    )
    .all({ change })
    .map(({ id, uid, source }) => {
      if (source !== null) saveLeftOut(ledger, String(source), change)
      return { id: Number(id), uid: String(uid) }
    })
}

function saveLeftOut(ledger: Ledger, path: string, change: number): void {
  ledger.sql('INSERT OR IGNORE INTO left_out (path, change) VALUES (?, ?)').run(path, change)
}

export function isSessionDeleted(ledger: Ledger, uid: string): boolean {
  return ledger.sql('SELECT 1 FROM deleted_sessions WHERE uid = ?').get(uid) !== undefined
}

/** Latest deletion first. */
export function deletedSessions(ledger: Ledger, change?: number): DeletedSession[] {
  return ledger
    .sql(
      'SELECT uid, id, change, source FROM deleted_sessions WHERE $change IS NULL OR change = $change ORDER BY change DESC, uid',
    )
    .all({ change: change ?? null })
    .map((row) => ({
      uid: String(row.uid),
      id: Number(row.id),
      change: Number(row.change),
      source: row.source as string | null,
    }))
}

/** The deletion that a change has undone. */
export function deletionUndoneBy(ledger: Ledger, change: number): number | undefined {
  const row = ledger.sql("SELECT id FROM changes WHERE kind = 'deleted' AND undone_by = ?").get(change)
  return row ? Number(row.id) : undefined
}
