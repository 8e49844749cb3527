import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../core/paths.ts'
import { openLedger } from '../ledger.ts'
import { derivedTables, salvagedTables } from './salvage.ts'

let root: string | undefined
afterEach(() => {
  if (root) rmSync(root, { recursive: true })
})

describe('salvage', () => {
  it('copies every table of the ledger that is not derived', () => {
    root = mkdtempSync(join(tmpdir(), 'recollect-salvage-'))
    const ledger = openLedger(layoutOf(root))
    const tables = ledger
      .sql(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'passage\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .all()
      .map((row) => String(row.name))
    ledger.close()
    expect([...salvagedTables, ...derivedTables].sort()).toEqual(tables)
  })
})
