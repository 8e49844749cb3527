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
