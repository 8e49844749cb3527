// Copies what can be read of a damaged ledger into a new one, table by table. Derived tables are left
// out: the next sweep makes them again. A page that SQLite cannot read costs its rows, not the rest.
import { closeSync, copyFileSync, existsSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { isDamaged, openDatabase, type SQLInputValue, type SqliteDatabase } from '../../core/sqlite.ts'
import { adoptionNote, type Ledger } from '../ledger.ts'
import { beginChange, saveVersion } from '../memories/changes.ts'
import { memoryById } from '../memories/memories.ts'
import { unpackJson } from '../packed-json.ts'
import { seqSpan } from '../sessions/events.ts'
import { detachBody } from '../sessions/sessions.ts'

export interface SalvageReport {
  sessions: number
  memories: number
  /** Tables of which a part could not be read. */
  incomplete: string[]
}

interface SalvagedTable {
  name: string
  /** Columns that hold JSON: a row with anything else there is left out. */
  json?: readonly string[]
}

/** In this order: what belongs to a session follows `sessions`. */
const tables: readonly SalvagedTable[] = [
  { name: 'projects' },
  { name: 'sessions' },
  { name: 'events' },
  { name: 'inherited' },
  { name: 'handoffs' },
  { name: 'handed_over' },
  { name: 'usage' },
  { name: 'digests', json: ['state'] },
  { name: 'touched' },
  { name: 'fixes', json: ['details'] },
  { name: 'program_runs' },
  { name: 'session_notes' },
  { name: 'session_folds' },
  { name: 'summaries', json: ['journal'] },
  { name: 'journal_entries' },
  { name: 'shown' },
  { name: 'hook_events' },
  { name: 'last_hook_events' },
  { name: 'redactions' },
  { name: 'notes', json: ['value'] },
  { name: 'memories', json: ['tags', 'keywords', 'evidence', 'links'] },
  { name: 'changes' },
  { name: 'memory_versions', json: ['before', 'after'] },
  { name: 'imported' },
  { name: 'memory_files' },
  { name: 'dead_letters' },
  { name: 'model_calls' },
  { name: 'work_log' },
  { name: 'repositories' },
  { name: 'commits' },
  { name: 'commit_paths' },
  { name: 'commit_files' },
  { name: 'articles', json: ['head', 'sections'] },
  { name: 'wiki_days' },
  { name: 'patterns', json: ['pattern'] },
  { name: 'pattern_reviews', json: ['evidence'] },
  { name: 'practices' },
  { name: 'published', json: ['folders'] },
  { name: 'shares' },
  { name: 'deletions', json: ['summary', 'files'] },
  { name: 'deleted_sessions' },
  { name: 'deleted_events' },
  { name: 'left_out' },
]

/**
 * Copied only if all of it and all memories can be read: with a part of it, memories that are
 * missing here would count as deleted. Without it, sync compares everything with the server.
 */
const syncTables: readonly SalvagedTable[] = [
  { name: 'spaces', json: ['projects'] },
  { name: 'sync_items' },
  { name: 'outbox', json: ['refusal'] },
  { name: 'sent_sessions' },
  { name: 'sent_parts' },
  { name: 'received_sessions' },
  { name: 'received_parts' },
]

/** Made again by a sweep, or of no use without the rest. A test compares these lists with the schema. */
export const derivedTables: readonly string[] = [
  'memory_sessions',
  'briefs',
  'briefs_due',
  'commit_cursors',
  'cursors',
  'drift',
  'memory_files_due',
  'passages',
  'problems',
  'retired',
  'vector_models',
  'vectors',
]

export const salvagedTables: readonly string[] = [...tables, ...syncTables].map(({ name }) => name)

/** Reads the damaged file at `path`, which is not changed, into a new ledger. */
export function salvage(path: string, ledger: Ledger): SalvageReport {
  const report: SalvageReport = { sessions: 0, memories: 0, incomplete: [] }
  withDamagedCopy(path, ledger, (damaged) => {
    ledger.transaction(() => {
      for (const table of tables) copyTable(damaged, ledger, table, report)
      if (!report.incomplete.includes('memories') && !report.incomplete.includes('memory_versions'))
        copySyncState(damaged, ledger, report)
      settle(ledger)
      for (const id of memoriesWithoutHistory(ledger)) beginHistory(ledger, id)
    })
  })
  report.sessions = countRows(ledger, 'sessions')
  report.memories = countRows(ledger, 'memories')
  return report
}

/** Opens the file, with a repaired header on a copy if SQLite does not recognise it. */
function withDamagedCopy(path: string, ledger: Ledger, use: (damaged: SqliteDatabase) => void): void {
  if (!statSync(path).isFile()) return
  const opened = openDamaged(path)
  if (opened) {
    try {
      use(opened)
    } finally {
      opened.close()
    }
    return
  }
  const copy = `${ledger.layout.ledger}.copy`
  try {
    copyFileSync(path, copy)
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
    if (!replaceHeader(copy, ledger)) return
    const repaired = openDamaged(copy)
    if (!repaired) return
    try {
      use(repaired)
    } finally {
      repaired.close()
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true })
  }
}

