// How far capture has got in each transcript.
import type { Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'

export interface Cursor {
  path: string
  /** Device, inode, size and time of the file and of the files beside it: equal means unchanged. */
  stamp: string
  /** Byte behind the last whole line that was taken. */
  offset: number
  /** Hash of the beginning of the file, and of the bytes before the offset: a rewritten file differs there. */
  head: Buffer | null
  tail: Buffer | null
  state: Json | undefined
  isIgnored: boolean
}

/** Stamps of all known transcripts, in one read: what a sweep of an unchanged home needs. */
export function transcriptStamps(ledger: Ledger): Map<string, string> {
  const rows = ledger.sql('SELECT path, stamp FROM cursors').all()
  return new Map(rows.map((row) => [String(row.path), String(row.stamp)]))
}

export function readCursor(ledger: Ledger, path: string): Cursor | undefined {
  const row = ledger.sql('SELECT * FROM cursors WHERE path = ?').get(path)
  if (!row) return undefined
  return {
    path,
    stamp: String(row.stamp),
    offset: Number(row.offset),
    head: row.head === null ? null : Buffer.from(row.head as Uint8Array),
    tail: row.tail === null ? null : Buffer.from(row.tail as Uint8Array),
    state: row.state === null ? undefined : (JSON.parse(String(row.state)) as Json),
    isIgnored: row.is_ignored === 1,
  }
}

/** So that every transcript is read again; what is known already is not taken twice. */
export function deleteCursors(ledger: Ledger): void {
  ledger.raw.exec('DELETE FROM cursors')
}

export function saveCursor(ledger: Ledger, agent: string, cursor: Cursor): void {
  ledger
    .sql(
      `INSERT OR REPLACE INTO cursors (path, agent, stamp, offset, head, tail, state, is_ignored)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      cursor.path,
      agent,
      cursor.stamp,
      cursor.offset,
      cursor.head,
      cursor.tail,
      cursor.state === undefined ? null : JSON.stringify(cursor.state),
      cursor.isIgnored ? 1 : 0,
    )
}

// What could not be read, what was not known, and what was taken out: the honest side of every sweep.

interface CaptureProblem {
  path: string
  offset: number
  reason: string
  attempts: number
  seenAt: string
}

/** The place of a problem with a transcript as a whole. */
export const wholeFileOffset = -1

export function reportProblem(ledger: Ledger, problem: Omit<CaptureProblem, 'attempts'>): void {
  ledger
    .sql(
      `INSERT INTO problems (path, offset, reason, seen_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (path, offset) DO UPDATE SET reason = excluded.reason, attempts = attempts + 1, seen_at = excluded.seen_at`,
    )
    .run(problem.path, problem.offset, problem.reason.slice(0, 500), problem.seenAt)
}

/** When a part of a file has been read again, what was said about it, or about the file as a whole, no longer holds. */
export function clearProblems(ledger: Ledger, path: string, fromOffset: number): void {
  ledger
    .sql('DELETE FROM problems WHERE path = ? AND (offset >= ? OR offset = ?)')
    .run(path, fromOffset, wholeFileOffset)
}

/** Of everything in a folder. */
export function clearProblemsBelow(ledger: Ledger, folder: string): void {
  ledger.sql('DELETE FROM problems WHERE substr(path, 1, length($folder)) = $folder').run({ folder })
}

export function listProblems(ledger: Ledger, limit = 1000): CaptureProblem[] {
  return ledger
    .sql(
      'SELECT path, offset, reason, attempts, seen_at AS seenAt FROM problems ORDER BY seen_at DESC, path, offset LIMIT ?',
    )
    .all(limit) as unknown as CaptureProblem[]
}

export function countProblems(ledger: Ledger): number {
  return Number(ledger.sql('SELECT count(*) AS count FROM problems').get()!.count)
}

interface Drift {
  agent: string
  type: string
  count: number
  path: string
  seenAt: string
}

export function reportDrift(ledger: Ledger, drift: Drift): void {
  ledger
    .sql(
      `INSERT INTO drift (agent, type, count, path, seen_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (agent, type) DO UPDATE SET count = count + excluded.count, path = excluded.path, seen_at = excluded.seen_at`,
    )
    .run(drift.agent, drift.type.slice(0, 100), drift.count, drift.path, drift.seenAt)
}

export function listDrift(ledger: Ledger): Drift[] {
  return ledger
    .sql('SELECT agent, type, count, path, seen_at AS seenAt FROM drift ORDER BY agent, type')
    .all() as unknown as Drift[]
}

export function countRedactions(ledger: Ledger, counts: Record<string, number>): void {
  for (const [kind, count] of Object.entries(counts)) {
    ledger
      .sql(
        'INSERT INTO redactions (kind, count) VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET count = count + excluded.count',
      )
      .run(kind, count)
  }
}

export function listRedactions(ledger: Ledger): Record<string, number> {
  const rows = ledger.sql('SELECT kind, count FROM redactions ORDER BY kind').all()
  return Object.fromEntries(rows.map((row) => [String(row.kind), Number(row.count)]))
}
