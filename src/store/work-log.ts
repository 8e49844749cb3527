// The work log: the last hook events and what became of them, also if nothing did. It answers why an
// event led to nothing, so it keeps a bounded number of rows.
import type { Ledger } from './ledger.ts'

export interface WorkLogEntry {
  atMs: number
  /** '' if it is about no session. */
  session: string
  /** `event`, `coalesced`, `postponed`, `skipped`, `denied`, `dropped`, `failed` … */
  what: string
  detail: string
  /** How long it took, where that is known. */
  ms: number | null
}

/** Rows that are kept. */
const maxRows = 2000

export function logWork(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'> & { ms?: number }): void {
  const { atMs, session, what, detail, ms = null } = entry
  const { lastInsertRowid } = ledger
    .sql('INSERT INTO work_log (at, session, what, detail, ms) VALUES (?, ?, ?, ?, ?)')
    .run(Math.floor(atMs), session, what, detail.slice(0, 500), ms)
  ledger.sql('DELETE FROM work_log WHERE id <= ?').run(Number(lastInsertRowid) - maxRows)
}

/** Does nothing if the last row of the same session and kind says the same. */
export function logWorkOnce(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'>): void {
  const row = ledger
    .sql('SELECT detail FROM work_log WHERE session = ? AND what = ? ORDER BY id DESC LIMIT 1')
    .get(entry.session, entry.what)
  if (row?.detail !== entry.detail.slice(0, 500)) logWork(ledger, entry)
}

/** The newest first. */
export function readWorkLog(ledger: Ledger, limit = maxRows): WorkLogEntry[] {
  return ledger
    .sql('SELECT * FROM work_log ORDER BY id DESC LIMIT ?')
    .all(limit)
    .map((row) => ({
      atMs: Number(row.at),
      session: String(row.session),
      what: String(row.what),
      detail: String(row.detail),
      ms: row.ms as number | null,
    }))
}
