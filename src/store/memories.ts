// Memories and everything that ever happened to them. Whoever changes one does it through `changeMemories`, so that each
// change has a before and an after, and can be taken back.
import type { Evidence, Memory } from '../core/memory.ts'
import { termsOf } from '../core/terms.ts'
import type { Ledger } from './ledger.ts'
import { bestPassages } from './passage-search.ts'
import { deleteLone, sourceOf, writePassages } from './passages.ts'

export type ChangeKind =
  | 'learned'
  | 'remembered'
  | 'imported'
  | 'edited'
  | 'forgotten'
  | 'reviewed'
  | 'moved'
  | 'taken back'
  | 'undone'

export interface Change {
  id: number
  at: string
  kind: ChangeKind
  /** One line for people. */
  about: string
  undoneBy: number | null
}

/** Writes memories as they are to be, as one change. Call it inside a transaction. */
export function changeMemories(ledger: Ledger, change: NewChange, memories: readonly Memory[]): number {
  const id = beginChange(ledger, change)
  for (const memory of memories) changeMemory(ledger, id, memory)
  return id
}

export type NewChange = Pick<Change, 'at' | 'kind' | 'about'>

/** A change whose memories are written one after the other, because the next depends on the last. */
export function beginChange(ledger: Ledger, { at, kind, about }: NewChange): number {
  const { lastInsertRowid } = ledger.sql('INSERT INTO changes (at, kind, about) VALUES (?, ?, ?)').run(at, kind, about)
  return Number(lastInsertRowid)
}

export function changeMemory(ledger: Ledger, change: number, memory: Memory): void {
  const before = memoryById(ledger, memory.id)
  keepVersion(ledger, change, memory.id, before, memory)
  writeMemory(ledger, memory)
  if (before && before.project !== memory.project) haveChanged(ledger, before.project)
}

export function memoryById(ledger: Ledger, id: string): Memory | undefined {
  const row = ledger.sql('SELECT * FROM memories WHERE id = ?').get(id)
  return row ? memoryOf(row) : undefined
}

/** By its id, or by a beginning of it that only one memory has. */
export function findMemories(ledger: Ledger, id: string): Memory[] {
  const exact = memoryById(ledger, id)
  if (exact) return [exact]
  return ledger
    .sql('SELECT * FROM memories WHERE substr(id, 1, length($id)) = $id ORDER BY id LIMIT 10')
    .all({ id })
    .map(memoryOf)
}

export interface MemoryFilter {
  /** Those of a project, and with `withGlobal` also those that hold everywhere; null for only the latter. */
  project?: string | null
  withGlobal?: boolean
  state?: Memory['state']
  kind?: string
  /** Leave out what has been superseded. */
  isCurrent?: boolean
  limit?: number
}

