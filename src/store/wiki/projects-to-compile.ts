// Which projects a build of the wiki has to compile anew.

import { deleteValue, readValue, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'

/** Projects whose memories were changed after a change, where they were and where they are; null for what holds everywhere. */
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

/** Projects whose sessions days of the journal tell of. */
export function projectsOfDays(ledger: Ledger, days: readonly string[]): string[] {
  return ledger
    .sql(
      `SELECT DISTINCT p.key FROM journal_entries e JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = s.project
       WHERE e.day IN (SELECT value FROM json_each(?)) ORDER BY p.key`,
    )
    .all(JSON.stringify(days))
    .map((row) => String(row.key))
}

/** Projects that the journal tells of. */
export function projectsInJournal(ledger: Ledger): string[] {
  return ledger
    .sql(
      `SELECT DISTINCT p.key FROM journal_entries e JOIN sessions s ON s.id = e.session JOIN projects p ON p.id = s.project
       ORDER BY p.key`,
    )
    .all()
    .map((row) => String(row.key))
}

/** Projects that have articles by rules. */
export function projectsWithArticles(ledger: Ledger): (string | null)[] {
  return ledger
    .sql(`SELECT DISTINCT project FROM articles WHERE kind = 'concept' AND topic IS NOT NULL ORDER BY project`)
    .all()
    .map((row) => row.project as string | null)
}

const toCompileKey = 'wiki projects due'

/** Projects to compile whatever has changed: a build of theirs was begun, or something that they link to is elsewhere now. */
export function projectsToCompile(ledger: Ledger): (string | null)[] {
  return (readValue(ledger, toCompileKey) as (string | null)[] | undefined) ?? []
}

export function addProjectsToCompile(ledger: Ledger, projects: readonly (string | null)[]): void {
  if (projects.length > 0) setProjectsToCompile(ledger, [...new Set([...projectsToCompile(ledger), ...projects])])
}

/** These and no others. */
export function setProjectsToCompile(ledger: Ledger, projects: readonly (string | null)[]): void {
  if (projects.length === 0) deleteValue(ledger, toCompileKey)
  else writeValue(ledger, toCompileKey, [...projects])
}

/** Projects that something was said in since a moment. */
export function projectsConfirmedSince(ledger: Ledger, since: string): (string | null)[] {
  return ledger
    .sql('SELECT DISTINCT project FROM memories WHERE confirmed_at >= ? ORDER BY project')
    .all(since)
    .map((row) => row.project as string | null)
}

/** When the journal was last written, as ISO time; undefined where it never was. */
export function lastJournalTime(ledger: Ledger): string | undefined {
  const row = ledger.sql('SELECT max(written_at) AS at FROM journal_entries').get()
  return (row?.at as string | null) ?? undefined
}
