// The server behind a PgBouncer that gives every transaction another connection. `npm run test:proof` also runs the suites of all
// databases through it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { createPushQueue } from '../../src/server/push/push-queue.ts'
import { type OpenedDatabase, pgbouncer, postgres } from './databases.ts'
import { pgbouncerPath } from './pgbouncer.ts'
import { addPerson, memory, pushedItem, servicesOn } from './sample-team.ts'
import { addKey, ask, createTestApp } from './test-app.ts'

if (pgbouncerPath === undefined)
  console.log('The tests behind PgBouncer are skipped: it is not installed (apt-get install pgbouncer).')

const folder = '/home/dev/unused'

describe.runIf(pgbouncerPath)('behind PgBouncer', () => {
  let opened: OpenedDatabase
  beforeAll(async () => {
    opened = await pgbouncer.open()
  })
  afterAll(() => opened.stop())

  it('is detected, and uses no prepared statements unless the URL says so', async () => {
    const { database, url } = opened
    expect(database.name).toMatch(/ through a pooler$/)
    const prepared = async (text: string) => {
      const connected = await connectDatabase({ url: text, folder })
      const rows = await connected.transaction(async (queries) => {
        await queries.query('SELECT $1::int', [1])
        return queries.query('SELECT 1 FROM pg_prepared_statements WHERE statement LIKE $1', ['%$1::int%'])
      })
      await connected.close()
      return rows.length
    }
    expect(await prepared(url!)).toBe(0)
    expect(await prepared(`${url}?prepare=true`)).toBe(1)
  })

  it('migrates once, however many instances start at once', async () => {
    const [one, two] = [await opened.second!(), await opened.second!()]
    await one.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    const steps = await Promise.all([migrate(one), migrate(two)])
    expect(steps.flat().length).toBeGreaterThan(0)
    expect(new Set(steps.flat()).size).toBe(steps.flat().length)
  })

  it('pushes, pulls and recalls with more requests than connections', async () => {
    const { database } = opened
    const httpApp = createTestApp(database)
    const names = Array.from({ length: 30 }, (_, number) => `user-${number}`)
    const keys: string[] = []
    for (const name of names) {
      await addPerson(database, name)
      keys.push((await addKey(database, name)).text)
    }
    await Promise.all(
      keys.map(async (key, number) => {
        for (const round of [1, 2, 3]) {
          const items = [pushedItem(`m-${round}`, memory(`Periwinkle ${number} in round ${round}`))]
          const pushed = await ask(httpApp, 'POST', '/api/spaces/me/push', { key, body: { items } })
          expect(pushed.json.results).toMatchObject([{ status: 'stored', version: 1 }])
        }
        const recalled = await ask(httpApp, 'POST', '/api/recall', { key, body: { query: 'periwinkle' } })
        expect(recalled.json.items).toHaveLength(3)
        const pulled = await ask(httpApp, 'GET', '/api/spaces/me/pull', { key })
        expect(pulled.json.items.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
      }),
    )
  })

  it('keeps the settings of a transaction to it', async () => {
    const { database } = opened
    const settings = `SELECT current_setting('lock_timeout') AS lock, current_setting('TimeZone') AS zone`
    const inside = await database.transaction((queries) => queries.query(settings))
    expect(inside).toEqual([{ lock: '10s', zone: 'UTC' }])
    expect(await Promise.all(Array.from({ length: 20 }, () => database.query(settings)))).toEqual(
      Array.from({ length: 20 }, () => [{ lock: '0', zone: 'UTC' }]),
    )
  })

  it('numbers the pushes of a space in their order', async () => {
    const { database } = opened
    const ada = await addPerson(database, 'ada')
    const queue = createPushQueue(servicesOn(database))
    const numbers = Array.from({ length: 40 }, (_, number) => number)
    await Promise.all(
      numbers.map((number) => queue.apply(ada.me, [pushedItem(`m-${number}`, memory(`Number ${number}`))])),
    )
    const rows = await database.query('SELECT seq FROM items WHERE space_id = $1 ORDER BY seq', [ada.me.spaceId])
    expect(rows).toEqual(numbers.map((number) => ({ seq: number + 1 })))
  })
})

it('a direct connection is not taken for a pooler', async () => {
  const direct = await postgres.open()
  const database = await connectDatabase({ url: direct.url, folder })
  expect(database.name).not.toMatch('pooler')
  await database.close()
  await direct.stop()
})
