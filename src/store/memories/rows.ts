// Writes the row of a memory, updates its passages in the search index, and marks files, briefs and
// the outbox that depend on it.
import { memoryFieldEntries } from '../../memory/fields.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { dateStandalone, deleteStandalone, replaceStandalone } from '../search/passages.ts'
import { enqueue, enqueueWithdrawal, ownSpace } from '../sync/outbox.ts'
import { memoryFromRow, memoryToRow } from './memories.ts'

export function reindexMemories(ledger: Ledger): void {
  for (const row of ledger.sql('SELECT * FROM memories').all())
    indexMemory(ledger, Number(row.number), memoryFromRow(row))
}

/** Projects whose memory files are older than their memories; null for memories of no project. */
export function projectsWithStaleFiles(ledger: Ledger): (string | null)[] {
  return ledger
    .sql('SELECT project FROM memory_files_due ORDER BY project')
    .all()
    .map((row) => String(row.project) || null)
}

export function markFilesWritten(ledger: Ledger, project: string | null): void {
  ledger.sql('DELETE FROM memory_files_due WHERE project = ?').run(project ?? '')
}

export function markFilesStale(ledger: Ledger, project: string | null): void {
  ledger.sql('INSERT OR IGNORE INTO memory_files_due (project) VALUES (?)').run(project ?? '')
}

/** Marks the files and the brief of a project, or of all projects (null), as out of date. */
export function markMemoriesChanged(ledger: Ledger, project: string | null): void {
  markFilesStale(ledger, project)
  ledger
    .sql('INSERT OR IGNORE INTO briefs_due SELECT id FROM projects WHERE $project IS NULL OR key = $project')
    .run({ project })
}

const columns = memoryFieldEntries.map(([, { column }]) => column)

/** Use counts change apart from the memory, so a change or its undo leaves them alone. */
const statedColumns = columns.filter((column) => column !== 'shown' && column !== 'used')

const addSql = `INSERT INTO memories (${columns.join(', ')}) VALUES (${columns.map((column) => `$${column}`).join(', ')})
  RETURNING number`

/** What the search index holds of a memory. */
const indexedColumns = ['text', 'why', 'apply', 'keywords', 'tags']

export function writeMemory(ledger: Ledger, memory: Memory): void {
  const row = memoryToRow(memory)
  const known = ledger.sql('SELECT * FROM memories WHERE id = ?').get(memory.id)
  // Forgotten memories stay indexed, so that they are recognised when they are said again.
  if (!known) indexMemory(ledger, Number(ledger.sql(addSql).get(row)!.number), memory)
  else updateMemory(ledger, known, row, memory)
  markMemoriesChanged(ledger, memory.project)
  if (memory.state === 'candidate') enqueueWithdrawal(ledger, ownSpace, 'memory', memory.id)
  else enqueue(ledger, memory.space ?? ownSpace, 'memory', memory.id)
}

/** Only what differs: a memory that was said again has the same text, and most indexes keep their entry. */
function updateMemory(
  ledger: Ledger,
  known: Record<string, unknown>,
  row: ReturnType<typeof memoryToRow>,
  memory: Memory,
): void {
  const number = Number(known.number)
  const changed = statedColumns.filter((column) => known[column] !== row[column])
  if (changed.length > 0)
    ledger
      .sql(`UPDATE memories SET ${changed.map((column) => `${column} = ?`).join(', ')} WHERE number = ?`)
      .run(...changed.map((column) => row[column]!), number)
  if (changed.some((column) => indexedColumns.includes(column))) indexMemory(ledger, number, memory)
  else if (changed.includes('confirmed_at')) dateStandalone(ledger, { kind: 'memory', number }, indexedTime(memory))
}

const insertSql = `INSERT OR IGNORE INTO memories (number, ${columns.join(', ')})
  VALUES ($number, ${columns.map((column) => `$${column}`).join(', ')})`

/** Writes a memory that was removed, under its old number if that is free: lists are ordered by it. */
export function restoreMemoryRow(ledger: Ledger, memory: Memory, number: number): void {
  const { changes } = ledger.sql(insertSql).run({ number, ...memoryToRow(memory) })
  if (changes === 1) indexMemory(ledger, number, memory)
  writeMemory(ledger, memory)
}

export function memoryNumber(ledger: Ledger, id: string): number {
  return Number(ledger.sql('SELECT number FROM memories WHERE id = ?').get(id)!.number)
}

function indexMemory(ledger: Ledger, number: number, memory: Memory): void {
  const { text, why, apply, keywords, tags } = memory
  const said = [text, why, apply].filter(Boolean).join('\n')
  const source = { kind: 'memory' as const, number }
  const done = [...keywords, ...tags].join(' ')
  replaceStandalone(ledger, { source, role: 'note', ts: indexedTime(memory), said, done })
}

function indexedTime({ confirmedAt }: Memory): number {
  return Date.parse(confirmedAt)
}

function unindexMemory(ledger: Ledger, number: number): void {
  deleteStandalone(ledger, { kind: 'memory', number })
}

/** Candidates that were neither found nor said again since a time. */
export function expiredCandidates(ledger: Ledger, before: string): string[] {
  return ledger
    .sql(`SELECT id FROM memories WHERE state = 'candidate' AND learned_at < $before AND confirmed_at < $before`)
    .all({ before })
    .map((row) => String(row.id))
}

export function removeMemory(ledger: Ledger, id: string): void {
  const row = ledger.sql('DELETE FROM memories WHERE id = ? RETURNING number, project, space, state').get(id)
  if (!row) return
  unindexMemory(ledger, Number(row.number))
  markMemoriesChanged(ledger, row.project as string | null)
  if (row.state === 'candidate') enqueueWithdrawal(ledger, ownSpace, 'memory', id)
  else enqueue(ledger, (row.space as string | null) ?? ownSpace, 'memory', id)
}