/** Undefined if not even the schema can be read. */
function openDamaged(path: string): SqliteDatabase | undefined {
  let database: SqliteDatabase | undefined
  try {
    // writable_schema makes SQLite accept a file that is shorter than its header says.
    database = openDatabase(path, {
      readOnly: true,
      isDamaged: true,
      pragmas: ['busy_timeout = 5000', 'writable_schema = ON'],
    })
    if (database.raw.prepare(`SELECT count(*) AS count FROM sqlite_schema`).get()!.count !== 0) return database
  } catch (error) {
    if (!isDamaged(error)) {
      database?.close()
      throw error
    }
  }
  database?.close()
  return undefined
}

const headerSize = 100

/** Writes the header of a new ledger over the first bytes; false if no page can follow it. */
function replaceHeader(path: string, ledger: Ledger): boolean {
  const header = Buffer.alloc(headerSize)
  ledger.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)') // until then the file may be empty
  const from = openSync(ledger.layout.ledger, 'r')
  try {
    if (readSync(from, header, 0, headerSize, 0) < headerSize) return false
  } finally {
    closeSync(from)
  }
  const pageSize = header.readUInt16BE(16)
  const pages = Math.floor(statSync(path).size / pageSize)
  if (pages < 2) return false
  header.writeUInt32BE(pages, 28)
  header.writeUInt32BE(0, 32) // no free pages
  header.writeUInt32BE(0, 36)
  header.writeUInt32BE(header.readUInt32BE(24), 92) // the number of pages is valid
  const to = openSync(path, 'r+')
  try {
    writeSync(to, header, 0, headerSize, 0)
  } finally {
    closeSync(to)
  }
  return true
}

function copyTable(damaged: SqliteDatabase, ledger: Ledger, table: SalvagedTable, report: SalvageReport): void {
  const { name, json = [] } = table
  const onUnreadable = () => {
    if (!report.incomplete.includes(name)) report.incomplete.push(name)
  }
  const known = new Set(columnsOf(ledger, name).map(({ column }) => column))
  const columns = readColumns(damaged, name, onUnreadable).filter(({ column }) => known.has(column))
  if (columns.length === 0) return
  const names = columns.map(({ column }) => column)
  const places = names.map(() => '?').join(', ')
  const insert = ledger.sql(`INSERT OR IGNORE INTO ${name} (${names.map(quoted).join(', ')}) VALUES (${places})`)
  for (const row of readRows(damaged, name, columns, onUnreadable)) {
    try {
      if (!json.every((column) => isJson(row[column]))) {
        onUnreadable()
        continue
      }
      insert.run(...names.map((column) => row[column] as SQLInputValue))
    } catch (error) {
      // A value that cannot be in this column: the page was readable, but its content is not.
      if (isConstraint(error)) onUnreadable()
      else throw error
    }
  }
}

function isJson(column: unknown): boolean {
  if (column === null || column === undefined) return true
  try {
    JSON.parse(unpackJson(column))
    return true
  } catch {
    return false
  }
}

function isConstraint(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string }
  return (
    (errcode !== undefined && ((errcode & 0xff) === 19 || (errcode & 0xff) === 20)) || code === 'ERR_INVALID_ARG_TYPE'
  )
}

function copySyncState(damaged: SqliteDatabase, ledger: Ledger, report: SalvageReport): void {
  for (const table of syncTables) copyTable(damaged, ledger, table, report)
  if (!syncTables.some(({ name }) => report.incomplete.includes(name))) return
  for (const { name } of syncTables) ledger.raw.exec(`DELETE FROM ${name}`)
}

interface TableColumn {
  column: string
  isKey: boolean
}

