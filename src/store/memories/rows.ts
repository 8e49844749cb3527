// Writes the row of a memory, updates its passages in the search index, and marks files, briefs and
// the outbox that depend on it.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { deleteStandalone, writePassages } from '../search/passages.ts'
import { enqueue, ownSpace } from '../sync/outbox.ts'
import { memoryFromRow } from './memories.ts'

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

const columns = [
  'id',
  'project',
  'type',
  'kind',
  'status',
  'state',
  'text',
  'why',
  'apply',
  'importance',
  'tags',
  'keywords',
  'evidence',
  'trust',
  'learned_at',
  'valid_from',
  'confirmed_at',
  'superseded_at',
  'superseded_by',
  'contradicts',
  'doubt',
  'said',
  'shown',
  'used',
  'version',
  'origin',
  'space',
  'author',
]

/** What was counted meanwhile is no part of a change, and is not undone with one. */
const stated = columns.filter((name) => name !== 'shown' && name !== 'used')

const writing = `INSERT INTO memories (${columns.join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${stated.map((name) => `${name} = excluded.${name}`).join(', ')} RETURNING number`

export function writeMemory(ledger: Ledger, memory: Memory): void {
  const { number } = ledger.sql(writing).get({
    id: memory.id,
    project: memory.project,
    type: memory.type,
    kind: memory.kind,
    status: memory.status,
    state: memory.state,
    text: memory.text,
    why: memory.why,
    apply: memory.apply,
    importance: memory.importance,
    tags: JSON.stringify(memory.tags),
    keywords: JSON.stringify(memory.keywords),
    evidence: JSON.stringify(memory.evidence),
    trust: memory.trust,
    learned_at: memory.learnedAt,
    valid_from: memory.validFrom,
    confirmed_at: memory.confirmedAt,
    superseded_at: memory.supersededAt,
    superseded_by: memory.supersededBy,
    contradicts: memory.contradicts,
    // A version from before there were doubts has none.
    doubt: memory.doubt ?? null,
    said: memory.counts.said,
    shown: memory.counts.shown,
    used: memory.counts.used,
    version: memory.version,
    origin: memory.origin,
    // A version from before there were servers is one's own.
    space: memory.space ?? null,
    author: memory.author ?? null,
  })!
  // What was forgotten stays in it: it must be known again when somebody says it again.
  indexMemory(ledger, Number(number), memory)
  markMemoriesChanged(ledger, memory.project)
  enqueue(ledger, memory.space ?? ownSpace, 'memory', memory.id)
}

function indexMemory(ledger: Ledger, number: number, memory: Memory): void {
  unindexMemory(ledger, number)
  const { text, why, apply, keywords, tags, confirmedAt } = memory
  const said = [text, why, apply].filter(Boolean).join('\n')
  const source = { kind: 'memory' as const, number }
  const done = [...keywords, ...tags].join(' ')
  writePassages(ledger, { source, role: 'note', ts: Date.parse(confirmedAt), said, done }, null)
}

function unindexMemory(ledger: Ledger, number: number): void {
  deleteStandalone(ledger, { kind: 'memory', number })
}

export function removeMemory(ledger: Ledger, id: string): void {
  const row = ledger.sql('DELETE FROM memories WHERE id = ? RETURNING number, project, space').get(id)
  if (!row) return
  unindexMemory(ledger, Number(row.number))
  markMemoriesChanged(ledger, row.project as string | null)
  enqueue(ledger, (row.space as string | null) ?? ownSpace, 'memory', id)
}
