// What the history of memories says about deleted sessions: versions with evidence of them, and the
// changes that wrote these. The texts are removed, not only hidden.
import type { Evidence, Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { memoryFromRow } from '../memories/memories.ts'
import type { ArchivedRow } from './session-rows.ts'

const cites = (column: string) =>
  `EXISTS (SELECT 1 FROM json_each(${column}, '$.evidence') e
     WHERE e.value ->> 'session' IN (SELECT value FROM json_each($uids)))`

/** Memories with evidence of one of these sessions. */
export function memoriesCiting(ledger: Ledger, uids: readonly string[]): Memory[] {
  return ledger
    .sql(
      `SELECT m.* FROM memories m WHERE EXISTS (SELECT 1 FROM json_each(m.evidence) e
         WHERE e.value ->> 'session' IN (SELECT value FROM json_each($uids))) ORDER BY m.number`,
    )
    .all({ uids: JSON.stringify(uids) })
    .map(memoryFromRow)
}

/** Memories that name one of these: as successor, as contradicted or in a link. */
export function memoriesNaming(ledger: Ledger, ids: readonly string[]): Memory[] {
  return ledger
    .sql(
      `WITH named AS MATERIALIZED (SELECT value AS id FROM json_each($ids))
       SELECT m.* FROM memories m WHERE m.superseded_by IN (SELECT id FROM named)
         OR m.contradicts IN (SELECT id FROM named)
         OR (m.links <> '[]' AND EXISTS (SELECT 1 FROM json_each(m.links) l
           WHERE substr(l.value, instr(l.value, ' ') + 1) IN (SELECT id FROM named)))
       ORDER BY m.number`,
    )
    .all({ ids: JSON.stringify(ids) })
    .map(memoryFromRow)
}

/**
 * Removes all versions of the removed memories, and the evidence of these sessions from all other
 * versions. `onRow` gets each row before it is changed. Call inside a transaction.
 */
export function removeFromHistory(
  ledger: Ledger,
  { removed, uids }: { removed: readonly string[]; uids: readonly string[] },
  onRow: (row: ArchivedRow) => void,
): void {
  const gone = new Set(removed)
  const sessions = new Set(uids)
  const touched = new Set<number>()
  const rows = ledger
    .sql(
      `SELECT change, memory, before, after FROM memory_versions
       WHERE memory IN (SELECT value FROM json_each($removed)) OR ${cites('before')} OR ${cites('after')}`,
    )
    .all({ removed: JSON.stringify(removed), uids: JSON.stringify(uids) })
  for (const row of rows) {
    onRow({ table: 'memory_versions', row: { ...row } as ArchivedRow['row'] })
    const [change, memory] = [Number(row.change), String(row.memory)]
    const [before, after] = [parsed(row.before), parsed(row.after)]
    if (gone.has(memory) || [before, after].every((version) => !version || isOnlyFrom(version, sessions))) {
      touched.add(change)
      ledger.sql('DELETE FROM memory_versions WHERE change = ? AND memory = ?').run(change, memory)
    } else {
      ledger
        .sql('UPDATE memory_versions SET before = ?, after = ? WHERE change = ? AND memory = ?')
        .run(withoutEvidence(before, sessions), withoutEvidence(after, sessions), change, memory)
    }
  }
  for (const change of touched) clearChange(ledger, change, onRow)
}

function parsed(version: unknown): Memory | undefined {
  return version === null ? undefined : (JSON.parse(String(version)) as Memory)
}

function isOnlyFrom({ evidence }: Memory, sessions: ReadonlySet<string>): boolean {
  return evidence.length > 0 && evidence.every((one) => isFrom(one, sessions))
}

export function isFrom({ session }: Evidence, sessions: ReadonlySet<string>): boolean {
  return session !== null && sessions.has(session)
}

function withoutEvidence(version: Memory | undefined, sessions: ReadonlySet<string>): string | null {
  if (!version) return null
  return JSON.stringify({ ...version, evidence: version.evidence.filter((one) => !isFrom(one, sessions)) })
}

/** A change of nothing else is removed; another one loses its line, which may quote a memory. */
function clearChange(ledger: Ledger, change: number, onRow: (row: ArchivedRow) => void): void {
  const row = ledger.sql('SELECT * FROM changes WHERE id = ?').get(change)
  if (!row) return
  onRow({ table: 'changes', row: { ...row } as ArchivedRow['row'] })
  const isEmpty = !ledger.sql('SELECT 1 FROM memory_versions WHERE change = ? LIMIT 1').get(change)
  if (isEmpty) ledger.sql('DELETE FROM changes WHERE id = ?').run(change)
  else if (row.kind !== 'learned') ledger.sql("UPDATE changes SET about = '(deleted)' WHERE id = ?").run(change)
}
