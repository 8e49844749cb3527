// Reads memories: by id, by filter and by similar words. Writes go through changes.ts.
import { type FlatMemory, flatten, type MemoryField, memoryFieldEntries } from '../../memory/fields.ts'
import type { Memory } from '../../memory/memory.ts'
import { termsOf } from '../../text/terms.ts'
import type { Ledger } from '../ledger.ts'
import { bestPassages } from '../search/passage-search.ts'
import { passageSource } from '../search/passages.ts'

export function memoryById(ledger: Ledger, id: string): Memory | undefined {
  const row = ledger.sql('SELECT * FROM memories WHERE id = ?').get(id)
  return row ? memoryFromRow(row) : undefined
}

/** Finds by id, or by a prefix of the id. */
export function findMemories(ledger: Ledger, id: string): Memory[] {
  const exact = memoryById(ledger, id)
  if (exact) return [exact]
  return ledger
    .sql('SELECT * FROM memories WHERE substr(id, 1, length($id)) = $id ORDER BY id LIMIT 10')
    .all({ id })
    .map(memoryFromRow)
}

export interface MemoryFilter {
  /**
   * Memories of a project, with `withGlobal` also those of no project; null for only the latter.
   */
  project?: string | null
  withGlobal?: boolean
  state?: Memory['state']
  kind?: string
  /** In any case. */
  tag?: string
  /** Excludes superseded memories. */
  isCurrent?: boolean
  limit?: number
}

/** Most recently confirmed first. */
export function listMemories(ledger: Ledger, filter: MemoryFilter = {}): Memory[] {
  const { project, state = null, kind = null, tag = null, limit = -1 } = filter
  // Only the conditions that apply: SQLite uses no index for one that a parameter may switch off.
  const conditions = ['TRUE']
  if (project !== undefined) conditions.push(filter.withGlobal ? '(project IS ? OR project IS NULL)' : 'project IS ?')
  if (state !== null) conditions.push('state = ?')
  if (kind !== null) conditions.push('kind = ?')
  if (tag !== null) conditions.push('EXISTS (SELECT 1 FROM json_each(tags) t WHERE lower(t.value) = lower(?))')
  if (filter.isCurrent) conditions.push('superseded_by IS NULL')
  const values = [...(project === undefined ? [] : [project]), ...[state, kind, tag].filter((value) => value !== null)]
  return ledger
    .sql(`SELECT * FROM memories WHERE ${conditions.join(' AND ')} ORDER BY confirmed_at DESC, number DESC LIMIT ?`)
    .all(...values, limit)
    .map(memoryFromRow)
}

export function memoriesOfSession(ledger: Ledger, uid: string): Memory[] {
  return ledger
    .sql(
      `SELECT m.* FROM memory_sessions s JOIN memories m ON m.number = s.memory WHERE s.session = ? ORDER BY m.number`,
    )
    .all(uid)
    .map(memoryFromRow)
}

export function memoriesSupersededBy(ledger: Ledger, id: string): Memory[] {
  return ledger.sql('SELECT * FROM memories WHERE superseded_by = ? ORDER BY number').all(id).map(memoryFromRow)
}

/** Memories with a link to this one; those that it supersedes are not among them. */
export function memoriesLinkedTo(ledger: Ledger, id: string): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories m WHERE m.links <> '[]' AND state <> 'forgotten'
         AND EXISTS (SELECT 1 FROM json_each(m.links) l WHERE substr(l.value, instr(l.value, ' ') + 1) = ?)
       ORDER BY m.number`,
    )
    .all(id)
    .map(memoryFromRow)
}

/**
 * Memories of the project or of no project, or of all, that share words with a text and are not
 * superseded, in any state, most similar first. Only the longest words are searched, because they
 * are usually the rarest.
 */
export function similarMemories(
  ledger: Ledger,
  text: string,
  project: string | null,
  limit = 20,
  { ofAllProjects = false } = {},
): Memory[] {
  const terms = [...new Set(termsOf(text))].filter((term) => !term.startsWith('~')).sort((a, b) => b.length - a.length)
  if (terms.length === 0) return []
  const match = { any: terms.slice(0, maxTerms), maxPostings }
  // Fetches twice as many, because some are superseded or of another project.
  const ids = bestPassages(ledger, match, { kinds: ['memory'], ...(project === null ? {} : { project }) }, limit * 2)
  const numbers = [...new Set(ids.map((id) => numberOf(id)))]
  const found = new Map(
    ledger
      .sql(
        `SELECT * FROM memories WHERE number IN (SELECT value FROM json_each(?)) AND superseded_by IS NULL
           AND (? OR project IS ? OR project IS NULL)`,
      )
      .all(JSON.stringify(numbers), ofAllProjects ? 1 : 0, project)
      .map((row) => [Number(row.number), memoryFromRow(row)]),
  )
  return numbers.flatMap((number) => found.get(number) ?? []).slice(0, limit)
}

const maxTerms = 12
/** Learning compares every statement: without a limit, the time for it would grow with the square of the memories. */
const maxPostings = 10_000

function numberOf(passage: number): number {
  const source = passageSource(passage)
  return source.kind === 'memory' ? source.number : -1
}

export function memoriesByNumber(ledger: Ledger, numbers: readonly number[]): Map<number, Memory> {
  return new Map(
    ledger
      .sql('SELECT * FROM memories WHERE number IN (SELECT value FROM json_each(?))')
      .all(JSON.stringify(numbers))
      .map((row) => [Number(row.number), memoryFromRow(row)]),
  )
}

export type MemoryCounts = Record<'kept' | 'candidates' | 'inbox' | 'superseded' | 'forgotten', number>

export function countMemories(ledger: Ledger): MemoryCounts {
  const row = ledger
    .sql(
      // Each part is counted in an index; the rows of tens of thousands of candidates are long.
      `SELECT (SELECT count(*) FROM memories WHERE state = 'kept' AND superseded_by IS NULL) AS kept,
         (SELECT count(*) FROM memories WHERE state = 'candidate' AND superseded_by IS NULL) AS candidates,
         coalesce(sum(state = 'inbox'), 0) AS inbox, coalesce(sum(state = 'kept'), 0) AS ever_kept,
         coalesce(sum(state = 'forgotten'), 0) AS forgotten FROM memories INDEXED BY memories_by_project`,
    )
    .get()!
  return {
    kept: Number(row.kept),
    candidates: Number(row.candidates),
    inbox: Number(row.inbox),
    superseded: Number(row.ever_kept) - Number(row.kept),
    forgotten: Number(row.forgotten),
  }
}

/** Candidates and items of the inbox, of one project or of all. */
export function countWaiting(ledger: Ledger, project?: string): { candidates: number; inbox: number } {
  const count = (state: 'candidate' | 'inbox') =>
    Number(
      ledger
        .sql(
          `SELECT count(*) AS count FROM memories
           WHERE state = '${state}' AND superseded_by IS NULL AND ($project IS NULL OR project = $project)`,
        )
        .get({ project: project ?? null })!.count,
    )
  return { candidates: count('candidate'), inbox: count('inbox') }
}

/** What waits for a decision between two memories, or about a deletion: the oldest first. */
export function listInbox(ledger: Ledger, filter: { project?: string | null } = {}): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories WHERE state = 'inbox' AND superseded_by IS NULL
         AND (NOT $hasProject OR project IS $project)
       ORDER BY confirmed_at, number`,
    )
    .all({ hasProject: filter.project === undefined ? 0 : 1, project: filter.project ?? null })
    .map(memoryFromRow)
}

