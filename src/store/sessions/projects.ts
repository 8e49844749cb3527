import type { Project } from '../../core/project.ts'
import type { Ledger } from '../ledger.ts'
import { moveMemories } from '../memories/changes.ts'

export function upsertProject(ledger: Ledger, project: Project): number {
  const row = ledger
    .sql(
      `INSERT INTO projects (key, name, kind, domain) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET domain = excluded.domain, kind = excluded.kind, name = excluded.name RETURNING id`,
    )
    .get(project.key, project.name, project.kind, project.domain)
  return Number(row!.id)
}

export interface ProjectRow extends Pick<Project, 'key' | 'kind'> {
  id: number
}

export function allProjects(ledger: Ledger): ProjectRow[] {
  return ledger.sql('SELECT id, key, kind FROM projects ORDER BY key').all().map(projectFromRow)
}

/** Projects whose brief is older than their digests or memories. */
export function projectsWithStaleBrief(ledger: Ledger): ProjectRow[] {
  return ledger
    .sql('SELECT p.id, p.key, p.kind FROM briefs_due JOIN projects p ON p.id = briefs_due.project ORDER BY p.key')
    .all()
    .map(projectFromRow)
}

/** Has every brief written again, after a change that all of them mention. */
export function markAllBriefsStale(ledger: Ledger): void {
  ledger.raw.exec('INSERT OR IGNORE INTO briefs_due SELECT id FROM projects')
}

/** Has the briefs of these projects written again. */
export function markBriefsStale(ledger: Ledger, keys: readonly string[]): void {
  ledger
    .sql('INSERT OR IGNORE INTO briefs_due SELECT id FROM projects WHERE key IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(keys))
}

export function markBriefWritten(ledger: Ledger, project: number): void {
  ledger.sql('DELETE FROM briefs_due WHERE project = ?').run(project)
}

/** Folders in which sessions of the project ran. */
export function foldersOfProject(ledger: Ledger, project: number): string[] {
  return ledger
    .sql('SELECT DISTINCT cwd FROM sessions WHERE project = ? AND cwd IS NOT NULL ORDER BY cwd')
    .all(project)
    .map((row) => String(row.cwd))
}

/** Folders with sessions in the time before the newest session, latest first. */
export function recentFolders(ledger: Ledger, spanMs: number): { folder: string; project: string }[] {
  return ledger
    .sql(
      `SELECT s.cwd AS folder, p.key AS project FROM sessions s JOIN projects p ON p.id = s.project
       WHERE s.ended >= (SELECT max(ended) FROM sessions) - ? AND s.cwd IS NOT NULL GROUP BY s.cwd, p.key ORDER BY max(s.ended) DESC`,
    )
    .all(spanMs)
    .map((row) => ({ folder: String(row.folder), project: String(row.project) }))
}

function projectFromRow(row: Record<string, unknown>): ProjectRow {
  return { id: Number(row.id), key: String(row.key), kind: row.kind as Project['kind'] }
}

export function projectKeys(ledger: Ledger): string[] {
  return ledger
    .sql('SELECT key FROM projects ORDER BY key')
    .all()
    .map((row) => String(row.key))
}

/** Display names of projects, by key. */
export function projectNames(ledger: Ledger): Map<string, string> {
  const rows = ledger.sql('SELECT key, name FROM projects').all()
  return new Map(rows.map((row) => [String(row.key), String(row.name)]))
}

/** The project with a remote that sessions in this folder belong to. */
export function remoteProjectOfFolder(ledger: Ledger, cwd: string): number | undefined {
  const row = ledger
    .sql(
      `SELECT p.id FROM sessions s JOIN projects p ON p.id = s.project
       WHERE s.cwd = ? AND p.kind = 'remote' ORDER BY s.id DESC LIMIT 1`,
    )
    .get(cwd)
  return row ? Number(row.id) : undefined
}

/** Moves sessions in this folder from folder-based projects to the project of its remote. */
export function moveFolderToProject(ledger: Ledger, cwd: string, project: number, at: string): void {
  const left = ledger
    .sql(
      `SELECT DISTINCT p.id, p.key FROM sessions s JOIN projects p ON p.id = s.project
       WHERE s.cwd = ? AND p.kind <> 'remote'`,
    )
    .all(cwd)
  ledger
    .sql(
      `UPDATE sessions SET project = ? WHERE cwd = ? AND project IN (SELECT id FROM projects WHERE kind <> 'remote')`,
    )
    .run(project, cwd)
  for (const { id, key } of left) moveMemoriesIfEmpty(ledger, Number(id), String(key), project, at)
}

/** Memories move when the last session has left the old project. */
function moveMemoriesIfEmpty(ledger: Ledger, old: number, oldKey: string, project: number, at: string): void {
  if (ledger.sql('SELECT 1 FROM sessions WHERE project = ? LIMIT 1').get(old)) return
  const { key } = ledger.sql('SELECT key FROM projects WHERE id = ?').get(project)!
  moveMemories(ledger, oldKey, String(key), at)
}

export function deleteUnusedProjects(ledger: Ledger): void {
  ledger.raw.exec(`
    DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions WHERE project IS NOT NULL);
    DELETE FROM briefs_due WHERE project NOT IN (SELECT id FROM projects);
    DELETE FROM briefs WHERE project NOT IN (SELECT id FROM projects)`)
}

export interface LocatedSession {
  id: number
  cwd: string
  remote: string | null
  project: Pick<Project, 'key' | 'kind'> | null
}

/** Sessions with a known folder and their current project. */
export function locatedSessions(ledger: Ledger): LocatedSession[] {
  return ledger
    .sql(
      `SELECT s.id, s.cwd, s.remote, p.key, p.kind FROM sessions s LEFT JOIN projects p ON p.id = s.project
       WHERE s.cwd IS NOT NULL ORDER BY s.id`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      cwd: String(row.cwd),
      remote: row.remote as string | null,
      project: row.key === null ? null : { key: String(row.key), kind: row.kind as Project['kind'] },
    }))
}

export function projectOfFolder(ledger: Ledger, cwd: string): string | undefined {
  const row = ledger
    .sql('SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project WHERE s.cwd = ? LIMIT 1')
    .get(cwd)
  return row ? String(row.key) : undefined
}