/** The last confirmed first. */
export function listMemories(ledger: Ledger, filter: MemoryFilter = {}): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories
       WHERE (NOT $hasProject OR project IS $project OR ($withGlobal AND project IS NULL))
         AND ($state IS NULL OR state = $state) AND ($kind IS NULL OR kind = $kind)
         AND (NOT $current OR superseded_by IS NULL)
       ORDER BY confirmed_at DESC, number DESC LIMIT $limit`,
    )
    .all({
      hasProject: filter.project === undefined ? 0 : 1,
      project: filter.project ?? null,
      withGlobal: filter.withGlobal ? 1 : 0,
      state: filter.state ?? null,
      kind: filter.kind ?? null,
      current: filter.isCurrent ? 1 : 0,
      limit: filter.limit ?? -1,
    })
    .map(memoryOf)
}

/** Memories that a session is evidence of. */
export function memoriesOfSession(ledger: Ledger, uid: string): Memory[] {
  return ledger
    .sql(
      `SELECT m.* FROM memories m
       WHERE EXISTS (SELECT 1 FROM json_each(m.evidence) e WHERE e.value ->> 'session' = ?) ORDER BY m.number`,
    )
    .all(uid)
    .map(memoryOf)
}

/** Memories that a memory superseded. */
export function supersededBy(ledger: Ledger, id: string): Memory[] {
  return ledger.sql('SELECT * FROM memories WHERE superseded_by = ? ORDER BY number').all(id).map(memoryOf)
}

/**
 * Memories of the project, or of no project, that share words with a text and are not superseded, in any state: the most alike
 * first. Only its longest words are looked for: they are the rarest, as a rule.
 */
export function memoriesLike(ledger: Ledger, text: string, project: string | null, limit = 20): Memory[] {
  const terms = [...new Set(termsOf(text))].filter((term) => !term.startsWith('~')).sort((a, b) => b.length - a.length)
  if (terms.length === 0) return []
  const match = terms
    .slice(0, mostTerms)
    .map((term) => `"${term}"`)
    .join(' OR ')
  // More than are wanted: some are superseded, or of another project.
  const ids = bestPassages(ledger, match, { kinds: ['memory'], ...(project === null ? {} : { project }) }, limit * 2)
  const numbers = [...new Set(ids.map((id) => numberOf(id)))]
  const found = new Map(
    ledger
      .sql(
        `SELECT * FROM memories WHERE number IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL
           AND (project IS ? OR project IS NULL)`,
      )
      .all(JSON.stringify(numbers), project)
      .map((row) => [Number(row.number), memoryOf(row)]),
  )
  return numbers.flatMap((number) => found.get(number) ?? []).slice(0, limit)
}

const mostTerms = 12

function numberOf(passage: number): number {
  const source = sourceOf(passage)
  return source.kind === 'memory' ? source.number : -1
}

/** By their numbers, in the order in which they are given. */
export function memoriesByNumber(ledger: Ledger, numbers: readonly number[]): Map<number, Memory> {
  return new Map(
    ledger
      .sql('SELECT * FROM memories WHERE number IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(numbers))
      .map((row) => [Number(row.number), memoryOf(row)]),
  )
}

/** A project that is now known by another name takes its memories along. Call it inside a transaction. */
export function moveMemories(ledger: Ledger, from: string, to: string, at: string): void {
  const moved = listMemories(ledger, { project: from }).map((memory) => ({
    ...memory,
    project: to,
    version: memory.version + 1,
  }))
  if (moved.length > 0) changeMemories(ledger, { at, kind: 'moved', about: `${from} is ${to}` }, moved)
}

export function reindexMemories(ledger: Ledger): void {
  for (const row of ledger.sql('SELECT * FROM memories').all()) indexMemory(ledger, Number(row.number), memoryOf(row))
}

export interface Version {
  change: Change
  before: Memory | null
  after: Memory | null
}

export function historyOf(ledger: Ledger, id: string): Version[] {
  return ledger
    .sql(
      `SELECT c.*, v.before, v.after FROM memory_versions v JOIN changes c ON c.id = v.change
       WHERE v.memory = ? ORDER BY c.id`,
    )
    .all(id)
    .map(versionOf)
}

export function versionsIn(ledger: Ledger, change: number): Version[] {
  return ledger
    .sql('SELECT c.*, v.before, v.after FROM memory_versions v JOIN changes c ON c.id = v.change WHERE c.id = ?')
    .all(change)
    .map(versionOf)
}

/** The newest first; `undone` ones and the undoing itself are in it. */
export function listChanges(ledger: Ledger, limit: number): Change[] {
  return ledger.sql('SELECT * FROM changes ORDER BY id DESC LIMIT ?').all(limit).map(changeOf)
}

export function changeById(ledger: Ledger, id: number): Change | undefined {
  const row = ledger.sql('SELECT * FROM changes WHERE id = ?').get(id)
  return row ? changeOf(row) : undefined
}

/** The last change that has not been taken back and is no taking back. */
export function lastChange(ledger: Ledger): Change | undefined {
  const row = ledger
    .sql(`SELECT * FROM changes WHERE undone_by IS NULL AND kind <> 'undone' ORDER BY id DESC LIMIT 1`)
    .get()
  return row ? changeOf(row) : undefined
}

/** Puts back what was there before a change, as a change of its own. Call it inside a transaction. */
export function undoChange(ledger: Ledger, change: Change, at: string): number {
  const undoing = beginChange(ledger, { at, kind: 'undone', about: change.about })
  for (const { before, after } of versionsIn(ledger, change.id)) {
    const id = (before ?? after)!.id
    const now = memoryById(ledger, id)
    keepVersion(ledger, undoing, id, now, before)
    if (before) writeMemory(ledger, before)
    else removeMemory(ledger, id)
    if (now && now.project !== before?.project) haveChanged(ledger, now.project)
  }
  ledger.sql('UPDATE changes SET undone_by = ? WHERE id = ?').run(undoing, change.id)
  // Taking back a taking back: the first change holds again.
  ledger.sql('UPDATE changes SET undone_by = NULL WHERE undone_by = ?').run(change.id)
  return undoing
}

/**
 * The changes since one that touched the same memories: they must be taken back first. One that came later and was taken back
 * again stands in nobody's way, and neither does its taking back.
 */
export function laterChanges(ledger: Ledger, change: number): Change[] {
  return ledger
    .sql(
      `SELECT DISTINCT c.* FROM memory_versions mine JOIN memory_versions later ON later.memory = mine.memory
       JOIN changes c ON c.id = later.change
       WHERE mine.change = $change AND c.id > $change AND c.undone_by IS NULL
         AND NOT EXISTS (SELECT 1 FROM changes taken WHERE taken.undone_by = c.id AND taken.id > $change)
       ORDER BY c.id DESC`,
    )
    .all({ change })
    .map(changeOf)
}

export function countMemories(ledger: Ledger): { kept: number; inbox: number; superseded: number; forgotten: number } {
  const row = ledger
    .sql(
      `SELECT coalesce(sum(state = 'kept' AND superseded_by IS NULL), 0) AS kept,
         coalesce(sum(state = 'inbox'), 0) AS inbox,
         coalesce(sum(state = 'kept' AND superseded_by IS NOT NULL), 0) AS superseded,
         coalesce(sum(state = 'forgotten'), 0) AS forgotten FROM memories`,
    )
    .get()!
  return {
    kept: Number(row.kept),
    inbox: Number(row.inbox),
    superseded: Number(row.superseded),
    forgotten: Number(row.forgotten),
  }
}

/** What is kept and holds, by kind; of one project, or of all. */
export function countByKind(ledger: Ledger, project?: string): Partial<Record<Memory['kind'], number>> {
  const rows = ledger
    .sql(
      `SELECT kind, count(*) AS count FROM memories
       WHERE state = 'kept' AND superseded_by IS NULL AND ($project IS NULL OR project = $project) GROUP BY kind`,
    )
    .all({ project: project ?? null })
  return Object.fromEntries(rows.map((row) => [String(row.kind), Number(row.count)]))
}

/** The projects whose memory files are older than their memories; null for memories that hold everywhere. */
export function memoryFilesDue(ledger: Ledger): (string | null)[] {
  return ledger
    .sql('SELECT project FROM memory_files_due ORDER BY project')
    .all()
    .map((row) => String(row.project) || null)
}

export function settleMemoryFiles(ledger: Ledger, project: string | null): void {
  ledger.sql('DELETE FROM memory_files_due WHERE project = ?').run(project ?? '')
}

export function filesAreDue(ledger: Ledger, project: string | null): void {
  ledger.sql('INSERT OR IGNORE INTO memory_files_due (project) VALUES (?)').run(project ?? '')
}

/** The memories of a project, or of all of them, are not what its files and its brief tell. */
function haveChanged(ledger: Ledger, project: string | null): void {
  filesAreDue(ledger, project)
  ledger
    .sql('INSERT OR IGNORE INTO briefs_due SELECT id FROM projects WHERE $project IS NULL OR key = $project')
    .run({ project })
}

/** Every project that has memories; null among them for those that hold everywhere. */
export function projectsWithMemories(ledger: Ledger): (string | null)[] {
  return ledger
    .sql('SELECT DISTINCT project FROM memories ORDER BY project')
    .all()
    .map((row) => row.project as string | null)
}

function keepVersion(ledger: Ledger, change: number, id: string, before: Memory | undefined, after: Memory | null) {
  ledger
    .sql(
      `INSERT INTO memory_versions (change, memory, before, after) VALUES (?, ?, ?, ?)
       ON CONFLICT (change, memory) DO UPDATE SET after = excluded.after`,
    )
    .run(change, id, before ? JSON.stringify(before) : null, after ? JSON.stringify(after) : null)
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
  'said',
  'shown',
  'used',
  'version',
  'origin',
]

/** What was counted meanwhile is no part of a change, and is not undone with one. */
const stated = columns.filter((name) => name !== 'shown' && name !== 'used')

const writing = `INSERT INTO memories (${columns.join(', ')}) VALUES (${columns.map((name) => `$${name}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${stated.map((name) => `${name} = excluded.${name}`).join(', ')} RETURNING number`

function writeMemory(ledger: Ledger, memory: Memory): void {
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
    said: memory.counts.said,
    shown: memory.counts.shown,
    used: memory.counts.used,
    version: memory.version,
    origin: memory.origin,
  })!
  // What was forgotten stays in it: it must be known again when somebody says it again.
  indexMemory(ledger, Number(number), memory)
  haveChanged(ledger, memory.project)
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
  deleteLone(ledger, { kind: 'memory', number })
}

function removeMemory(ledger: Ledger, id: string): void {
  const row = ledger.sql('DELETE FROM memories WHERE id = ? RETURNING number, project').get(id)
  if (!row) return
  unindexMemory(ledger, Number(row.number))
  haveChanged(ledger, row.project as string | null)
}

function memoryOf(row: Record<string, unknown>): Memory {
  const string = (name: string) => (row[name] as string | null) ?? null
  return {
    id: String(row.id),
    project: string('project'),
    type: row.type as Memory['type'],
    kind: row.kind as Memory['kind'],
    status: row.status as Memory['status'],
    state: row.state as Memory['state'],
    text: String(row.text),
    why: string('why'),
    apply: string('apply'),
    importance: Number(row.importance),
    tags: JSON.parse(String(row.tags)) as string[],
    keywords: JSON.parse(String(row.keywords)) as string[],
    evidence: JSON.parse(String(row.evidence)) as Evidence[],
    trust: row.trust as Memory['trust'],
    learnedAt: String(row.learned_at),
    validFrom: String(row.valid_from),
    confirmedAt: String(row.confirmed_at),
    supersededAt: string('superseded_at'),
    supersededBy: string('superseded_by'),
    contradicts: string('contradicts'),
    counts: { said: Number(row.said), shown: Number(row.shown), used: Number(row.used) },
    version: Number(row.version),
    origin: String(row.origin),
  }
}

function changeOf(row: Record<string, unknown>): Change {
  return {
    id: Number(row.id),
    at: String(row.at),
    kind: row.kind as ChangeKind,
    about: String(row.about),
    undoneBy: (row.undone_by as number | null) ?? null,
  }
}

function versionOf(row: Record<string, unknown>): Version {
  return {
    change: changeOf(row),
    before: row.before === null ? null : (JSON.parse(String(row.before)) as Memory),
    after: row.after === null ? null : (JSON.parse(String(row.after)) as Memory),
  }
}
