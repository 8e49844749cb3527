// Capture cursors of transcripts, and what capture could not read, did not know or redacted.
import type { Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { packJson, unpackJson } from '../packed-json.ts'

export interface Cursor {
  path: string
  /** Device, inode, size and time of the file and its companions: equal means unchanged. */
  stamp: string
  /** Offset behind the last complete line that was read. */
  offset: number
  /**
   * Hashes of the beginning of the file and of the bytes before the offset, to detect rewritten
   * files.
   */
  head: Buffer | null
  tail: Buffer | null
  state: Json | undefined
  isIgnored: boolean
}

/** Size of a transcript when it was last read to its end; null while it is being read. */
export function sizeInStamp(stamp: string | null): number | null {
  const size = /^\d+:\d+:(\d+):/.exec(stamp ?? '')?.[1]
  return size === undefined ? null : Number(size)
}

/** Stamps of all transcripts in one query: all that a sweep without changes needs. */
export function transcriptStamps(ledger: Ledger): Map<string, string> {
  const stamps = ledger.sql('SELECT path, stamp FROM cursors')
  stamps.setReturnArrays(true) // an object for each of many rows would take half as long again
  return new Map(stamps.all() as unknown as [string, string][])
}

/** Undefined also for a cursor of another shape: the transcript is read again from its start. */
export function readCursor(ledger: Ledger, path: string): Cursor | undefined {
  const row = ledger.sql('SELECT * FROM cursors WHERE path = ?').get(path)
  const offset = Number(row?.offset)
  const state = parseState(row?.state)
  if (!row || offset < 0 || state === 'invalid') return undefined
  return {
    path,
    stamp: String(row.stamp),
    offset,
    head: row.head === null ? null : Buffer.from(row.head as Uint8Array),
    tail: row.tail === null ? null : Buffer.from(row.tail as Uint8Array),
    state: state?.value,
    isIgnored: row.is_ignored === 1,
  }
}

function parseState(source: unknown): { value: Json } | undefined | 'invalid' {
  if (source === null || source === undefined) return undefined
  try {
    return { value: JSON.parse(unpackJson(source)) as Json }
  } catch {
    return 'invalid'
  }
}

/** Makes the next sweep read every transcript again; known events are not stored twice. */
export function deleteCursors(ledger: Ledger): void {
  ledger.raw.exec('DELETE FROM cursors')
}

/** Makes the next sweep read a transcript again. */
export function deleteCursor(ledger: Ledger, path: string): void {
  ledger.sql('DELETE FROM cursors WHERE path = ?').run(path)
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
      cursor.state === undefined ? null : packJson(cursor.state),
      cursor.isIgnored ? 1 : 0,
    )
}

/** Skips a transcript until its stamp changes. What was read of it stays, and so does its cursor. */
export function setTranscriptAside(ledger: Ledger, agent: string, path: string, stamp: string): void {
  ledger
    .sql(
      `INSERT INTO cursors (path, agent, stamp, offset, is_ignored) VALUES (?, ?, ?, 0, 0)
       ON CONFLICT (path) DO UPDATE SET stamp = excluded.stamp`,
    )
    .run(path, agent, stamp)
}

interface CaptureProblem {
  path: string
  offset: number
  reason: string
  attempts: number
  seenAt: string
}

/** Offset of a problem that concerns the whole transcript. */
export const wholeFileOffset = -1

export function reportProblem(ledger: Ledger, problem: Omit<CaptureProblem, 'attempts'>): void {
  ledger
    .sql(
      `INSERT INTO problems (path, offset, reason, seen_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (path, offset) DO UPDATE SET reason = excluded.reason, attempts = attempts + 1, seen_at = excluded.seen_at`,
    )
    .run(problem.path, problem.offset, problem.reason.slice(0, 500), problem.seenAt)
}

/** Deletes problems of a part that has been read again, and those of the whole file. */
export function clearProblems(ledger: Ledger, path: string, fromOffset: number): void {
  ledger
    .sql('DELETE FROM problems WHERE path = ? AND (offset >= ? OR offset = ?)')
    .run(path, fromOffset, wholeFileOffset)
}

/** Deletes all problems of a file. If it was set aside and comes back, it is read again. */
export function forgetProblems(ledger: Ledger, path: string): void {
  ledger.sql("UPDATE cursors SET stamp = '' WHERE path = ?").run(path)
  ledger.sql('DELETE FROM problems WHERE path = ?').run(path)
}

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

/** Transcripts of which nothing, or nothing more, could be captured. */
export function failedTranscripts(ledger: Ledger): CaptureProblem[] {
  const { root } = ledger.layout
  return listProblems(ledger).filter(({ path, offset }) => offset === wholeFileOffset && !path.startsWith(root))
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

/** Sessions that were last read from a transcript, the first one first. */
export function sessionsReadFrom(ledger: Ledger, path: string): string[] {
  return ledger
    .sql('SELECT uid FROM sessions WHERE source = ? ORDER BY id')
    .all(path)
    .map(({ uid }) => String(uid))
}
