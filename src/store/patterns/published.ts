// Where practices were published, and until when: what measuring compares, and what removing looks for.
import type { Ledger } from '../ledger.ts'

export interface Publication {
  practice: string
  version: string
  agent: string
  /** Null for the user's own instructions, which hold everywhere. */
  project: string | null
  /** Where it really lies: people link one to another. */
  file: string
  atMs: number
  removedAtMs: number | null
}

/** All that ever was, the earliest first. */
export function allPublications(ledger: Ledger): Publication[] {
  return ledger
    .sql(
      `SELECT practice, version, agent, project, file, at AS atMs, removed_at AS removedAtMs FROM published ORDER BY at, id`,
    )
    .all() as unknown as Publication[]
}

/** What stands in files now, as far as we know. */
export function currentPublications(ledger: Ledger): Publication[] {
  return allPublications(ledger).filter(({ removedAtMs }) => removedAtMs === null)
}

export type PublishedPractice = Pick<Publication, 'practice' | 'version' | 'agent' | 'project'>

/** What stands in a file from now on; what stood there and no longer does is kept with the time until which it did. */
export function savePublications(
  ledger: Ledger,
  file: string,
  standing: readonly PublishedPractice[],
  { atMs, folders }: { atMs: number; folders: readonly string[] },
): void {
  const keyOf = ({ practice, version, agent, project }: PublishedPractice) =>
    JSON.stringify([practice, version, agent, project])
  const wanted = new Set(standing.map(keyOf))
  ledger.transaction(() => {
    const open = ledger
      .sql('SELECT id, practice, version, agent, project FROM published WHERE file = ? AND removed_at IS NULL')
      .all(file) as unknown as (PublishedPractice & { id: number })[]
    const there = new Set(open.map(keyOf))
    for (const row of open)
      if (!wanted.has(keyOf(row))) ledger.sql('UPDATE published SET removed_at = ? WHERE id = ?').run(atMs, row.id)
    for (const { practice, version, agent, project } of standing.filter((row) => !there.has(keyOf(row))))
      ledger
        .sql(
          'INSERT INTO published (practice, version, agent, project, file, at, folders) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(practice, version, agent, project, file, atMs, JSON.stringify(folders))
  })
}

/** Every folder that was made for a file. */
export function createdFolders(ledger: Ledger): string[] {
  const rows = ledger.sql('SELECT DISTINCT made.value AS folder FROM published, json_each(folders) made').all()
  return rows.map(({ folder }) => String(folder)).sort()
}

/** Which agents have worked where; a project is null for sessions that belong to none. */
export function agentsInProjects(ledger: Ledger): { agent: string; project: string | null }[] {
  return ledger
    .sql(
      `SELECT DISTINCT s.agent, p.key AS project FROM sessions s LEFT JOIN projects p ON p.id = s.project
       ORDER BY s.agent, p.key`,
    )
    .all() as unknown as { agent: string; project: string | null }[]
}
