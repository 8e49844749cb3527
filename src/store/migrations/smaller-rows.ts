// Schema steps that make the ledger smaller.
import type { SQLInputValue, SqliteDatabase } from '../../core/sqlite.ts'
import { bytesPerTerm, countOfTerms, termAt } from '../../text/term-hash.ts'
import { packTerms } from '../search/packed-terms.ts'
import type { LedgerMigration } from './migration.ts'

export const smallerRows = [
  {
    name: 'compressed states of digests and readers',
    sql: `
      ALTER TABLE digests RENAME TO earlier_digests;
      DROP INDEX digest_facts;
      DROP INDEX digests_by_outcome;
      CREATE TABLE digests (
        session INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        outcome TEXT NOT NULL,
        kind TEXT NOT NULL,
        -- JSON, compressed; that of an earlier version, as in an archive of deleted sessions, is text.
        state ANY NOT NULL,
        digested_at TEXT NOT NULL
      ) STRICT;

      ALTER TABLE cursors RENAME TO earlier_cursors;
      DROP INDEX stamps_of_cursors;
      CREATE TABLE cursors (
        path TEXT NOT NULL PRIMARY KEY,
        agent TEXT NOT NULL,
        stamp TEXT NOT NULL,
        offset INTEGER NOT NULL DEFAULT 0,
        head BLOB,
        tail BLOB,
        -- JSON, compressed.
        state ANY,
        is_ignored INTEGER NOT NULL DEFAULT 0
      ) STRICT;
    `,
    convert: packStates,
  },
  {
    name: 'codes of terms, and distances between passages',
    sql: `
      -- Hashes of the terms with a code, in order of their codes.
      CREATE TABLE passage_codes (number INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT;
      ALTER TABLE passages RENAME TO earlier_passages;
      CREATE TABLE passages (
        id INTEGER PRIMARY KEY,
        ts INTEGER,
        role INTEGER NOT NULL,
        -- How much of it asks, in percent; whether it names a time; who is said to speak ("Ann: ..."), as a term.
        asks INTEGER NOT NULL,
        has_time INTEGER NOT NULL,
        speaker INTEGER NOT NULL,
        -- Distances to the passages before and after it that say something.
        previous INTEGER,
        next INTEGER,
        -- How many of its terms are said; the rest was done.
        said INTEGER NOT NULL,
        -- Made by packTerms.
        terms BLOB NOT NULL
      ) STRICT;
    `,
    convert: packPassages,
  },
  {
    name: 'one index of usage for sessions and sums',
    sql: `
      DROP INDEX usage_by_cost;
      DROP INDEX usage_by_session;
      CREATE INDEX usage_by_session ON usage (session, cost_usd);
    `,
  },
] satisfies LedgerMigration[]

function packStates(database: SqliteDatabase): void {
  moveRows(database, 'digests', 'session, title, outcome, kind, pack_json(state), digested_at')
  moveRows(database, 'cursors', 'path, agent, stamp, offset, head, tail, pack_json(state), is_ignored')
  database.raw.exec(`
    CREATE INDEX digest_facts ON digests (session, title, outcome, kind, digested_at);
    CREATE INDEX digests_by_outcome ON digests (kind, outcome);
    CREATE INDEX stamps_of_cursors ON cursors (path, stamp);
  `)
}

const rowsAtOnce = 1000

/** In parts, because Node keeps what `pack_json` returns until the statement ends. */
function moveRows({ raw }: SqliteDatabase, table: string, columns: string): void {
  const { last } = raw.prepare(`SELECT coalesce(max(rowid), 0) AS last FROM earlier_${table}`).get()!
  const move = raw.prepare(
    `INSERT INTO ${table} SELECT ${columns} FROM earlier_${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
  )
  for (let from = 0; from < Number(last); from += rowsAtOnce) move.run(from, from + rowsAtOnce)
  raw.exec(`DROP TABLE earlier_${table}`)
}

function packPassages(database: SqliteDatabase): void {
  const insert = database.raw.prepare('INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const rows = database.raw.prepare(
    `SELECT id, ts, role, asks, has_time, speaker, id - previous, next - id, said, terms
     FROM earlier_passages ORDER BY id`,
  )
  rows.setReturnArrays(true)
  for (const row of rows.iterate() as Iterable<unknown> as Iterable<SQLInputValue[]>) {
    const terms = row.pop() as Uint8Array
    const hashes = Array.from({ length: countOfTerms(terms) }, (_, index) => termAt(terms, index * bytesPerTerm))
    insert.run(...row, packTerms(database, hashes))
  }
  database.raw.exec('DROP TABLE earlier_passages')
}
