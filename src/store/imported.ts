// What imports from other programs added besides memories: sessions, candidates, files of the vault,
// and sections of journal days. Memories have their own history.
import type { Ledger } from './ledger.ts'

export interface ImportedRow {
  kind: 'session' | 'candidate' | 'file' | 'section'
  /** Id of the session or candidate, path in the vault, or day. */
  name: string
  /** Of the content of a file or section as it was written; empty for others. */
  hash: string
}

export function saveImported(ledger: Ledger, change: number, { kind, name, hash }: ImportedRow): void {
  ledger
    .sql('INSERT OR REPLACE INTO imported (change, kind, name, hash) VALUES (?, ?, ?, ?)')
    .run(change, kind, name, hash)
}

export function importedBy(ledger: Ledger, change: number): ImportedRow[] {
  return ledger
    .sql('SELECT kind, name, hash FROM imported WHERE change = ? ORDER BY kind, name')
    .all(change) as unknown as ImportedRow[]
}

/** Hash of an imported file or section as it was last written; undefined if it was not imported. */
export function importedHash(ledger: Ledger, kind: ImportedRow['kind'], name: string): string | undefined {
  const row = ledger
    .sql('SELECT hash FROM imported WHERE kind = ? AND name = ? ORDER BY change DESC LIMIT 1')
    .get(kind, name)
  return row && String(row.hash)
}

export function forgetImported(ledger: Ledger, change: number): void {
  ledger.sql('DELETE FROM imported WHERE change = ?').run(change)
}

/** Ids of own memories in any state, by the event of their evidence, for events of a source. */
export function memoriesByOriginEvent(ledger: Ledger, source: string): Map<string, string> {
  const rows = ledger
    .sql(
      `SELECT m.id, e.value ->> 'event' AS event FROM memories m, json_each(m.evidence) e
       WHERE m.space IS NULL AND substr(event, 1, length($prefix)) = $prefix ORDER BY m.number`,
    )
    .all({ prefix: `${source}:` })
  return new Map(rows.map(({ id, event }) => [String(event), String(id)]))
}

/** Removes a change that has changed nothing. */
export function removeEmptyChange(ledger: Ledger, change: number): void {
  ledger.sql('DELETE FROM changes WHERE id = ?').run(change)
}

export function describeChange(ledger: Ledger, change: number, about: string): void {
  ledger.sql('UPDATE changes SET about = ? WHERE id = ?').run(about, change)
}

/** Learning leaves imported sessions alone: whose words they hold is not certain. */
export function markLearnedCompletely(ledger: Ledger, session: number): void {
  ledger
    .sql('UPDATE sessions SET learned_through = events, judged_through = events, counted_through = events WHERE id = ?')
    .run(session)
}

export function hasSession(ledger: Ledger, uid: string): boolean {
  return ledger.sql('SELECT 1 FROM sessions WHERE uid = ?').get(uid) !== undefined
}
