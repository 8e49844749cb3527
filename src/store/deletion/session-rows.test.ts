import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { layoutOf } from '../../core/paths.ts'
import { openLedger } from '../ledger.ts'
import { sessionTables } from './session-rows.ts'

/**
 * Rows that name a session and stay: what the server was sent, the tombstones, what follows the
 * memories, and the keys of what was handed over, so that it is not captured from the other agent's
 * transcript.
 */
const kept = ['deleted_sessions', 'handed_over', 'handoffs', 'memory_sessions', 'sent_parts', 'sent_sessions']

it('covers every table with a column that names a session', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-rows-'))
  const ledger = openLedger(layoutOf(folder))
  try {
    const rows = ledger
      .sql(
        `SELECT t.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
         WHERE t.schema = 'main' AND t.type = 'table' AND c.name IN ('session', 'uid') ORDER BY t.name`,
      )
      .all()
    const known = [...Object.keys(sessionTables), ...kept]
    expect(rows.map(({ name }) => String(name)).filter((name) => !known.includes(name))).toEqual([])
  } finally {
    ledger.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
