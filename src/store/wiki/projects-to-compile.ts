// Determines which projects the next wiki build has to compile.

import type { Json } from '../../core/session.ts'
import { deleteValue, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'

/**
 * Projects before and after the changes of memories since a change; null for memories of no
 * project.
 */
export function projectsOfChanges(ledger: Ledger, change: number): (string | null)[] {
  return ledger
    .sql(
      `SELECT DISTINCT project FROM (
         SELECT m.project FROM memory_versions v JOIN memories m ON m.id = v.memory WHERE v.change > $change
         UNION SELECT v.before ->> '$.project' FROM memory_versions v WHERE v.change > $change AND v.before IS NOT NULL)
       ORDER BY project`,
    )
    .all({ change })
    .map((row) => row.project as string | null)
}

/** Projects of the sessions in these days of the journal. */
export function projectsOfDays(ledger: Ledger, days: readonly string[]): string[] {
  return ledger
    .sql(
      `SELECT DISTINCT p.key FROM journal_entries e JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = s.project
       WHERE e.day IN (SELECT value FROM json_each(?)) ORDER BY p.key`,
    )
    .all(JSON.stringify(days))
    .map((row) => String(row.key))
}

/** Projects that have compiled articles. */
export function projectsWithArticles(ledger: Ledger): (string | null)[] {
  return ledger
    .sql(
      `SELECT DISTINCT project FROM articles WHERE kind <> 'answer' AND (topic IS NOT NULL OR sections <> '{}') ORDER BY project`,
    )
    .all()
    .map((row) => row.project as string | null)
}

const toCompileKey = 'wiki projects due'

/**
 * Projects to compile even without changes: a build was interrupted, or a link target has moved.
 */
export function projectsToCompile(ledger: Ledger): (string | null)[] {
  return readChecked<(string | null)[]>(ledger, toCompileKey, isProjectList) ?? []
}

function isProjectList(value: Json): boolean {
  return Array.isArray(value) && value.every((project) => project === null || typeof project === 'string')
}

export function addProjectsToCompile(ledger: Ledger, projects: readonly (string | null)[]): void {
  if (projects.length > 0) setProjectsToCompile(ledger, [...new Set([...projectsToCompile(ledger), ...projects])])
}

/** Replaces the list. */
export function setProjectsToCompile(ledger: Ledger, projects: readonly (string | null)[]): void {
  if (projects.length === 0) deleteValue(ledger, toCompileKey)
  else writeValue(ledger, toCompileKey, [...projects])
}

/** Projects with memories confirmed since a time. */
export function projectsConfirmedSince(ledger: Ledger, since: string): (string | null)[] {
  return ledger
    .sql('SELECT DISTINCT project FROM memories WHERE confirmed_at >= ? ORDER BY project')
    .all(since)
    .map((row) => row.project as string | null)
}

/** Time of the last journal entry; undefined when there is none. */
export function lastJournalTime(ledger: Ledger): string | undefined {
  const row = ledger.sql('SELECT max(written_at) AS at FROM journal_entries').get()
  return (row?.at as string | null) ?? undefined
}
