import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../core/paths.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { migrations } from './migrations.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-schema-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('the schema of a new ledger', () => {
  it('is what the migrations make of an empty one', async () => {
    // Another list than the usual one, which a new ledger does not go through.
    const migrated = openLedger(layoutOf(join(root, 'migrated')), [...migrations])
    await expect(schemaFile(migrated)).toMatchFileSnapshot('schema.sql')
    const made = openLedger(layoutOf(join(root, 'made')))
    expect(statements(made)).toEqual(statements(migrated))
    expect(made.sql('PRAGMA user_version').get()).toEqual(migrated.sql('PRAGMA user_version').get())
    migrated.close()
    made.close()
  })
})

function schemaFile(ledger: Ledger): string {
  return `-- The schema of a new ledger and its first rows, so that it need not go through the migrations. Written by
-- schema.test.ts: npm run test:unit -- src/store/schema.test.ts -u
${statements(ledger).join(';\n')};
`
}

/** That make the schema, in the order in which they were added, and the rows. */
function statements(ledger: Ledger): string[] {
  const made = ledger
    .sql(`SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY rowid`)
    .all()
  const tables = made.filter(({ type }) => type === 'table').map(({ name }) => String(name))
  return [...made.map(({ sql }) => indented(String(sql))), ...tables.flatMap((table) => insertions(ledger, table))]
}

/** One column in a line: SQLite appends those that a migration adds to the last one. */
function indented(sql: string): string {
  const lines = sql.split('\n').map((line) => line.trim())
  const [first, ...rest] = lines.flatMap((line) => (line.startsWith(',') ? line.split(/(?=, \w)|(?=\) STRICT)/) : line))
  return [first, ...rest.map((line) => (line.startsWith(')') ? line : `  ${line}`))].join('\n')
}

function insertions(ledger: Ledger, table: string): string[] {
  const columns = ledger.sql(`SELECT name FROM pragma_table_info('${table}')`).all()
  const values = columns.map(({ name }) => `quote(${name})`).join(` || ', ' || `)
  const rows = ledger.sql(`SELECT ${values} AS quoted FROM ${table}`).all()
  return rows.map(({ quoted }) => `INSERT INTO ${table} VALUES (${quoted})`)
}
