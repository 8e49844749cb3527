// Reading an agent's own SQLite store: read-only, while the agent may be writing to it.
import { messageOf } from '../core/errors.ts'
import type { Json } from '../core/session.ts'
import { openDatabase, type SQLInputValue, type SqliteDatabase } from '../core/sqlite.ts'
import type { ReaderOutput } from './agent.ts'
import { asObject, type JsonObject } from './json-values.ts'

export interface ForeignDatabase {
  rows(sql: string, ...values: SQLInputValue[]): JsonObject[]
  /** Columns of a table; none where the table is missing. Schemas grow by migration: ask before you select. */
  columns(table: string): Set<string>
}

/** Opens the store, hands it over and closes it. A store that cannot be read is reported. */
export function withDatabase<T>(
  path: string,
  out: Pick<ReaderOutput, 'problem'>,
  use: (database: ForeignDatabase) => T,
): T | undefined {
  let database: SqliteDatabase | undefined
  try {
    database = openDatabase(path, { readOnly: true, pragmas: ['busy_timeout = 500', 'query_only = ON'] })
    return use(wrap(database))
  } catch (error) {
    out.problem(0, `the database could not be read: ${messageOf(error)}`)
    return undefined
  } finally {
    database?.close()
  }
}

/** For a look into a store that need not be there, or whose own reader reports what is wrong with it: then no rows. */
export function rowsAt(path: string, sql: string, ...values: SQLInputValue[]): JsonObject[] {
  return withDatabase(path, { problem() {} }, (database) => database.rows(sql, ...values)) ?? []
}

export interface VersionedSession {
  id: string
  version: string
  read(): void
}

/**
 * Reads the sessions whose version is not the one in the memo, and gives back the new memo. A store can hold gigabytes: one
 * for which there is no room now keeps its old version, and the next call reads it.
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

function wrap({ sql }: SqliteDatabase): ForeignDatabase {
  return {
    rows: (text, ...values) => sql(text).all(...values) as unknown as Record<string, Json>[],
    columns: (table) =>
      new Set(
        sql('SELECT name FROM pragma_table_info(?)')
          .all(table)
          .map((row) => String(row.name)),
      ),
  }
}