/** What rules propose for a project, or for all: the most likely first. */
export function listCandidates(ledger: Ledger, filter: { project?: string | null; limit?: number } = {}): Memory[] {
  return ledger
    .sql(
      `SELECT * FROM memories WHERE state = 'candidate' AND superseded_by IS NULL
         AND (NOT $hasProject OR project IS $project)
       ORDER BY score DESC, confirmed_at DESC, number LIMIT $limit`,
    )
    .all({
      hasProject: filter.project === undefined ? 0 : 1,
      project: filter.project ?? null,
      limit: filter.limit ?? -1,
    })
    .map(memoryFromRow)
}

/** Counts current memories by kind, of one project or of all. */
export function countByKind(ledger: Ledger, project?: string): Partial<Record<Memory['kind'], number>> {
  const rows = ledger
    .sql(
      `SELECT kind, count(*) AS count FROM memories
       WHERE state = 'kept' AND superseded_by IS NULL AND ($project IS NULL OR project = $project) GROUP BY kind`,
    )
    .all({ project: project ?? null })
  return Object.fromEntries(rows.map((row) => [String(row.kind), Number(row.count)]))
}

/** Projects that have memories; null stands for memories of no project. */
export function projectsWithMemories(ledger: Ledger): (string | null)[] {
  return ledger
    .sql('SELECT DISTINCT project FROM memories ORDER BY project')
    .all()
    .map((row) => row.project as string | null)
}

export function memoryFromRow(row: Record<string, unknown>): Memory {
  const fields: Record<string, unknown> = {}
  const counts: Record<string, unknown> = {}
  for (const [name, { column, storage }] of memoryFieldEntries) {
    const holder = isCount(name) ? counts : fields
    holder[name] = fromColumn(storage, row[column])
  }
  fields.counts = counts
  return fields as unknown as Memory
}

function isCount(name: keyof FlatMemory): boolean {
  return name === 'said' || name === 'shown' || name === 'used'
}

function fromColumn(storage: MemoryField['storage'], value: unknown): unknown {
  if (storage === 'json') return value === '[]' ? [] : JSON.parse(String(value))
  return value ?? null
}

/** Fields that an earlier version of the program did not know are null. */
export function memoryToRow(memory: Memory): Record<string, string | number | null> {
  const flat = flatten(memory)
  const row: Record<string, string | number | null> = {}
  for (const [name, { column, storage }] of memoryFieldEntries)
    row[column] =
      storage === 'json'
        ? JSON.stringify(flat[name] ?? [])
        : ((flat[name] as string | number | null | undefined) ?? null)
  return row
}

export type MemoryRankingFields = Pick<
  Memory,
  'state' | 'status' | 'trust' | 'importance' | 'supersededBy' | 'doubt'
> & {
  counts: Pick<Memory['counts'], 'said'>
}

type Row = [number, Memory['state'], Memory['status'], Memory['trust'], number, string | null, string | null, number]

/**
 * Reads only the fields that ranking needs, by row number: a search ranks hundreds of memories, and
 * reading a complete one costs ten times as much.
 */
export function memoryRankingFields(ledger: Ledger, numbers: readonly number[]): Map<number, MemoryRankingFields> {
  if (numbers.length === 0) return new Map()
  const statement = ledger.sql(
    `SELECT number, state, status, trust, importance, superseded_by, doubt, said
     FROM json_each(?) wanted CROSS JOIN memories INDEXED BY memories_to_rank ON number = wanted.value`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all(JSON.stringify(numbers)) as unknown as Row[]
  return new Map(
    rows.map(([number, state, status, trust, importance, supersededBy, doubt, said]) => [
      number,
      { state, status, trust, importance, supersededBy, doubt, counts: { said } },
    ]),
  )
}
