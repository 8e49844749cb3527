// Reads SQLite databases of agents, read-only, while the agent may write to them.
import { closeSync } from 'node:fs'
import { messageOf } from '../core/errors.ts'
import { openRegularFile } from '../core/files.ts'
import type { Json } from '../core/session.ts'
import {
  isBusy,
  openDatabase,
  type SQLInputValue,
  type SQLOutputValue,
  type SqliteDatabase,
  type StatementSync,
} from '../core/sqlite.ts'
import type { ReaderOutput } from './agent.ts'
import { asObject, type JsonObject } from './json-values.ts'

export interface ForeignDatabase {
  rows(sql: string, ...values: SQLInputValue[]): JsonObject[]
  /**
   * Columns of a table; none if it is missing. Schemas change by migration: check before selecting.
   */
  columns(table: string): Set<string>
}

/**
 * Opens a database for `use` and closes it. A database that cannot be read is reported. One that its
 * agent has locked throws, so that the next sweep reads it, although it has not changed until then.
 */
export function withDatabase<T>(
  path: string,
  out: Pick<ReaderOutput, 'problem'>,
  use: (database: ForeignDatabase) => T,
): T | undefined {
  let database: SqliteDatabase | undefined
  try {
    closeSync(openRegularFile(path)) // SQLite would wait for the writer of a pipe
    database = openDatabase(path, { readOnly: true, pragmas: ['busy_timeout = 500', 'query_only = ON'] })
    return use(wrap(database, viewsOf(database)))
  } catch (error) {
    if (isBusy(error) || isInputOutputError(error)) throw error
    out.problem(0, `the database could not be read: ${messageOf(error)}`)
    return undefined
  } finally {
    database?.close()
  }
}

/**
 * Rows of a database that may be missing; errors yield no rows, because the database's own reader
 * reports them.
 */
export function rowsAt(path: string, sql: string, ...values: SQLInputValue[]): JsonObject[] {
  try {
    return withDatabase(path, { problem() {} }, (database) => database.rows(sql, ...values)) ?? []
  } catch {
    return []
  }
}

/** Hermes gets it in passing from its own rollback journal (its source, 2026). */
function isInputOutputError(error: unknown): boolean {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) % 256 === 10
}

/** Whether a database that may be missing has such a row; throws while it is locked. */
export function hasRow(path: string, sql: string, ...values: SQLInputValue[]): boolean {
  const rows = withDatabase(path, { problem() {} }, (database) => database.rows(sql, ...values))
  return rows !== undefined && rows.length > 0
}

export interface VersionedSession {
  id: string
  version: string
  read(): void
}

/**
 * Reads the sessions whose version differs from the memo and returns the new memo. A database can
 * hold gigabytes: when the output is full, remaining sessions keep their old version and are read
 * by the next call.
 */
export function readChanged(out: ReaderOutput, memo: Json | undefined, sessions: Iterable<VersionedSession>): Json {
  const seen = new Map(Object.entries(asObject(memo)))
  const now: [string, Json][] = []
  for (const { id, version, read } of sessions) {
    const known = seen.get(id)
    if (known === version || !out.isFull()) {
      if (known !== version) read()
      now.push([id, version])
    } else if (known !== undefined) now.push([id, known])
  }
  return Object.fromEntries(now)
}

function wrap({ sql }: SqliteDatabase, views: readonly string[]): ForeignDatabase {
  // No agent has views where it had tables, and one that counts for ever would never let a sweep end.
  const refuseViews = (...texts: string[]) => {
    const words = new Set(texts.flatMap((text) => text.toLowerCase().match(/\w+/g) ?? []))
    const view = views.find((name) => words.has(name))
    if (view !== undefined) throw new Error(`${view} is a view, not a table`)
  }
  return {
    rows(text, ...values) {
      refuseViews(text)
      return allRows(sql(text), values)
    },
    columns(table) {
      refuseViews('pragma_table_info', table)
      return new Set(
        sql('SELECT name FROM pragma_table_info(?)')
          .all(table)
          .map((row) => String(row.name)),
      )
    },
  }
}

function viewsOf({ sql }: SqliteDatabase): string[] {
  return sql("SELECT name FROM sqlite_schema WHERE type = 'view' OR sql LIKE 'create view%'")
    .all()
    .map(({ name }) => String(name).toLowerCase())
}

/** Integers that JavaScript cannot represent become text; without this the first of them would end the reading. */
function allRows(statement: StatementSync, values: SQLInputValue[]): JsonObject[] {
  try {
    return statement.all(...values) as unknown as JsonObject[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error
  }
  statement.setReadBigInts(true)
  try {
    return statement.all(...values).map((row) => Object.fromEntries(Object.entries(row).map(withoutBigInt)))
  } finally {
    statement.setReadBigInts(false)
  }
}

function withoutBigInt([name, value]: [string, SQLOutputValue]): [string, Json] {
  if (typeof value !== 'bigint') return [name, value as Json]
  const number = Number(value)
  return [name, Number.isSafeInteger(number) ? number : String(value)]
}
