// The ledger as it would have been at an earlier time, to ask what could have been known then: with the
// sessions that had ended, their commits and memories. Temporary views and one temporary table hide the
// tables of the same name, so every query reads the past without knowing it; nothing is copied but the
// memories, which queries read by the names of their indexes.
import { isoTime } from '../../core/clock.ts'
import type { Layout } from '../../core/paths.ts'
import { type Ledger, openLedgerToRead } from '../ledger.ts'

export interface PastLedger extends Ledger {
  /** Reads from now on as of this time. Going forward takes less than going back. */
  moveTo(atMs: number): void
}

/** Begins before everything. Decisions that people made about memories later, such as to keep one, hold from the start. */
export function openPastLedger(layout: Layout): PastLedger {
  const ledger = openLedgerToRead(layout)
  ledger.raw.exec(`
    CREATE TEMP TABLE past (at INTEGER NOT NULL);
    INSERT INTO past VALUES (0);
    CREATE TEMP VIEW sessions AS SELECT * FROM main.sessions WHERE ended < (SELECT at FROM past);
    CREATE TEMP VIEW commits AS SELECT * FROM main.commits WHERE at < (SELECT at FROM past);
  `)
  createMemories(ledger)
  const columns = ledger
    .sql(`SELECT name FROM pragma_table_info('memories', 'main')`)
    .all()
    .map(({ name }) => String(name))
  const insert = insertMemories(columns)
  let reachedMs = 0
  const moveTo = (atMs: number) => {
    if (atMs < reachedMs) ledger.raw.exec('DELETE FROM temp.memories')
    const values = { from: atMs < reachedMs ? '' : isoTime(reachedMs), to: isoTime(atMs) }
    ledger.sql('UPDATE past SET at = ?').run(atMs)
    ledger.sql(insert).run(values)
    reachedMs = atMs
  }
  return { ...ledger, moveTo }
}

/** With the same indexes, because queries name them. */
function createMemories(ledger: Ledger): void {
  const parts = ledger
    .sql(
      `SELECT sql FROM main.sqlite_master WHERE tbl_name = 'memories' AND type IN ('table', 'index') ORDER BY type DESC`,
    )
    .all()
  for (const { sql } of parts) {
    if (sql === null) continue
    const text = String(sql)
    ledger.raw.exec(
      text
        .replace(/^CREATE TABLE "?memories"?/, 'CREATE TEMP TABLE memories')
        .replace(/^CREATE INDEX /, 'CREATE INDEX temp.'),
    )
  }
}

/** Those that were said, said again or replaced since the last time, as they were then. */
function insertMemories(columns: readonly string[]): string {
  const isReplaced = 'superseded_by IN (SELECT id FROM main.memories WHERE valid_from < $to)'
  const past: Record<string, string> = {
    confirmed_at: 'iif(confirmed_at < $to, confirmed_at, valid_from)',
    said: 'iif(confirmed_at < $to, said, 1)',
    superseded_by: `iif(${isReplaced}, superseded_by, NULL)`,
    superseded_at: `iif(${isReplaced}, superseded_at, NULL)`,
  }
  return `INSERT OR REPLACE INTO temp.memories (${columns.join(', ')})
    SELECT ${columns.map((name) => past[name] ?? name).join(', ')} FROM main.memories
    WHERE valid_from < $to AND number IN (
      SELECT number FROM main.memories WHERE valid_from >= $from AND valid_from < $to
      UNION SELECT number FROM main.memories WHERE confirmed_at >= $from AND confirmed_at < $to
      UNION SELECT number FROM main.memories WHERE superseded_at IS NOT NULL
        AND superseded_by IN (SELECT id FROM main.memories WHERE valid_from >= $from AND valid_from < $to))`
}
