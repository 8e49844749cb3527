// Records which session changed which file, and where. Stored beside the digest, so that a file
// leads to its sessions without reading a body, also after eviction. The table is called `touched`.
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'
import type { StoredEvent } from './bodies.ts'
import { eventRowId } from './events.ts'

/**
 * Adds an edit. Each event must be added once and in order: call `deleteFileEdits` before starting
 * a session again.
 */
export function saveFileEdit(
  ledger: Ledger,
  session: number,
  { seq, files }: Pick<StoredEvent, 'seq' | 'files'>,
): void {
  for (const { path, added, removed } of files ?? []) {
    ledger
      .sql(
        `INSERT INTO touched (session, path, times, added, removed, first, last)
         VALUES ($session, $path, 1, $added, $removed, $seq, $seq)
         ON CONFLICT (session, path) DO UPDATE SET
           times = times + 1, added = added + excluded.added, removed = removed + excluded.removed, last = excluded.last`,
      )
      .run({ session, path, added: added ?? 0, removed: removed ?? 0, seq })
  }
}

export function deleteFileEdits(ledger: Ledger, session: number): void {
  ledger.sql('DELETE FROM touched WHERE session = ?').run(session)
}

/** Files that a session changed, the latest change first; `last` is null when only an old digest knows of it. */
export function editsIn(ledger: Ledger, uid: string): Pick<EditedFile, 'path' | 'times' | 'last'>[] {
  return ledger
    .sql(
      `SELECT t.path, t.times, t.last FROM touched t JOIN sessions s ON s.id = t.session
       WHERE s.uid = ? ORDER BY t.last DESC NULLS LAST, t.path`,
    )
    .all(uid)
    .map((row) => ({ path: String(row.path), times: Number(row.times), last: row.last as number | null }))
}

/** A file that a session changed. */
export interface EditedFile {
  session: number
  uid: string
  cwd: string | null
  /** Path as the agent wrote it: absolute or relative, with the separators of its machine. */
  path: string
  times: number
  added: number
  removed: number
  /** Places of the first and last change; null when only an old digest knows of it. */
  first: number | null
  last: number | null
  firstAt: string | null
  lastAt: string | null
}

export interface EditedFileFilter {
  /** File name without folders. */
  name: string
  project: string | null
  /** Also matches this path in sessions of other projects. */
  absolute: string | null
}

const span = eventRowId(1, 0)

/** Files with a name that sessions of a project changed, in any folder, latest first. */
export function editedFilesNamed(ledger: Ledger, { name, project, absolute }: EditedFileFilter): EditedFile[] {
  return ledger
    .sql(
      `SELECT t.session, s.uid, s.cwd, t.path, t.times, t.added, t.removed, t.first, t.last,
         coalesce(first.ts, s.started) AS first_at, coalesce(last.ts, s.ended) AS last_at
       FROM touched t JOIN sessions s ON s.id = t.session LEFT JOIN projects p ON p.id = s.project
       LEFT JOIN events first ON first.id = t.session * ${span} + t.first
       LEFT JOIN events last ON last.id = t.session * ${span} + t.last
       WHERE t.name = $name AND (p.key = $project OR t.path = $absolute)
       ORDER BY last_at DESC NULLS LAST, t.session DESC, t.path`,
    )
    .all({ name, project, absolute })
    .map((row) => ({
      session: Number(row.session),
      uid: String(row.uid),
      cwd: row.cwd as string | null,
      path: String(row.path),
      times: Number(row.times),
      added: Number(row.added),
      removed: Number(row.removed),
      first: row.first as number | null,
      last: row.last as number | null,
      firstAt: row.first_at === null ? null : isoTime(Number(row.first_at)),
      lastAt: row.last_at === null ? null : isoTime(Number(row.last_at)),
    }))
}

export interface EditedFileTotals {
  path: string
  project: string | null
  sessions: number
  added: number
  removed: number
  lastAt: string | null
}

/** Files that sessions changed, the latest first; all words must be in the path. */
export function changedFiles(ledger: Ledger, words: readonly string[], limit: number): EditedFileTotals[] {
  return ledger
    .sql(
      `SELECT t.path, p.key AS project, count(*) AS sessions, sum(t.added) AS added, sum(t.removed) AS removed,
         max(s.ended) AS last_at
       FROM touched t JOIN sessions s ON s.id = t.session LEFT JOIN projects p ON p.id = s.project
       WHERE NOT EXISTS (SELECT 1 FROM json_each(?) word WHERE instr(lower(t.path), word.value) = 0)
       GROUP BY t.path, p.key ORDER BY last_at DESC NULLS LAST, t.path LIMIT ?`,
    )
    .all(JSON.stringify(words.map((word) => word.toLowerCase())), limit)
    .map((row) => ({
      path: String(row.path),
      project: row.project as string | null,
      sessions: Number(row.sessions),
      added: Number(row.added),
      removed: Number(row.removed),
      lastAt: row.last_at === null ? null : isoTime(Number(row.last_at)),
    }))
}

/** A session that was active at a moment. */
export interface ActiveSession {
  session: number
  uid: string
  /** Its first event in the time range. */
  fromSeq: number
}

/** Sessions of a project with events within some time before and after a moment. */
export function sessionsActiveAt(ledger: Ledger, project: string, ms: number, withinMs: number): ActiveSession[] {
  return ledger
    .sql(
      `SELECT s.id, s.uid, min(e.id) AS first FROM sessions s JOIN projects p ON p.id = s.project
       JOIN events e ON e.id BETWEEN s.id * ${span} AND (s.id + 1) * ${span} - 1 AND e.ts BETWEEN $ms - $within AND $ms + $within
       WHERE p.key = $project AND s.ended >= $ms - $within AND s.started <= $ms + $within AND s.body IS NOT NULL
       GROUP BY s.id ORDER BY s.id`,
    )
    .all({ project, ms, within: withinMs })
    .map((row) => ({ session: Number(row.id), uid: String(row.uid), fromSeq: Number(row.first) % span }))
}
