import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databases, type OpenedDatabase, postgres } from '../../../test/server/databases.ts'
import { waitFor } from '../../../test/wait-for.ts'
import type { ServerDatabase } from './database.ts'

const hasSecond = (opened: OpenedDatabase): opened is OpenedDatabase & { second(): Promise<ServerDatabase> } =>
  opened.second !== undefined

describe.each(databases)('$name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let tables = 0
  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  beforeEach(async () => {
    await database.query('DROP TABLE IF EXISTS things; CREATE TABLE things (id integer PRIMARY KEY, name text)')
  })
  afterAll(() => opened.stop())

  it.each([
    ['text', 'plain "quoted" \\ back\nslash {a,b} é 🙂 \u2028'],
    ['text', ''],
    ['text', null],
    ['text', '{"looks":"like JSON"}'],
    ['bigint', 9_007_199_254_740_991],
    ['integer', -1],
    ['smallint', 255],
    ['real', 0.5],
    ['double precision', 0.1],
    ['boolean', true],
    ['boolean', false],
    ['uuid', '1b4e28ba-2fa1-41d2-883f-0016d3cca427'],
    ['timestamptz', '2026-03-01T10:00:00.123Z'],
    ['timestamptz', '0099-12-31T23:59:59.000Z'],
    ['jsonb', { text: 'a "b" \\ {c}', list: [1, null, { deep: true }], none: null }],
    ['jsonb', [{ id: 'a' }, 'b', 3]],
    ['jsonb', []],
    ['text[]', ['a', '', 'NULL', 'null', 'with, comma', '"quoted"', 'back\\slash', '{brace}', 'new\nline']],
    ['text[]', [null, 'a']],
    ['text[]', []],
    ['bigint[]', [1, 2_000_000_000_000]],
    ['boolean[]', [false, true]],
    ['jsonb[]', [{ a: 'x, "y"' }, [1, 2], 5]],
    ['timestamptz[]', ['2026-03-01T10:00:00.000Z', null]],
    ['bytea', Buffer.from([0, 1, 39, 92, 255])],
  ])('gives back what was written as %s: %j', async (type, value) => {
    // Its own name: connections keep the plan of a statement with its types.
    const table = `kept_${++tables}`
    await database.query(`CREATE TABLE ${table} (value ${type})`)
    const written = await database.query(`INSERT INTO ${table} VALUES ($1) RETURNING value`, [value])
    expect(written).toEqual([{ value }])
    expect(await database.query(`SELECT value FROM ${table}`)).toEqual([{ value }])
  })

  it('returns timestamps in UTC', async () => {
    expect(await database.query(`SELECT $1::timestamptz AS at`, ['2026-03-01T12:30:00+02:30'])).toEqual([
      { at: '2026-03-01T10:00:00.000Z' },
    ])
  })

  it('returns bigint as numbers and sends undefined as null', async () => {
    await database.query('INSERT INTO things VALUES ($1, $2), (2, $3)', [1, undefined, 'b'])
    expect(await database.query('SELECT count(*) AS count, count(name) AS named FROM things')).toEqual([
      { count: 2, named: 1 },
    ])
  })

  it('accepts many rows as one JSON value', async () => {
    const rows = [
      { id: 1, name: 'one' },
      { id: 2, name: null },
    ]
    await database.query(
      'INSERT INTO things SELECT * FROM jsonb_to_recordset($1::jsonb) AS row (id integer, name text)',
      [rows],
    )
    expect(await database.query('SELECT * FROM things ORDER BY id')).toEqual(rows)
    expect(await database.query('SELECT id FROM things WHERE id = ANY($1)', [[2, 3]])).toEqual([{ id: 2 }])
  })

  it('runs several statements and returns the last result', async () => {
    expect(await database.query(`INSERT INTO things VALUES (1, 'a'); SELECT name FROM things`)).toEqual([{ name: 'a' }])
  })

  it('throws the PostgreSQL error code and stays usable', async () => {
    await database.query(`INSERT INTO things VALUES (1, 'a')`)
    await expect(database.query('INSERT INTO things VALUES ($1, $2)', [1, 'b'])).rejects.toMatchObject({
      code: '23505',
    })
    expect(await database.query('SELECT name FROM things')).toEqual([{ name: 'a' }])
  })

  it('commits a transaction and returns its result', async () => {
    const result = await database.transaction(async (queries) => {
      await queries.query(`INSERT INTO things VALUES (1, 'a')`)
      return queries.query('SELECT name FROM things')
    })
    expect(result).toEqual([{ name: 'a' }])
    expect(await database.query('SELECT name FROM things')).toEqual([{ name: 'a' }])
  })

  it('rolls back a transaction that throws', async () => {
    const failing = database.transaction(async (queries) => {
      await queries.query(`INSERT INTO things VALUES (1, 'a')`)
      throw new Error('on second thought')
    })
    await expect(failing).rejects.toThrow('on second thought')
    expect(await database.query('SELECT * FROM things')).toEqual([])
  })

  it('throws if a query in the transaction failed, even if the error was caught', async () => {
    const careless = database.transaction(async (queries) => {
      await queries.query(`INSERT INTO things VALUES (1, 'a')`)
      await queries.query(`INSERT INTO things VALUES (1, 'again')`).catch(() => {})
      return 'done'
    })
    await expect(careless).rejects.toMatchObject({ code: '23505' })
    const goingOn = database.transaction(async (queries) => {
      await queries.query('SELECT no_such_column FROM things').catch(() => {})
      await queries.query('SELECT 1')
    })
    await expect(goingOn).rejects.toMatchObject({ code: '42703' })
    expect(await database.query('SELECT * FROM things')).toEqual([])
  })

  it('rejects queries outside the current transaction and after its end', async () => {
    await expect(database.transaction(() => database.query('SELECT 1'))).rejects.toThrow('only the queries of that')
    await expect(database.transaction(() => database.transaction(async () => 1))).rejects.toThrow('only the queries')
    const late = await database.transaction(async (queries) => queries)
    await expect(late.query('SELECT 1')).rejects.toThrow('is over')
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('serialises concurrent transactions that lock the same row', async () => {
    await database.query(`INSERT INTO things VALUES (1, '0')`)
    const addOne = () =>
      database.transaction(async (queries) => {
        const [row] = await queries.query<{ name: string }>('SELECT name FROM things WHERE id = 1 FOR UPDATE')
        await queries.query('UPDATE things SET name = $1 WHERE id = 1', [String(Number(row!.name) + 1)])
      })
    await Promise.all(Array.from({ length: 25 }, addOne))
    expect(await database.query('SELECT name FROM things')).toEqual([{ name: '25' }])
  })

  it('runs transactions behind any number of queries', async () => {
    const read = () => database.query('SELECT $1::int AS number', [1])
    // All connections are open and know the query, so that it is pipelined.
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 100 }, read))
    for (const count of [300, 400, 1000]) {
      const reads = Array.from({ length: count }, read)
      // Until the driver has all of them.
      for (let turn = 0; turn < 20; turn++) await null
      const begun = Array.from({ length: 20 }, () =>
        database.transaction((queries) => queries.query('SELECT 2 AS number')),
      )
      expect(await Promise.all(begun)).toEqual(begun.map(() => [{ number: 2 }]))
      expect(await Promise.all(reads)).toEqual(reads.map(() => [{ number: 1 }]))
    }
  })

  it('gives up after five serialisation failures', async () => {
    let tries = 0
    const hopeless = database.transaction(async (queries) => {
      tries++
      await queries.query(`DO $$ BEGIN RAISE EXCEPTION 'met another' USING ERRCODE = '40001'; END $$`)
    })
    await expect(hopeless).rejects.toMatchObject({ code: '40001' })
    expect(tries).toBe(5)
  })

  it('never shows a password in its name', () => {
    expect(database.name).not.toContain('made-up')
  })
})

