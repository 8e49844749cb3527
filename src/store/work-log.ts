// The work log: the last hook events and what became of them, also if nothing did. It answers why an
// event led to nothing, so it keeps a bounded number of rows.
import type { Ledger } from './ledger.ts'

export interface WorkLogEntry {
  atMs: number
  /** '' if it is about no session. */
  session: string
  /** `captured`, `coalesced`, `postponed`, `skipped`, `waits`, `denied`, `dropped`, `failed` … */
  what: string
  detail: string
  /** How long it took, where that is known. */
  ms: number | null
}

/** Rows that are kept. */
const maxRows = 2000
const maxDetailLength = 500

export function logWork(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'> & { ms?: number }): void {
  const { atMs, session, what, detail, ms = null } = entry
  const { lastInsertRowid } = ledger
    .sql('INSERT INTO work_log (at, session, what, detail, ms) VALUES (?, ?, ?, ?, ?)')
    .run(Math.floor(atMs), session, what, detail.slice(0, maxDetailLength), ms)
  ledger.sql('DELETE FROM work_log WHERE id <= ?').run(Number(lastInsertRowid) - maxRows)
}

/** Does nothing if the log has the same row of the session already: sessions are read repeatedly. */
export function logWorkOnce(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'>): void {
  const { session, what, detail } = entry
  const row = ledger
    .sql('SELECT 1 FROM work_log WHERE session = ? AND what = ? AND detail = ? LIMIT 1')
    .get(session, what, detail.slice(0, maxDetailLength))
  if (!row) logWork(ledger, entry)
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
