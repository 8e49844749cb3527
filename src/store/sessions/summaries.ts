// What a model wrote about a session when it was at rest: title, where it was left off, and the
// parts of its journal entry.
import type { Ledger } from '../ledger.ts'

export interface SummaryRow {
  session: number
  /** Events that it covers. */
  through: number
  /** Empty where the model gave none. */
  title: string
  leftOff: string
  /** JSON of the parts of the journal entry; null if the model had nothing to write. */
  journal: string | null
  author: string
  writtenAt: string
}

/**
 * An answer about an earlier part, which came late, does not replace one about a later part. Title
 * and journal entry stay until a model gives others.
 */
export function saveSummary(ledger: Ledger, row: SummaryRow): void {
  ledger
    .sql(
      `INSERT INTO summaries (session, through, title, left_off, journal, author, written_at)
       VALUES ($session, $through, $title, $leftOff, $journal, $author, $writtenAt)
       ON CONFLICT (session) DO UPDATE SET through = excluded.through,
         title = coalesce(nullif(excluded.title, ''), title), left_off = excluded.left_off,
         journal = coalesce(nullif(excluded.journal, 'null'), journal), author = excluded.author, written_at = excluded.written_at
       WHERE excluded.through >= through OR through > (SELECT events FROM sessions WHERE id = $session)`,
    )
    .run({ ...row, journal: row.journal ?? 'null' })
  ledger
    .sql(
      `UPDATE digests SET title = coalesce((SELECT nullif(title, '') FROM summaries WHERE session = $session), title)
       WHERE session = $session`,
    )
    .run({ session: row.session })
}

export function summaryOfSession(ledger: Ledger, session: number): SummaryRow | undefined {
  const row = ledger.sql('SELECT * FROM summaries WHERE session = ?').get(session)
  if (!row) return undefined
  return {
    session,
    through: Number(row.through),
    title: String(row.title),
    leftOff: String(row.left_off),
    journal: row.journal === 'null' ? null : String(row.journal),
    author: String(row.author),
    writtenAt: String(row.written_at),
  }
}

/** Where a session was left off, by a model; undefined if it has gone on since. */
export function leftOffIn(ledger: Ledger, uid: string): string | undefined {
  const row = ledger
    .sql(
      `SELECT m.left_off FROM summaries m JOIN sessions s ON s.id = m.session
       WHERE s.uid = ? AND m.through >= s.events AND m.left_off <> ''`,
    )
    .get(uid)
  return row ? String(row.left_off) : undefined
}
