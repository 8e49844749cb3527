// Fixes: an error that a program printed in a session, and what made the program succeed afterwards.
// Derived from the text of sessions, and kept when it is evicted.
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from '../sessions/bodies.ts'

/**
 * `call`: the command was called differently. `step`: another command ran in between. `edit`: an edit
 * replaced the line that the error was about. `cause`: the agent explained what the reason was.
 */
export const fixKinds = ['call', 'step', 'edit', 'cause'] as const
export type FixKind = (typeof fixKinds)[number]

export interface Fix {
  kind: FixKind
  /** Program with its subcommand: `npm test`. */
  program: string
  /** The command that failed, on one line. */
  command: string
  /** The message, on one line. */
  error: string
  /** The message without its variable parts. */
  shape: string
  /** The quoted parts of the message. */
  details: string[]
  /** What made the difference, in one sentence. */
  remedy: string
  /** For an edit: the file, and the changed lines. */
  file: string | null
  diff: string
  /** Places of the failure and of the success in the session. */
  failedSeq: number
  seq: number
  atMs: number | null
}

/** A fix with the session that it comes from. */
export interface StoredFix extends Fix {
  session: string
  agent: string
  project: string | null
  /** ISO time; null if the agent recorded none. */
  at: string | null
}

export interface SessionToSearch {
  id: number
  uid: string
  cwd: string | null
  events: number
  /** How many events were searched. */
  through: number
  body: SessionBody | null
}

export function sessionsToSearch(ledger: Ledger): SessionToSearch[] {
  return ledger
    .sql(
      `SELECT id, uid, cwd, events, fixes_through, body, body_bytes, body_raw, body_frames FROM sessions
       WHERE events <> fixes_through ORDER BY id`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      cwd: row.cwd as string | null,
      events: Number(row.events),
      through: Number(row.fixes_through),
      body: bodyFromRow(row),
    }))
}

export function hasSessionsToSearch(ledger: Ledger): boolean {
  return ledger.sql('SELECT 1 FROM sessions WHERE events <> fixes_through LIMIT 1').get() !== undefined
}

/** The same fix is stored once for a session. */
export function saveFix(ledger: Ledger, session: number, fix: Fix): void {
  const { kind, program, command, error, shape, remedy, file, diff, failedSeq, seq, atMs } = fix
  ledger
    .sql(
      `INSERT INTO fixes (session, failed_seq, seq, at, kind, program, command, error, shape, details, remedy, file, diff)
       SELECT $session, $failedSeq, $seq, $at, $kind, $program, $command, $error, $shape, $details, $remedy, $file, $diff
       WHERE NOT EXISTS (SELECT 1 FROM fixes
         WHERE session = $session AND shape = $shape AND remedy = $remedy AND diff = $diff)`,
    )
    .run({
      ...{ session, failedSeq, seq, at: atMs, kind, program, command, error, shape },
      ...{ details: JSON.stringify(fix.details), remedy, file, diff },
    })
}

export function markSearched(ledger: Ledger, session: number, through: number): void {
  ledger.sql('UPDATE sessions SET fixes_through = ? WHERE id = ?').run(through, session)
}

export function deleteFixes(ledger: Ledger, session: number): void {
  for (const table of ['fixes', 'program_runs', 'session_notes', 'session_folds'])
    ledger.sql(`DELETE FROM ${table} WHERE session = ?`).run(session)
}

/** Queues every session that still has its body to be searched again. */
export function resetFixes(ledger: Ledger): void {
  ledger.raw.exec('UPDATE sessions SET fixes_through = 0 WHERE evicted_through = 0')
}

export interface FixFilter {
  /** Any of these; all shapes if it is missing. */
  shapes?: readonly string[]
  project?: string
}

/** The latest first. */
export function listFixes(ledger: Ledger, { shapes, project }: FixFilter = {}): StoredFix[] {
  return ledger
    .sql(
      `SELECT f.*, s.uid, s.agent, p.key AS project, coalesce(f.at, s.ended) AS told
       FROM fixes f JOIN sessions s ON s.id = f.session LEFT JOIN projects p ON p.id = s.project
       WHERE ($shapes IS NULL OR f.shape IN (SELECT value FROM json_each($shapes)))
         AND ($project IS NULL OR p.key = $project)
       ORDER BY told DESC, f.id DESC`,
    )
    .all({ shapes: shapes ? JSON.stringify(shapes) : null, project: project ?? null })
    .map(fixFromRow)
}

export function sessionUids(ledger: Ledger, ids: readonly number[]): string[] {
  return ledger
    .sql('SELECT uid FROM sessions WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id')
    .all(JSON.stringify(ids))
    .map((row) => String(row.uid))
}

/** All forms of errors, for the search by similarity. */
export function listShapes(ledger: Ledger): string[] {
  return ledger
    .sql('SELECT DISTINCT shape FROM fixes ORDER BY shape')
    .all()
    .map((row) => String(row.shape))
}

function fixFromRow(row: Record<string, unknown>): StoredFix {
  return {
    session: String(row.uid),
    agent: String(row.agent),
    project: row.project as string | null,
    at: row.told === null ? null : isoTime(Number(row.told)),
    kind: row.kind as FixKind,
    program: String(row.program),
    command: String(row.command),
    error: String(row.error),
    shape: String(row.shape),
    details: JSON.parse(String(row.details)) as string[],
    remedy: String(row.remedy),
    file: row.file as string | null,
    diff: String(row.diff),
    failedSeq: Number(row.failed_seq),
    seq: Number(row.seq),
    atMs: row.at as number | null,
  }
}
