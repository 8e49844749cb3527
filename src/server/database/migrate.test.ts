import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isProof } from '../../../test/proof.ts'
import { databases, type OpenedDatabase, postgres } from '../../../test/server/databases.ts'
import { addPerson, memory, pushedItem, servicesOn } from '../../../test/server/sample-team.ts'
import { waitFor } from '../../../test/wait-for.ts'
import { hashOfDocument } from '../../sync/item-hash.ts'
import { applyBatch } from '../push/apply-batch.ts'
import { itemsByIds } from '../store/items.ts'
import { pullItems } from '../store/pull-items.ts'
import { reindexItems } from '../store/reindex.ts'
import { connectDatabase } from './connect.ts'
import type { ServerDatabase } from './database.ts'
import { migrate, migrations } from './migrate.ts'

const next = { name: 'colours', sql: "CREATE TABLE colours (name text); INSERT INTO colours VALUES ('red')" }

describe.each(databases)('migrate on $name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  beforeEach(async () => {
    opened = await open()
    database = opened.database
  })
  afterEach(() => opened.stop())

  it('applies nothing the second time', async () => {
    expect(await migrate(database)).toEqual([])
    expect(await database.query('SELECT name FROM migrations ORDER BY number')).toEqual(
      migrations.map(({ name }) => ({ name })),
    )
  })

  it('recomputes the search index of the items that are there', async () => {
    await database.query(
      `INSERT INTO items (space_id, id, kind, version, seq, hash, bucket, mark, document, search, author_id)
       SELECT '00000000-0000-0000-0000-000000000001', 'm-' || n, 'memory', 1, n, 'h', 0, 0,
         jsonb_build_object('text', 'They saved number ' || n, 'state', 'kept'), 'old:1'::tsvector, 1
       FROM generate_series(1, 1200) AS n`,
    )
    await migrate(database, [...migrations, { name: 'again', run: reindexItems }])
    expect(await database.query(`SELECT count(*)::int AS rows FROM items WHERE search::text LIKE '%save%'`)).toEqual([
      { rows: 1200 },
    ])
  })

  it('applies new steps in order', async () => {
    const another = { name: 'and sizes', sql: 'ALTER TABLE colours ADD COLUMN size integer DEFAULT 3' }
    expect(await migrate(database, [...migrations, next, another])).toEqual(['colours', 'and sizes'])
    expect(await database.query('SELECT * FROM colours')).toEqual([{ name: 'red', size: 3 }])
  })

  it('rolls back a failing step and keeps the earlier ones', async () => {
    const broken = { name: 'broken', sql: 'CREATE TABLE half (id integer); SELECT no_such_column FROM colours' }
    await expect(migrate(database, [...migrations, next, broken])).rejects.toMatchObject({ code: '42703' })
    expect(await tablesOf(database)).toContain('colours')
    expect(await tablesOf(database)).not.toContain('half')
    expect(await migrate(database, [...migrations, next])).toEqual([])
  })

  it('refuses a newer database without changing it', async () => {
    await migrate(database, [...migrations, next])
    const before = await tablesOf(database)
    await expect(migrate(database)).rejects.toThrow('newer than this program: it has the unknown migration "colours"')
    expect(await tablesOf(database)).toEqual(before)
  })
})

describe('migrate on PostgreSQL', () => {
  it('writes links that were set before into the documents, as new versions', async () => {
    const opened = await postgres.open()
    const { database } = opened
    const { me } = await addPerson(database, 'ann')
    const items = ['a', 'b', 'c'].map((id) => pushedItem(id, memory(`Statement ${id}`)))
    await applyBatch(servicesOn(database), me, items)
    // As an earlier version left them: in the table only.
    await database.query(
      `INSERT INTO links (space_id, from_id, type, to_id, created_by)
       VALUES ($1, 'a', 'supersedes', 'b', 1), ($1, 'a', 'see-also', 'c', 1), ($1, 'x', 'see-also', 'y', 1)`,
      [me.spaceId],
    )
    await database.query(`DELETE FROM migrations WHERE name = 'links in the documents of memories'`)
    expect(await migrate(database)).toEqual(['links in the documents of memories'])
    const read = await itemsByIds(database, me, ['a', 'b', 'c'])
    const byId = Object.fromEntries(read.map((item) => [item.id, item]))
    expect(byId.a).toMatchObject({ version: 2, document: { links: ['see-also c'], version: 2 } })
    expect(byId.b).toMatchObject({ version: 2, document: { supersededBy: 'a' } })
    expect(byId.c).toMatchObject({ version: 1 })
    for (const { hash, document } of read) expect(hash).toBe(hashOfDocument(document))
    expect((await pullItems(database, me, { after: 3, limit: 10 })).items.map(({ id }) => id).toSorted()).toEqual([
      'a',
      'b',
    ])
    await opened.stop()
  })

  it('runs once for concurrent instances', async () => {
    const opened = await postgres.open()
    const instances = [opened.database, await opened.second!(), await opened.second!()]
    const slow = { name: 'slow', sql: `${next.sql}; SELECT pg_sleep(0.2)` }
    const done = await Promise.all(instances.map((instance) => migrate(instance, [...migrations, slow])))
    expect(done.flat()).toEqual(['slow'])
    expect(await opened.database.query('SELECT * FROM colours')).toEqual([{ name: 'red' }])
    await opened.stop()
  })

  it('leaves no partial step when the process is killed', async () => {
    const opened = await postgres.open()
    const { database } = opened
    const child = spawn(process.execPath, ['--input-type=module', '-e', killedInTheMiddle], {
      env: { ...process.env, DATABASE_URL: opened.url! },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await waitFor(async () => {
      const rows = await database.query(
        `SELECT 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid() AND datname = current_database()`,
      )
      return rows.length > 0
    })
    child.kill('SIGKILL')
    await once(child, 'exit')
    // PostgreSQL notices a client that is gone when it next writes to it.
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid() AND datname = current_database()`,
    )
    expect(await migrate(database, [...migrations, next])).toEqual(['colours'])
    expect(await database.query('SELECT * FROM colours')).toEqual([{ name: 'red' }])
    await opened.stop()
  })
})

describe('migrate on a PGlite folder', () => {
  it.runIf(isProof)('persists, and continues after a kill', async () => {
    const home = mkdtempSync(join(tmpdir(), 'recollect-pglite-'))
    const folder = join(home, 'server')
    const child = spawn(process.execPath, ['--input-type=module', '-e', killedInTheMiddle], {
      env: { ...process.env, FOLDER: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout!, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const database = await connectDatabase({ folder })
    expect(await migrate(database, [...migrations, next])).toEqual(['colours'])
    expect(await database.query('SELECT * FROM colours')).toEqual([{ name: 'red' }])
    await database.close()
    const again = await connectDatabase({ folder })
    expect(await migrate(again, [...migrations, next])).toEqual([])
    await again.close()
    rmSync(home, { recursive: true, force: true })
  })
})

/** Stops for a minute after the step that makes the table, before it is committed. */
const killedInTheMiddle = `
  import { connectDatabase } from '${new URL('connect.ts', import.meta.url)}'
  import { migrate, migrations } from '${new URL('migrate.ts', import.meta.url)}'
  const database = await connectDatabase({ url: process.env.DATABASE_URL, folder: process.env.FOLDER })
  await migrate(database)
  console.log('begins')
  await migrate(database, [...migrations, { name: 'colours', sql: "CREATE TABLE colours (name text); SELECT pg_sleep(60)" }])
`

async function tablesOf(database: ServerDatabase): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )
  return tables.map(({ name }) => name)
}
