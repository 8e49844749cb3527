// Opening the ledger: migrations by user_version, a backup of the file before each run of them.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UserError } from '../core/errors.ts'
import { type Layout, makeHome } from '../core/paths.ts'
import { openDatabase, type SqliteDatabase } from '../core/sqlite.ts'
import { type LedgerMigration, migrations } from './migrations.ts'

/** The ledger with the folder of bodies beside it: what the stages read and write. */
export interface Ledger extends SqliteDatabase {
  readonly layout: Layout
}

/** First of all: the ones that make a new file take a lock themselves. */
const busyTimeout = 'busy_timeout = 5000'
const pragmas = ['journal_mode = WAL', 'synchronous = NORMAL', 'cache_size = -32000', 'temp_store = MEMORY']

export function openLedger(layout: Layout, steps: readonly LedgerMigration[] = migrations): Ledger {
  makeHome(layout)
  const isNew = !existsSync(layout.ledger) || statSync(layout.ledger).size === 0
  // Both only take effect before the first table is made.
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

/** More than any ledger has; a limit of SQLite, not of memory. */
const memoryMapped = 'mmap_size = 2147418112'

/** Pages are taken from where the system holds the file, which saves a copy of each. A sweep would seem to hold all of it. */
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
      if (versionOf(database) > index) return // another process was faster
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

// What SQLite says of itself.

/** `ok`, or what is wrong with the file. */
export function checkDatabase(ledger: Ledger): string {
  return String(Object.values(ledger.raw.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
}

/** `ok`, or what is wrong with the search index. */
export function checkSearchIndex(ledger: Ledger): string {
  try {
    ledger.raw.exec("INSERT INTO passage_terms (passage_terms) VALUES ('integrity-check')")
    return 'ok'
  } catch (error) {
    return messageOf(error)
  }
}
