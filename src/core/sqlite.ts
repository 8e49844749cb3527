// The only file that loads node:sqlite. Opens the ledger, the locks and the databases of agents.
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

export type { DatabaseSync, SQLInputValue }

export interface SqliteDatabase {
  readonly raw: DatabaseSync
  /** Returns a prepared statement, cached by its text. */
  sql(text: string): StatementSync
  transaction<T>(work: () => T): T
  close(): void
}

export function openDatabase(path: string, options: { readOnly?: boolean; pragmas?: string[] } = {}): SqliteDatabase {
  const { DatabaseSync } = loadSqlite()
  const raw = new DatabaseSync(path, { readOnly: options.readOnly ?? false })
  try {
    for (const pragma of options.pragmas ?? []) raw.exec(`PRAGMA ${pragma}`)
  } catch (error) {
    raw.close()
    throw error
  }
  const prepared = new Map<string, StatementSync>()
  return {
    raw,
    sql(text) {
      let statement = prepared.get(text)
      if (!statement) {
        statement = raw.prepare(text)
        prepared.set(text, statement)
      }
      return statement
    },
    transaction(work) {
      raw.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        raw.exec('COMMIT')
        return result
      } catch (error) {
        if (raw.isTransaction) raw.exec('ROLLBACK')
        throw error
      }
    },
    close: () => raw.close(),
  }
}

/** Whether SQLite reports that another process holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

/** Whether SQLite reports that a file is damaged or not a database. */
export function isDamaged(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode
  return code === 26 || code === 11
}

let loaded: typeof import('node:sqlite') | undefined

/** Suppresses the warning of Node 22 that SQLite is experimental. */
function loadSqlite(): typeof import('node:sqlite') {
  if (loaded) return loaded
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    loaded = process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = warn
  }
  return loaded
}