describe('PostgreSQL with two instances', () => {
  it('retries the victim of a deadlock', async () => {
    const opened = await postgres.open()
    if (!hasSecond(opened)) throw new Error('PostgreSQL takes several instances')
    const { database } = opened
    const other = await opened.second()
    await database.query(
      `CREATE TABLE things (id integer PRIMARY KEY, count integer); INSERT INTO things VALUES (1, 0), (2, 0)`,
    )

    // Each holds its first row until the other has its own: then each asks for the other's.
    const both = barrier(2)
    let tries = 0
    const swap = (instance: ServerDatabase, first: number, second: number) =>
      instance.transaction(async (queries) => {
        tries++
        await queries.query('UPDATE things SET count = count + 1 WHERE id = $1', [first])
        await both()
        await queries.query('UPDATE things SET count = count + 1 WHERE id = $1', [second])
      })
    await Promise.all([swap(database, 1, 2), swap(other, 2, 1)])

    // The victim may deadlock once more before the other transaction has finished.
    expect(tries).toBeGreaterThanOrEqual(3)
    expect(await database.query('SELECT count FROM things')).toEqual([{ count: 2 }, { count: 2 }])
    await opened.stop()
  })
})

describe('PostgreSQL that closes a connection', () => {
  it.each([
    ['while a query runs', 'SELECT pg_sleep(60)'],
    ['between two queries', 'SELECT 1'],
  ])('%s fails the transaction alone', async (_, text) => {
    const opened = await postgres.open()
    if (!hasSecond(opened)) throw new Error('PostgreSQL takes several instances')
    const { database } = opened
    const other = await opened.second()
    const terminate = async (pid: unknown) => {
      await other.query('SELECT pg_terminate_backend($1::int)', [pid])
      await waitFor(
        async () => (await other.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).length === 0,
      )
    }
    const failing = database.transaction(async (queries) => {
      const [row] = await queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const isRunning = text.includes('sleep')
      const running = isRunning ? queries.query(text) : undefined
      running?.catch(() => {})
      await terminate(row!.pid)
      await running
      // The driver learns of it with the next event.
      await new Promise((resolve) => setImmediate(resolve))
      await queries.query(text)
    })
    await expect(failing).rejects.toThrow()
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(await database.transaction((queries) => queries.query('SELECT 2 AS two'))).toEqual([{ two: 2 }])
    await opened.stop()
  })
})

/** Waits until so many have come; open from then on. */
function barrier(many: number): () => Promise<void> {
  let come = 0
  let openUp = () => {}
  const isOpen = new Promise<void>((resolve) => {
    openUp = resolve
  })
  return () => {
    if (++come >= many) openUp()
    return isOpen
  }
}
