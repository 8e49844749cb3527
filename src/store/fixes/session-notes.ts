// What a session leaves for later ones (session/notes.ts), and the state in which its events were
// folded last. Derived from the text of sessions, and kept when it is evicted.
import type { Ledger } from '../ledger.ts'

export interface NoteRow {
  kind: string
  name: string
  text: string
  seq: number
  atMs: number | null
}

/** A note over all sessions of a project that have it. */
export interface ProjectNote {
  name: string
  text: string
  sessions: number
  times: number
  /** The session that has it last. */
  session: string
  atMs: number | null
}

export function saveNote(ledger: Ledger, session: number, { kind, name, text, seq, atMs }: NoteRow): void {
  ledger
    .sql(
      `INSERT INTO session_notes (session, kind, name, text, times, last_seq, at)
       VALUES ($session, $kind, $name, $text, 1, $seq, $at)
       ON CONFLICT (session, kind, name) DO UPDATE SET times = times + 1, last_seq = excluded.last_seq,
         at = coalesce(excluded.at, at), text = iif(excluded.text = '', text, excluded.text)`,
    )
    .run({ session, kind, name, text, seq, at: atMs })
}

export function foldStateOf<T>(ledger: Ledger, session: number, through: number): T | undefined {
  const row = ledger.sql('SELECT state FROM session_folds WHERE session = ? AND through = ?').get(session, through)
  return row ? (JSON.parse(String(row.state)) as T) : undefined
}

export function saveFoldState(ledger: Ledger, session: number, through: number, state: unknown): void {
  ledger
    .sql('INSERT OR REPLACE INTO session_folds (session, through, state) VALUES (?, ?, ?)')
    .run(session, through, JSON.stringify(state))
}

/** The latest first. */
export function notesOfProject(ledger: Ledger, project: string, kind: string, limit: number): ProjectNote[] {
  return ledger
    .sql(
      // With max(), SQLite takes the other columns from the row that has it.
      `SELECT n.name, n.text, s.uid, count(*) AS sessions, sum(n.times) AS times, max(coalesce(n.at, s.ended)) AS told
       FROM session_notes n JOIN sessions s ON s.id = n.session JOIN projects p ON p.id = s.project
       WHERE p.key = ? AND n.kind = ? AND s.is_program = 0 AND s.kind <> 'subagent'
       GROUP BY n.name ORDER BY told DESC, n.name LIMIT ?`,
    )
    .all(project, kind, limit)
    .map((row) => ({
      name: String(row.name),
      text: String(row.text),
      sessions: Number(row.sessions),
      times: Number(row.times),
      session: String(row.uid),
      atMs: row.told === null ? null : Number(row.told),
    }))
}
