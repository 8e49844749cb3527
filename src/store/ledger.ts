// Opens the ledger: applies pending migrations (counted by user_version) after a backup of the
// file, and checks its health.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DamagedLedgerError, messageOf, readOnlyStoreHint, UserError } from '../core/errors.ts'
import { readPackageFile } from '../core/package-files.ts'
import { type Layout, makeHome } from '../core/paths.ts'
import { isDamaged, isReadOnly, openDatabase, type SqliteDatabase } from '../core/sqlite.ts'
import type { LedgerMigration } from './migrations/migration.ts'
import { migrations } from './migrations.ts'
import { addJsonFunctions } from './packed-json.ts'

/** The ledger database and the folders beside it. Stages read and write through it. */
export interface Ledger extends SqliteDatabase {
  readonly layout: Layout
  /** When the run began that it was opened for: rows of the work log are grouped by it. */
  readonly runMs?: number
  /** The store is in a place that cannot be written. */
  readonly isReadOnly?: true
}

/** Set before all other pragmas, because some of them take a lock on a new file. */
const busyTimeout = 'busy_timeout = 5000'
const pragmas = ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000', 'temp_store = MEMORY']

export function openLedger(layout: Layout, steps: readonly LedgerMigration[] = migrations): Ledger {
  makeHome(layout)
  const found = statSync(layout.ledger, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new DamagedLedgerError(layout.ledger, 'it is a folder')
  const isNew = !found || found.size === 0
  // Both only take effect before the first table exists.
  const first = isNew ? ['page_size = 16384', 'auto_vacuum = INCREMENTAL'] : []
  const database = openOrThrowUserError(layout, [busyTimeout, ...first, ...pragmas])
  addJsonFunctions(database)
  try {
    migrate(database, layout, steps)
  } catch (error) {
    database.close()
    throw error
  }
  return { ...database, layout }
}

/** SQLite's upper limit; only address space is reserved. */
const memoryMapped = 'mmap_size = 2147418112'

/**
 * Maps the file into memory, which saves a copy of each page read. Only for readers: in a sweep the
 * mapped pages would be counted as memory of the process.
 */
export function openLedgerToRead(layout: Layout): Ledger {
  const ledger = openLedgerOrReadOnly(layout)
  ledger.raw.exec(`PRAGMA ${memoryMapped}`)
  return ledger
}

function openLedgerOrReadOnly(layout: Layout): Ledger {
  try {
    return openLedger(layout)
  } catch (error) {
    const ledger = isReadOnly(error) ? openReadOnly(layout) : undefined
    if (ledger === undefined) throw error
    return ledger
  }
}

/** A store in a place that cannot be written is read as it is. Undefined if it cannot be read either. */
function openReadOnly(layout: Layout): Ledger | undefined {
  const database = openAsItIs(layout.ledger)
  if (database === undefined) return undefined
  const version = versionOf(database)
  if (version === migrations.length) {
    addJsonFunctions(database)
    return { ...database, layout, isReadOnly: true }
  }
  database.close()
  throw new UserError(
    `${layout.root} cannot be written, and its ledger is of another version (${version}; this one reads ${migrations.length})`,
    readOnlyStoreHint,
  )
}

/**
 * SQLite needs its two files beside a database, unless it is told that nobody changes it. That would be
 * wrong if a killed process had left changes in them.
 */
function openAsItIs(path: string): SqliteDatabase | undefined {
  for (const isUnchanging of [false, true]) {
    if (isUnchanging && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return undefined
    let database: SqliteDatabase | undefined
    try {
      database = openDatabase(path, { readOnly: true, isUnchanging, pragmas: [busyTimeout, 'temp_store = MEMORY'] })
      versionOf(database)
      return database
    } catch {
      database?.close()
    }
  }
  return undefined
}

/** For a status line: reads what is there, without creating, updating or waiting. Throws if that is not possible. */
export function openLedgerAtOnce(layout: Layout): Ledger {
  return { ...openDatabase(layout.ledger, { readOnly: true, pragmas: ['busy_timeout = 100'] }), layout }
}

/** For a hook, which an agent waits for: without migration, waiting for a lock no longer than this. */
export function openLedgerForHook(layout: Layout, waitMs: number): Ledger {
  const database = openDatabase(layout.ledger, { pragmas: [`busy_timeout = ${waitMs}`] })
  addJsonFunctions(database)
  return { ...database, layout }
}

/** For a process that keeps the ledger open for hours and reads a little of it at a time. */
export function useSmallCache(ledger: Ledger): Ledger {
  ledger.raw.exec('PRAGMA cache_size = -8000')
  return ledger
}

function openOrThrowUserError(layout: Layout, first: string[]): SqliteDatabase {
  try {
    return openDatabase(layout.ledger, { pragmas: first })
  } catch (error) {
    throw isDamaged(error) ? new DamagedLedgerError(layout.ledger, messageOf(error)) : error
  }
}

function migrate(database: SqliteDatabase, layout: Layout, steps: readonly LedgerMigration[]): void {
  const version = versionOf(database)
  if (version > steps.length) {
    throw new UserError(
      `${layout.ledger} was written by a newer Recollect (version ${version}, this one knows ${steps.length})`,
      'Update Recollect, or point RECOLLECT_HOME to another folder.',
    )
  }
  if (version === 0 && steps === migrations && create(database, layout)) return
  for (const [index, migration] of steps.entries()) {
    if (index < version) continue
    if (index === version && version > 0) backUp(database, layout, version)
    database.transaction(() => {
      if (versionOf(database) > index) return // another process has applied it
      database.raw.exec(migration.sql)
      migration.convert?.(database)
      if (index === 0) markBodiesForAdoption(database, layout)
      database.raw.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}

/** SQL that makes all tables of a new ledger. */
export function readSchema(): string {
  return readPackageFile('schema.sql', join('src', 'store', 'schema.sql'))
}

/** The migrations take three times as long as the schema that they lead to. False if another process was faster. */
function create(database: SqliteDatabase, layout: Layout): boolean {
  return database.transaction(() => {
    if (versionOf(database) > 0) return false
    database.raw.exec(readSchema())
    markBodiesForAdoption(database, layout)
    database.raw.exec(`PRAGMA user_version = ${migrations.length}`)
    return true
  })
}

/** Name of the value that is set while the folder of bodies may have files of unknown sessions. */
export const adoptionNote = 'bodies to adopt'

/** A new ledger beside bodies replaces one that was lost. */
function markBodiesForAdoption(database: SqliteDatabase, layout: Layout): void {
  if (!hasBodies(layout)) return
  database.raw.prepare('INSERT OR REPLACE INTO notes (name, value) VALUES (?, ?)').run(adoptionNote, 'true')
}

function hasBodies({ bodies }: Layout): boolean {
  return readdirSync(bodies, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('.zst'))
}

/** A copy counts only if SQLite finds it intact: a killed run may have left a part of one. */
function backUp(database: SqliteDatabase, layout: Layout, version: number): void {
  mkdirSync(layout.backups, { recursive: true, mode: 0o700 })
  const copy = join(layout.backups, `ledger-v${version}.db`)
  if (existsSync(copy) && faultOf(copy, version) === undefined) return
  const unfinished = `${copy}.tmp`
  for (const path of [unfinished, `${copy}-wal`, `${copy}-shm`]) rmSync(path, { force: true })
  database.sql('VACUUM INTO ?').run(unfinished)
  const fault = faultOf(unfinished, version)
  if (fault) throw new Error(`the copy of the ledger before its update is not intact: ${fault}`)
  renameSync(unfinished, copy)
}

/** What is wrong with a copy of the ledger; undefined if it is intact and of this version. */
function faultOf(path: string, version: number): string | undefined {
  let database: SqliteDatabase | undefined
  try {
    database = openDatabase(path, { readOnly: true })
    const fault = quickCheck(database)
    if (fault !== 'ok') return fault
    return versionOf(database) === version ? undefined : `version ${versionOf(database)}`
  } catch (error) {
    return messageOf(error)
  } finally {
    database?.close()
  }
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.raw.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

/** Returns `ok`, or the first fault that SQLite finds in the file. */
export function checkDatabase(ledger: Ledger): string {
  try {
    return quickCheck(ledger)
  } catch (error) {
    if (isDamaged(error)) return messageOf(error)
    throw error
  }
}

export function quickCheck(database: SqliteDatabase): string {
  return String(Object.values(database.raw.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
}
