import type { Project, ProjectIdentity } from '../../core/project/project.ts'
import { lastPart, projectNamesOf } from '../../core/project/project-names.ts'
import type { Ledger } from '../ledger.ts'
import { moveMemories } from '../memories/changes.ts'
import { projectsWithMemories } from '../memories/memories.ts'
import { jsonOrEmpty } from '../packed-json.ts'
import { addProjectsToCompile } from '../wiki/projects-to-compile.ts'
import { bodyFromRow, type SessionBody } from './bodies.ts'
import { moveCommits } from './commits.ts'

/** A folder that is known to be a repository stays one, also for sessions that do not tell. */
export function upsertProject(ledger: Ledger, project: Project): number {
  const row = ledger
    .sql(
      `INSERT INTO projects (key, name, kind, domain) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET domain = excluded.domain,
         kind = CASE excluded.kind WHEN 'folder' THEN kind ELSE excluded.kind END RETURNING id`,
    )
    .get(project.key, lastPart(project.key), project.kind, project.domain)
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
       WHERE s.ended >= (SELECT max(ended) FROM sessions) - ? AND +s.cwd IS NOT NULL GROUP BY s.cwd, p.key ORDER BY max(s.ended) DESC`,
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

/** Display names of all projects with sessions or memories, by key. */
export function projectNames(ledger: Ledger): Map<string, string> {
  const stored = ledger.sql('SELECT key, name FROM projects').all()
  const names = new Map(stored.map(({ key, name }) => [String(key), String(name)]))
  const unnamed = projectsWithMemories(ledger).filter((key) => key !== null && !names.has(key))
  if (unnamed.length === 0) return names
  const computed = projectNamesOf(allKeys(ledger))
  for (const key of unnamed) names.set(key!, computed.get(key!)!)
  return names
}

/** As pairs of key and name, in alphabetical order of names. */
export function projectsByName(ledger: Ledger): [key: string, name: string][] {
  const alphabetical = new Intl.Collator('en')
  return [...projectNames(ledger)].sort((a, b) => alphabetical.compare(a[1], b[1]))
}

/** Display name of one project, also of one that is not known yet. */
export function projectName(ledger: Ledger, key: string): string {
  const row = ledger.sql('SELECT name FROM projects WHERE key = ?').get(key)
  return row ? String(row.name) : (projectNames(ledger).get(key) ?? lastPart(key))
}

/**
 * Gives projects names by which they can be told apart, after some were added or removed. Briefs and
 * articles of renamed ones are written again.
 */
export function nameProjects(ledger: Ledger): void {
  const wanted = projectNamesOf(allKeys(ledger))
  const renamed = ledger
    .sql('SELECT key, name FROM projects')
    .all()
    .filter(({ key, name }) => wanted.get(String(key)) !== name)
    .map(({ key }) => String(key))
  for (const key of renamed) ledger.sql('UPDATE projects SET name = ? WHERE key = ?').run(wanted.get(key)!, key)
  markBriefsStale(ledger, renamed)
  addProjectsToCompile(ledger, renamed)
}

function allKeys(ledger: Ledger): string[] {
  return [...new Set([...projectKeys(ledger), ...projectsWithMemories(ledger).filter((key) => key !== null)])]
}

/** Gives sessions another project. */
export function moveSessions(ledger: Ledger, sessions: readonly number[], project: number): void {
  const ids = JSON.stringify(sessions)
  ledger.sql('UPDATE sessions SET project = ? WHERE id IN (SELECT value FROM json_each(?))').run(project, ids)
  ledger
    .sql(`UPDATE sessions SET journaled_through = -1 WHERE id IN (SELECT value FROM json_each(?)) AND ${hasPlainEntry}`)
    .run(ids)
  ledger.sql('INSERT OR IGNORE INTO briefs_due VALUES (?)').run(project)
}

/** Entries name the project. What a model or a person wrote is left as it is. */
const hasPlainEntry = `id IN (SELECT session FROM journal_entries WHERE written_by = 'digest')`

/** Has journal entries and articles of a project written again that link to its memory files. */
export function markLinksStale(ledger: Ledger, project: string): void {
  ledger
    .sql(
      `UPDATE sessions SET journaled_through = -1
       WHERE project = (SELECT id FROM projects WHERE key = ?) AND ${hasPlainEntry}`,
    )
    .run(project)
  addProjectsToCompile(ledger, [project])
}

/** Memories, articles, commits and publications move when the last session has left the old project. */
export function moveRestOfProject(ledger: Ledger, from: string, to: string, at: string): void {
  const isLeft = ledger
    .sql('SELECT 1 FROM sessions s JOIN projects p ON p.id = s.project WHERE p.key = ? LIMIT 1')
    .get(from)
  if (isLeft) return
  moveMemories(ledger, from, to, at)
  moveCommits(ledger, from, to)
  ledger.sql('UPDATE published SET project = ? WHERE project = ?').run(to, from)
  addProjectsToCompile(ledger, [from, to])
}

export function deleteUnusedProjects(ledger: Ledger): void {
  ledger.raw.exec(`
    DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions WHERE project IS NOT NULL);
    DELETE FROM briefs_due WHERE project NOT IN (SELECT id FROM projects);
    DELETE FROM briefs WHERE project NOT IN (SELECT id FROM projects)`)
}

/** Sessions of which the same is known. */
export interface LocatedSessions {
  ids: number[]
  cwd: string
  remote: string | null
  root: string | null
  project: ProjectIdentity | null
}

/** Sessions with a known folder and their current project, those with the latest session last. */
export function locatedSessions(ledger: Ledger): LocatedSessions[] {
  return ledger
    .sql(
      `SELECT json_group_array(s.id) AS ids, s.cwd, s.remote, s.root, p.key, p.kind
       FROM sessions s LEFT JOIN projects p ON p.id = s.project
       WHERE s.cwd IS NOT NULL GROUP BY s.cwd, s.remote, s.root, s.project ORDER BY max(s.id)`,
    )
    .all()
    .map((row) => ({
      ids: JSON.parse(String(row.ids)) as number[],
      cwd: String(row.cwd),
      remote: row.remote as string | null,
      root: row.root as string | null,
      project: row.key === null ? null : { key: String(row.key), kind: row.kind as Project['kind'] },
    }))
}

/** Whether sessions were added or have grown since projects were assigned. */
export function hasSessionsToLocate(ledger: Ledger): boolean {
  return ledger.sql('SELECT 1 FROM sessions WHERE events > located_through LIMIT 1').get() !== undefined
}

/** Whether some of these sessions are new. */
export function hasNewSessions(ledger: Ledger): boolean {
  const row = ledger.sql('SELECT 1 FROM sessions WHERE events > located_through AND located_through = 0 LIMIT 1').get()
  return row !== undefined
}

export function markLocated(ledger: Ledger): void {
  ledger.raw.exec('UPDATE sessions SET located_through = events WHERE events > located_through')
}

export interface UnknownPlace {
  id: number
  cwd: string
  /** Events before it were searched. */
  fromSeq: number
  body: SessionBody
}

/**
 * Sessions without a known repository that ran one of the commands since they were last searched. The
 * states are unpacked outside of SQL: what a function returns to a query stays in memory until the
 * query ends, and this one reads every new session.
 */
export function sessionsWithCommands(ledger: Ledger, commands: readonly string[]): UnknownPlace[] {
  const rows = ledger
    .sql(
      `SELECT s.id, s.cwd, s.located_through, s.body, s.body_bytes, s.body_raw, s.body_frames, s.copy_bytes, d.state
       FROM sessions s JOIN digests d ON d.session = s.id LEFT JOIN projects p ON p.id = s.project
       WHERE s.events > s.located_through AND s.remote IS NULL AND s.cwd IS NOT NULL AND s.body IS NOT NULL
         AND p.kind IS NOT 'remote'
       ORDER BY s.id`,
    )
    .iterate()
  const quoted = commands.map((command) => JSON.stringify(command))
  const found: UnknownPlace[] = []
  for (const row of rows) {
    const state = jsonOrEmpty(row.state)
    if (!quoted.some((command) => state.includes(command))) continue
    found.push({
      id: Number(row.id),
      cwd: String(row.cwd),
      fromSeq: Number(row.located_through),
      body: bodyFromRow(row)!,
    })
  }
  return found
}

/** What the agent itself recorded stays. */
export function saveRepository(ledger: Ledger, session: number, remote: string | null, root: string | null): void {
  ledger
    .sql('UPDATE sessions SET remote = coalesce(remote, ?), root = coalesce(root, ?) WHERE id = ?')
    .run(remote, root, session)
}

export function projectOfFolder(ledger: Ledger, cwd: string): string | undefined {
  const row = ledger
    .sql('SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project WHERE s.cwd = ? LIMIT 1')
    .get(cwd)
  return row ? String(row.key) : undefined
}
