// The sessions of a project in the order in which they began, and what each of them knew at its end.
import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from '../sessions/bodies.ts'

export interface ReplayedSession {
  uid: string
  project: string
  cwd: string | null
  startedMs: number
  /** The session that it continues. */
  forkedFrom: string | null
  body: SessionBody | null
}

/** Conversations with their times, by project and start. */
export function sessionsToReplay(ledger: Ledger, project: string | undefined): ReplayedSession[] {
  return ledger
    .sql(
      `SELECT s.uid, p.key AS project, s.cwd, s.started, s.forked_from, s.body, s.body_bytes, s.body_raw, s.body_frames
       FROM sessions s JOIN projects p ON p.id = s.project JOIN digests d ON d.session = s.id
       WHERE s.kind <> 'subagent' AND s.is_program = 0 AND d.kind IN ('work', 'talk') AND s.started IS NOT NULL
         AND ($project IS NULL OR p.key = $project)
       ORDER BY p.key, s.started, s.id`,
    )
    .all({ project: project ?? null })
    .map((row) => ({
      uid: String(row.uid),
      project: String(row.project),
      cwd: row.cwd as string | null,
      startedMs: Number(row.started),
      forkedFrom: row.forked_from as string | null,
      body: bodyFromRow(row),
    }))
}

/** Where something is known from. */
export interface KnownIn {
  session: string
  endedMs: number
}

export interface KnownNote extends KnownIn {
  name: string
  text: string
}

/** What the person said, or what checkers complained about, in sessions of a project, the latest first. */
export function notesIn(ledger: Ledger, project: string, kind: 'said' | 'complaint'): KnownNote[] {
  return ledger
    .sql(
      `SELECT s.uid, s.ended, n.name, n.text
       FROM projects p JOIN sessions s ON s.project = p.id JOIN session_notes n ON n.session = s.id
       WHERE p.key = ? AND n.kind = ? AND s.is_program = 0 AND s.kind <> 'subagent' AND s.ended IS NOT NULL
       ORDER BY s.ended DESC`,
    )
    .all(project, kind)
    .map((row) => ({ ...knownIn(row), name: String(row.name), text: String(row.text) }))
}

export interface PassedRun extends KnownIn {
  program: string
  command: string
  folder: string
}

/** Commands that passed, the latest first. */
export function passedIn(ledger: Ledger, project: string): PassedRun[] {
  return ledger
    .sql(
      `SELECT s.uid, s.ended, r.program, r.command, r.folder
       FROM projects p JOIN sessions s ON s.project = p.id JOIN program_runs r ON r.session = s.id
       WHERE p.key = ? AND r.passed > 0 AND s.ended IS NOT NULL ORDER BY s.ended DESC`,
    )
    .all(project)
    .map((row) => ({
      ...knownIn(row),
      program: String(row.program),
      command: String(row.command),
      folder: String(row.folder),
    }))
}

export interface EditedNames extends KnownIn {
  cwd: string | null
  path: string
  /** Names that the session wrote into the file. */
  names: string[]
}

/** Files that sessions changed, the latest first. */
export function editedIn(ledger: Ledger, project: string): EditedNames[] {
  return ledger
    .sql(
      `SELECT s.uid, s.ended, s.cwd, t.path, coalesce(n.text, '') AS names
       FROM projects p JOIN sessions s ON s.project = p.id JOIN touched t ON t.session = s.id
         LEFT JOIN session_notes n ON n.session = s.id AND n.kind = 'symbols' AND n.name = t.path
       WHERE p.key = ? AND s.ended IS NOT NULL ORDER BY s.ended DESC`,
    )
    .all(project)
    .map((row) => ({
      ...knownIn(row),
      cwd: row.cwd as string | null,
      path: String(row.path),
      names: String(row.names).split(' ').filter(Boolean),
    }))
}

function knownIn({ uid, ended }: Record<string, unknown>): KnownIn {
  return { session: String(uid), endedMs: Number(ended) }
}

/** When each session of a project ended. */
export function endsIn(ledger: Ledger, project: string): Map<string, number> {
  const rows = ledger
    .sql(
      `SELECT s.uid, s.ended FROM projects p JOIN sessions s ON s.project = p.id WHERE p.key = ? AND ended IS NOT NULL`,
    )
    .all(project)
  return new Map(rows.map(({ uid, ended }) => [String(uid), Number(ended)]))
}
