import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { layoutOf } from '../core/paths.ts'
import { openLedger } from '../store/ledger.ts'
import { memoryFieldEntries } from './fields.ts'
import { memoryDocumentFields } from './schema.ts'

describe('memoryFields', () => {
  it('has a column of the ledger for every field, and a field for every column', () => {
    const root = mkdtempSync(join(tmpdir(), 'recollect-fields-'))
    const ledger = openLedger(layoutOf(root))
    const columns = ledger.sql("SELECT name FROM pragma_table_info('memories') WHERE name <> 'number'").all()
    ledger.close()
    rmSync(root, { recursive: true })
    expect(columns.map(({ name }) => String(name)).toSorted()).toEqual(
      memoryFieldEntries.map(([, { column }]) => column).toSorted(),
    )
  })

  it('has a schema for every synced field', () => {
    const synced = memoryFieldEntries.filter(([, { isSynced }]) => isSynced).map(([name]) => name)
    expect(synced.toSorted()).toEqual(Object.keys(memoryDocumentFields).toSorted())
  })

  it('uses every frontmatter key once', () => {
    const keys = memoryFieldEntries.flatMap(([, { frontmatter }]) => (frontmatter ? [frontmatter.key] : []))
    expect(new Set(keys).size).toBe(keys.length)
  })
})