function columnsOf(database: SqliteDatabase, table: string): TableColumn[] {
  return database.raw
    .prepare('SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map((row) => ({ column: String(row.name), isKey: Number(row.pk) > 0 }))
}

function readColumns(damaged: SqliteDatabase, table: string, onUnreadable: () => void): TableColumn[] {
  try {
    return columnsOf(damaged, table)
  } catch (error) {
    if (!isDamaged(error)) throw error
    onUnreadable()
    return []
  }
}

type Row = Record<string, unknown>

function readRows(
  damaged: SqliteDatabase,
  table: string,
  columns: readonly TableColumn[],
  onUnreadable: () => void,
): Iterable<Row> {
  return hasRowId(damaged, table)
    ? readByRowId(damaged, table, columns, onUnreadable)
    : readFromBothEnds(damaged, table, columns, onUnreadable)
}

function hasRowId(damaged: SqliteDatabase, table: string): boolean {
  try {
    damaged.raw.prepare(`SELECT rowid FROM ${table}`)
    return true
  } catch {
    return false
  }
}

/** Limit of attempts to read around damaged pages of one table. */
const maxAttempts = 20_000

/** Halves the range of row ids around an unreadable page until only its own rows are left out. */
function* readByRowId(
  damaged: SqliteDatabase,
  table: string,
  columns: readonly TableColumn[],
  onUnreadable: () => void,
): Generator<Row> {
  const names = columns.map(({ column }) => quoted(column)).join(', ')
  const statement = damaged.raw.prepare(
    `SELECT rowid AS "row id", ${names} FROM ${table} WHERE rowid BETWEEN ? AND ? ORDER BY rowid`,
  )
  const ranges: [from: number, to: number][] = [[-1, Number.MAX_SAFE_INTEGER]]
  for (let attempts = 0; ranges.length > 0 && attempts < maxAttempts; attempts++) {
    const [from, to] = ranges.pop()!
    let next = from
    try {
      for (const row of statement.iterate(from, to)) {
        next = Number(row['row id']) + 1
        yield row
      }
    } catch (error) {
      if (!isDamaged(error)) throw error
      onUnreadable()
      if (next >= to) continue
      const middle = next + Math.floor((to - next) / 2)
      ranges.push([middle + 1, to], [next, middle])
    }
  }
}

/** Tables without row ids are read in the order of their key, from each end up to the damage. */
function* readFromBothEnds(
  damaged: SqliteDatabase,
  table: string,
  columns: readonly TableColumn[],
  onUnreadable: () => void,
): Generator<Row> {
  const names = columns.map(({ column }) => quoted(column)).join(', ')
  const keys = columns.filter(({ isKey }) => isKey).map(({ column }) => quoted(column))
  for (const direction of ['ASC', 'DESC']) {
    const order = keys.map((key) => `${key} ${direction}`).join(', ')
    try {
      yield* damaged.raw.prepare(`SELECT ${names} FROM ${table} ORDER BY ${order}`).iterate()
      return
    } catch (error) {
      if (!isDamaged(error)) throw error
      onUnreadable()
    }
  }
}

function quoted(name: string): string {
  return `"${name}"`
}

/** Makes the copied rows consistent: a session has all of its events, or none. */
function settle(ledger: Ledger): void {
  ledger.raw.exec(`
    DELETE FROM events WHERE id / ${seqSpan} NOT IN (SELECT id FROM sessions);
    DELETE FROM changes WHERE NOT EXISTS (SELECT 1 FROM memory_versions v WHERE v.change = changes.id);
    DELETE FROM memory_versions WHERE change NOT IN (SELECT id FROM changes);
    UPDATE sessions SET project = NULL WHERE project NOT IN (SELECT id FROM projects);
  `)
  for (const table of [
    'inherited',
    'usage',
    'digests',
    'touched',
    'fixes',
    'program_runs',
    'session_notes',
    'session_folds',
    'journal_entries',
    'shown',
  ])
    ledger.raw.exec(`DELETE FROM ${table} WHERE session NOT IN (SELECT id FROM sessions)`)
  // The body has the events; adoption and capture write their rows again.
  const isIncomplete = `events <> (SELECT count(*) FROM events e WHERE e.id BETWEEN sessions.id * ${seqSpan} AND (sessions.id + 1) * ${seqSpan} - 1)`
  const incomplete = ledger.sql(`SELECT id FROM sessions WHERE body IS NOT NULL AND ${isIncomplete}`).all()
  for (const { id } of incomplete) detachBody(ledger, Number(id))
  ledger.raw.exec(`
    INSERT OR REPLACE INTO notes (name, value) VALUES ('index is due', 'true'), ('${adoptionNote}', 'true');
    INSERT OR IGNORE INTO memory_files_due SELECT DISTINCT coalesce(project, '') FROM memories;
    INSERT OR IGNORE INTO briefs_due SELECT id FROM projects;
  `)
}

/** That of a candidate begins when somebody decides about it. */
function memoriesWithoutHistory(ledger: Ledger): string[] {
  return ledger
    .sql(
      `SELECT id FROM memories WHERE state <> 'candidate' AND id NOT IN (SELECT memory FROM memory_versions)
       ORDER BY number`,
    )
    .all()
    .map((row) => String(row.id))
}

/** The history of a memory whose changes cannot be read begins with its present state. */
function beginHistory(ledger: Ledger, id: string): void {
  const memory = memoryById(ledger, id)!
  const change = { at: memory.learnedAt, kind: 'remembered' as const, about: 'restored from a damaged ledger' }
  saveVersion(ledger, beginChange(ledger, change), id, undefined, memory)
}

function countRows(ledger: Ledger, table: string): number {
  return Number(ledger.sql(`SELECT count(*) AS count FROM ${table}`).get()!.count)
}
