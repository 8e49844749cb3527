// Opens the ledger: applies pending migrations (counted by user_version) after a backup of the
// file, and checks its health.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UserError } from '../core/errors.ts'
import { type Layout, makeHome } from '../core/paths.ts'
import { openDatabase, type SqliteDatabase } from '../core/sqlite.ts'
import { type LedgerMigration, migrations } from './migrations.ts'

/** The ledger database and the folders beside it. Stages read and write through it. */
export interface Ledger extends SqliteDatabase {
  readonly layout: Layout
}

/** Set before all other pragmas, because some of them take a lock on a new file. */
const busyTimeout = 'busy_timeout = 5000'
const pragmas = ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000', 'temp_store = MEMORY']

export function openLedger(layout: Layout, steps: readonly LedgerMigration[] = migrations): Ledger {
  makeHome(layout)
  const isNew = !existsSync(layout.ledger) || statSync(layout.ledger).size === 0
  // Both only take effect before the first table exists.
  const first = isNew ? ['page_size = 16384', 'auto_vacuum = INCREMENTAL'] : []
  const database = openOrThrowUserError(layout, [busyTimeout, ...first, ...pragmas])
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
  const ledger = openLedger(layout)
  ledger.raw.exec(`PRAGMA ${memoryMapped}`)
  return ledger
}

function openOrThrowUserError(layout: Layout, first: string[]): SqliteDatabase {
  try {
    return openDatabase(layout.ledger, { pragmas: first })
  } catch (error) {
    if (/not a database|malformed|encrypted/i.test(String(error))) {
      throw new UserError(
        `${layout.ledger} is damaged: ${(error as Error).message}`,
        `Move it away and run "recollect sweep --full": sessions still on disk are read again. Backups: ${layout.backups}`,
        3,
      )
    }
    throw error
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
  for (const [index, migration] of steps.entries()) {
    if (index < version) continue
    if (index === version && version > 0) backUp(database, layout, version)
    database.transaction(() => {
      if (versionOf(database) > index) return // another process has applied it
      database.raw.exec(migration.sql)
      database.raw.exec(`PRAGMA user_version = ${index + 1}`)
    })
  }
}

function backUp(database: SqliteDatabase, layout: Layout, version: number): void {
  mkdirSync(layout.backups, { recursive: true, mode: 0o700 })
  const copy = join(layout.backups, `ledger-v${version}.db`)
  if (!existsSync(copy)) database.sql('VACUUM INTO ?').run(copy)
}

function versionOf(database: SqliteDatabase): number {
  return Number(database.raw.prepare('PRAGMA user_version').get()?.user_version ?? 0)
}

/** Returns `ok`, or the first fault that SQLite finds in the file. */
export function checkDatabase(ledger: Ledger): string {
  return String(Object.values(ledger.raw.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
}

/** Returns `ok`, or the fault that FTS5 reports for the search index. */
export function checkSearchIndex(ledger: Ledger): string {
  try {
    ledger.raw.exec("INSERT INTO passage_terms (passage_terms) VALUES ('integrity-check')")
    return 'ok'
  } catch (error) {
    return messageOf(error)
  }
}
