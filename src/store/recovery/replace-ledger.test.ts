import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { layoutOf } from '../../core/paths.ts'
import { openDatabase } from '../../core/sqlite.ts'
import { openLedger } from '../ledger.ts'
import { changeMemories } from '../memories/changes.ts'
import { listMemories } from '../memories/memories.ts'
import { ledgerHealth, replaceLedger } from './replace-ledger.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-replace-'))
  const ledger = openLedger(layoutOf(root))
  ledger.transaction(() => {
    ledger.raw.exec(`
      INSERT INTO spaces (name, id, role) VALUES ('me', 'space-1', 'admin');
      INSERT INTO pattern_reviews (pattern, verdict, title, evidence, note, at) VALUES ('p-1', 'rejected', 'A title', '{}', 'No', 1);
    `)
    const memories = Array.from({ length: 400 }, (_, index) =>
      sampleMemory({ id: `m-${index}`, text: `Statement ${index} `.repeat(20) }),
    )
    changeMemories(ledger, { at: '2026-11-01T10:00:00.000Z', kind: 'learned', about: 'a session' }, memories)
  })
  ledger.close()
})
afterEach(() => rmSync(root, { recursive: true }))

/** Overwrites the page of a table with this number among its pages. */
function damagePage(table: string, number: number): void {
  const { ledger } = layoutOf(root)
  const database = openDatabase(ledger, { readOnly: true })
  const rootPage = Number(database.sql('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)!.rootpage)
  const pageSize = Number(database.raw.prepare('PRAGMA page_size').get()!.page_size)
  database.close()
  const handle = openSync(ledger, 'r+')
  writeSync(handle, Buffer.alloc(pageSize, 0xee), 0, pageSize, (rootPage - 1 + number) * pageSize)
  closeSync(handle)
}

function replaced() {
  const layout = layoutOf(root)
  const health = ledgerHealth(layout)
  if (health.kind !== 'damaged') throw new Error(health.kind)
  const recovery = replaceLedger(layout, health.reason, '2026-11-02T10:00:00.000Z')
  const ledger = openLedger(layout)
  const counted = (table: string) => Number(ledger.sql(`SELECT count(*) AS count FROM ${table}`).get()!.count)
  try {
    return {
      incomplete: recovery.incomplete,
      memories: listMemories(ledger).length,
      spaces: counted('spaces'),
      reviews: counted('pattern_reviews'),
      versions: counted('memory_versions'),
    }
  } finally {
    ledger.close()
  }
}

describe('replaceLedger', () => {
  it('copies memories, their history, reviews and sync state if only another table is damaged', () => {
    damagePage('model_calls', 0)
    expect(replaced()).toEqual({ incomplete: ['model_calls'], memories: 400, spaces: 1, reviews: 1, versions: 400 })
  })

  it('copies no sync state if memories are missing: they would count as deleted', () => {
    damagePage('memories', 0)
    expect(replaced()).toMatchObject({ incomplete: ['memories'], memories: 0, spaces: 0, reviews: 1 })
  })

  it('reads the rows around a damaged page', () => {
    const { ledger } = layoutOf(root)
    const database = openDatabase(ledger, { readOnly: true })
    const pages = database
      .sql(`SELECT pageno FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf' ORDER BY path`)
      .all()
      .map((row) => Number(row.pageno))
    const pageSize = Number(database.raw.prepare('PRAGMA page_size').get()!.page_size)
    database.close()
    const handle = openSync(ledger, 'r+')
    const damaged = pages[Math.floor(pages.length / 2)]!
    writeSync(handle, Buffer.alloc(pageSize, 0xee), 0, pageSize, (damaged - 1) * pageSize)
    closeSync(handle)
    const { memories, incomplete } = replaced()
    expect(incomplete).toEqual(['memories'])
    expect(memories).toBeGreaterThan(400 - (2 * 400) / pages.length)
    expect(memories).toBeLessThan(400)
  })

  it('keeps each of several damaged ledgers', () => {
    damagePage('model_calls', 0)
    replaced()
    damagePage('model_calls', 0)
    replaced()
    expect(readdirSync(layoutOf(root).backups).sort()).toEqual([
      'damaged-2026-11-02T100000Z',
      'damaged-2026-11-02T100000Z-2',
    ])
  })
})
