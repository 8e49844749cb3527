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
