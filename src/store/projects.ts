import type { Project } from '../core/project.ts'
import type { Ledger } from './ledger.ts'

export function saveProjectRow(ledger: Ledger, project: Project): number {
  const row = ledger
    .sql(
      `INSERT INTO projects (key, name, kind, domain) VALUES (?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET domain = excluded.domain RETURNING id`,
    )
    .get(project.key, project.name, project.kind, project.domain)
  return Number(row!.id)
}

export function projectKeys(ledger: Ledger): string[] {
  return ledger
    .sql('SELECT key FROM projects ORDER BY key')
    .all()
    .map((row) => String(row.key))
}

/** The project with a remote that a session in this folder belongs to. */
export function remoteProjectAt(ledger: Ledger, cwd: string): number | undefined {
  const row = ledger
    .sql(
      `SELECT p.id FROM sessions s JOIN projects p ON p.id = s.project
       WHERE s.cwd = ? AND p.kind = 'remote' ORDER BY s.id DESC LIMIT 1`,
    )
    .get(cwd)
  return row ? Number(row.id) : undefined
}

/** Sessions in this folder that were taken for a project of their own belong to the one whose remote is now known. */
export function adoptFolder(ledger: Ledger, cwd: string, project: number): void {
  ledger
    .sql(
      `UPDATE sessions SET project = ? WHERE cwd = ? AND project IN (SELECT id FROM projects WHERE kind <> 'remote')`,
    )
    .run(project, cwd)
  ledger
    .sql('DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions WHERE project IS NOT NULL) AND id <> ?')
    .run(project)
}
