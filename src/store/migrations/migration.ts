import type { SqliteDatabase } from '../../core/sqlite.ts'

export interface LedgerMigration {
  name: string
  sql: string
  /** Converts rows as SQL cannot, after it and in the same transaction. */
  convert?(database: SqliteDatabase): void
}
