// The only file that loads node:sqlite. Opens the ledger, the locks and the databases of agents.
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

export type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync }

export interface SqliteDatabase {
  readonly raw: DatabaseSync
  /** Returns a prepared statement, cached by its text. */
  sql(text: string): StatementSync
  transaction<T>(work: () => T): T
  /** Registers what to undo outside the database if the current transaction is rolled back. */
  onRollback(undo: () => void): void
  /** Registers what is still to be written at the end of the current transaction. */
  beforeCommit(work: () => void): void
  close(): void
}

export interface OpenOptions {
  readOnly?: boolean
  pragmas?: string[]
  /** Allows `writable_schema`, with which SQLite also opens a file that is cut off. */
  isDamaged?: boolean
  /** Nobody writes to the file, so that no lock and no file beside it is needed. */
  isUnchanging?: boolean
}

export function openDatabase(path: string, options: OpenOptions = {}): SqliteDatabase {
  const { DatabaseSync } = loadSqlite()
  const raw = new DatabaseSync(options.isUnchanging ? unchanging(path) : path, {
    readOnly: options.readOnly ?? false,
    defensive: !options.isDamaged,
  })
  try {
    for (const pragma of options.pragmas ?? []) raw.exec(`PRAGMA ${pragma}`)
  } catch (error) {
    raw.close()
    throw error
  }
  const prepared = new Map<string, StatementSync>()
  let undoing: (() => void)[] = []
  let ending: (() => void)[] = []
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
      undoing = []
      ending = []
      try {
        const result = work()
        for (const finish of ending) finish()
        raw.exec('COMMIT')
        return result
      } catch (error) {
        if (raw.isTransaction) raw.exec('ROLLBACK')
        for (const undo of undoing) undo()
        throw error
      }
    },
    onRollback(undo) {
      if (raw.isTransaction) undoing.push(undo)
    },
    beforeCommit(finish) {
      ending.push(finish)
    },
    close: () => raw.close(),
  }
}

function unchanging(path: string): URL {
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return url
}

/** Whether a file could not be written, or opened for writing: in a read-only place, or without permission. */
export function isReadOnly(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: string; errcode?: number }
  if (errcode !== undefined) return (errcode & 0xff) === 8 || (errcode & 0xff) === 14
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
}

/** Whether SQLite reports that another process holds a lock. */
export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode
  return code !== undefined && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

/**
 * Whether SQLite reports that a file is damaged or not a database. Locks, permissions, a full disk
 * and errors of the disk have other codes.
 */
export function isDamaged(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode
  return code !== undefined && ((code & 0xff) === 11 || (code & 0xff) === 26)
}

/** Whether there is no room: for SQLite, or for any other file. */
export function isDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: string; errcode?: number }
  return code === 'ENOSPC' || code === 'EDQUOT' || (errcode !== undefined && (errcode & 0xff) === 13)
}

/** Whether the ledger as a whole cannot be written, whatever is to be written. */
export function isLedgerFault(error: unknown): boolean {
  return isBusy(error) || isDamaged(error) || isDiskFull(error)
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
