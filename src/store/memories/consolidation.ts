// What consolidation asks the ledger: whether enough has happened, and what people have decided that it must not do again.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'

/** How many sessions have grown besides the one that grew last, which may be going on. */
export function countSessionsGrownSince(ledger: Ledger, at: string | null): number {
  const row = ledger
    .sql(
      `SELECT max(count(*) - 1, 0) AS count FROM sessions
       WHERE kind <> 'subagent' AND ($at IS NULL OR captured_at > $at)`,
    )
    .get({ at })
  return Number(row!.count)
}

export interface VersionPair {
  before: Memory
  after: Memory
}

/** What consolidation did to memories and a person took back. */
export function undoneConsolidations(ledger: Ledger): VersionPair[] {
  return ledger
    .sql(
      `SELECT v.before, v.after FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'consolidated' AND c.undone_by IS NOT NULL AND v.before IS NOT NULL AND v.after IS NOT NULL`,
    )
    .all()
    .map(versionPairOf)
}

/** Memories of which a person took away the doubt, as they were before. */
export function rejectedDoubts(ledger: Ledger): Memory[] {
  return ledger
    .sql(
      `SELECT v.before, v.after FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'edited' AND c.undone_by IS NULL AND v.before ->> 'doubt' IS NOT NULL AND v.after ->> 'doubt' IS NULL`,
    )
    .all()
    .map((row) => versionPairOf(row).before)
}

/** Pairs that a person let stand side by side. */
export function acceptedContradictions(ledger: Ledger): [string, string][] {
  return ledger
    .sql(
      `SELECT v.memory, v.before ->> 'contradicts' AS other FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'reviewed' AND c.undone_by IS NULL AND v.before ->> 'contradicts' IS NOT NULL
         AND v.after ->> 'state' = 'kept'`,
    )
    .all()
    .map((row) => [String(row.memory), String(row.other)])
}

/** A memory as it was first written. */
export function firstVersion(ledger: Ledger, id: string): Memory | undefined {
  const row = ledger
    .sql(
      'SELECT after FROM memory_versions WHERE memory = ? AND before IS NULL AND after IS NOT NULL ORDER BY change LIMIT 1',
    )
    .get(id)
  return row ? (JSON.parse(String(row.after)) as Memory) : undefined
}

/** Folders that sessions of a project ran in, the last first. */
export function foldersByLastSession(ledger: Ledger, project: string): string[] {
  return ledger
    .sql(
      `SELECT s.cwd FROM sessions s JOIN projects p ON p.id = s.project
       WHERE p.key = ? AND s.cwd IS NOT NULL GROUP BY s.cwd ORDER BY max(s.ended) DESC`,
    )
    .all(project)
    .map((row) => String(row.cwd))
}

function versionPairOf(row: Record<string, unknown>): VersionPair {
  return { before: JSON.parse(String(row.before)) as Memory, after: JSON.parse(String(row.after)) as Memory }
}
