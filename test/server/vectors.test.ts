// The search by meaning: PGlite with pgvector, and an endpoint on loopback whose vectors are scripted.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { vector } from '@electric-sql/pglite-pgvector'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller, Services } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { pgliteDatabase } from '../../src/server/database/pglite.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { embedderAt, embedderOf } from '../../src/server/search/embedder.ts'
import { recallItems } from '../../src/server/search/recall.ts'
import { createVectorIndexer } from '../../src/server/search/vector-indexer.ts'
import { acquireLease, ensureVectorTables, releaseLease } from '../../src/server/store/vectors.ts'
import { hashOfDocument } from '../../src/sync/item-hash.ts'
import { waitFor } from '../wait-for.ts'
import { databases, loadPglite, serverDatabase } from './databases.ts'
import { addMember, addPerson, memory, type Person, pushedItem, refreshCaller, servicesOn } from './sample-team.ts'

/** Directions of meaning: a text is the sum of the words it has. */
const meanings: Record<string, number> = { car: 0, vehicle: 0, automobile: 0, bread: 1, bakery: 1, ship: 2 }

function vectorOf(text: string): number[] {
  const sum = [0.01, 0.01, 0.01]
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) if (word in meanings) sum[meanings[word]!]! += 1
  return sum
}

let endpoint: Server
let url: string
let asked: string[][] = []
let answer: (input: string[]) => { status: number; body: unknown }
let database: ServerDatabase
let person: Person
let services: Services

beforeAll(async () => {
  endpoint = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { input } = JSON.parse(body) as { input: string[] }
    asked.push(input)
    const { status, body: content } = answer(input)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`
  database = pgliteDatabase(await loadPglite({ extensions: { vector } }), 'PGlite', () => {})
  await ensureVectorTables(database)
})
afterAll(async () => {
  endpoint.close()
  await database.close()
})

beforeEach(async () => {
  asked = []
  answer = vectorsFor
  await database.query('TRUNCATE users, teams, spaces, items, item_vectors, vector_lease CASCADE')
  person = await addPerson(database, 'ann')
  services = { ...servicesOn(database), embed: embedderAt({ url, model: 'small' }) }
})

function vectorsFor(input: string[]) {
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }))
  return { status: 200, body: { data: data.reverse() } }
}

async function store(memories: Record<string, Parameters<typeof memory>>) {
  const items = Object.entries(memories).map(([id, given]) => pushedItem(id, memory(...given)))
  await applyBatch(services, person.me, items)
}

async function fill() {
  const work = createVectorIndexer(services)
  work.wake(null)
  await waitFor(async () => work.failures() > 0 || (await isFilled()))
  await work.stop()
  return work.failures()
}

async function isFilled() {
  const { rows } = await counted(`SELECT count(*) AS rows FROM items WHERE search IS NOT NULL
    AND NOT tags && ARRAY['private', 'sensitive']`)
  return (
    rows === (await counted('SELECT count(*) AS rows FROM item_vectors v JOIN items i USING (space_id, id, hash)')).rows
  )
}

async function counted(sql: string) {
  return (await database.query<{ rows: number }>(sql))[0]!
}

function caller(...others: Caller['spaces'] extends ReadonlyMap<string, infer A> ? A[] : never): Caller {
  const spaces = new Map([person.me, ...others].map((access) => [access.space, access]))
  return { userId: person.userId, user: 'ann', keyId: 'k', role: 'admin', keyExpiresAt: null, spaces }
}

async function ask(query: string, as = caller(), project?: string) {
  const { items, meaning } = await recallItems(services, await refreshCaller(database, as), {
    query,
    limit: 10,
    sort: 'relevance',
    project,
  })
  return { ids: items.map(({ id }) => id), meaning }
}

describe('search by meaning', () => {
  it('finds items without a common word', async () => {
    await store({ 'm-car': ['The automobile is parked'], 'm-word': ['A vehicle list'], 'm-bread': ['Bread is baked'] })
    expect(await ask('vehicle')).toEqual({ ids: ['m-word'], meaning: 'used' })
    expect(await fill()).toBe(0)
    const { ids } = await ask('vehicle')
    expect(ids.slice(0, 2)).toEqual(['m-word', 'm-car'])
  })

  it('embeds no private, sensitive, inbox or deleted memories', async () => {
    await store({
      'm-open': ['The car is red'],
      'm-private': ['The car is stolen', { tags: ['private'] }],
      'm-sensitive': ['The car is Bob’s', { tags: ['sensitive'] }],
      'm-inbox': ['The car is blue', { state: 'inbox' }],
    })
    await fill()
    expect(asked.flat()).toEqual(['The car is red'])
  })

  it('deletes vectors of private memories and renews those of changed ones', async () => {
    const [first, second] = [memory('The car is red'), memory('The ship is red')]
    await store({ 'm-1': ['The car is red'], 'm-2': ['The ship is red'] })
    await fill()
    await applyBatch(services, person.me, [
      pushedItem('m-1', memory('The bakery is red'), { version: 1, hash: hashOfDocument(first) }),
      pushedItem('m-2', memory('The ship is red', { tags: ['private'] }), { version: 1, hash: hashOfDocument(second) }),
    ])
    asked = []
    await fill()
    expect(asked.flat()).toEqual(['The bakery is red'])
    expect(await database.query('SELECT id FROM item_vectors')).toEqual([{ id: 'm-1' }])
    expect((await ask('automobile')).ids[0]).not.toBe('m-2')
  })

  it('searches only visible spaces and projects', async () => {
    const ben = await addPerson(database, 'ben')
    const bens = await addMember(database, 'ops', ben)
    await applyBatch(services, ben.me, [pushedItem('m-ben', memory('A car of Ben'))])
    await applyBatch(services, bens, [
      pushedItem('m-app', memory('A car of the app', { project: 'app' })),
      pushedItem('m-site', memory('A car of the site', { project: 'site' })),
    ])
    await store({ 'm-mine': ['My car'] })
    await fill()
    const anns = await addMember(database, 'ops', person, { role: 'reader', projects: ['site'] })
    expect((await ask('automobile', caller(anns))).ids.sort()).toEqual(['m-mine', 'm-site'])
    expect((await ask('automobile', caller(anns), 'site')).ids).toEqual(['m-site'])
  })

  it('continues after a stop without repeating work', async () => {
    await store(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`m-${n}`, [`Car number ${n}`]])))
    const work = createVectorIndexer(services)
    const stopped = new Promise<void>((resolve) => {
      answer = (input) => {
        resolve(work.stop())
        return vectorsFor(input)
      }
    })
    work.wake(person.me.spaceId)
    await stopped
    expect(asked.flat().length).toBeLessThan(40)
    answer = vectorsFor
    await fill()
    expect(asked.flat().length).toBe(40)
    expect(new Set(asked.flat()).size).toBe(40)
  })

  it('skips texts that the endpoint rejects', async () => {
    await store({ 'm-1': ['Car one'], 'm-2': ['Car cursed'], 'm-3': ['Car three'] })
    answer = (input) => (input.some((text) => text.includes('cursed')) ? { status: 400, body: {} } : vectorsFor(input))
    expect(await fill()).toBe(0)
    expect((await ask('automobile')).ids.sort()).toEqual(['m-1', 'm-3'])
  })

  it('computes all vectors again for another model', async () => {
    await store({ 'm-1': ['Car one'] })
    await fill()
    services = { ...services, embed: embedderAt({ url, model: 'large' }) }
    expect((await ask('automobile')).ids).toEqual([])
    const work = createVectorIndexer(services)
    work.wake(null)
    await waitFor(async () => (await ask('automobile')).ids.length > 0)
    await work.stop()
    expect(await database.query('SELECT model FROM item_vectors')).toEqual([{ model: 'large' }])
  })

  it.each([
    ['an error', () => ({ status: 500, body: {} })],
    ['too few vectors', () => ({ status: 200, body: { data: [] } })],
    ['vectors of another length', () => ({ status: 200, body: { data: [{ embedding: [1] }] } })],
    ['no JSON of that shape', () => ({ status: 200, body: 'hello' })],
  ])('answers by words where the endpoint answers with %s', async (_, failing) => {
    await store({ 'm-1': ['The vehicle'], 'm-2': ['The car'] })
    await fill()
    answer = failing
    expect(await ask('vehicle')).toEqual({ ids: ['m-1'], meaning: 'failed' })
  })

  it('counts failures and continues', async () => {
    await store({ 'm-1': ['Car one'] })
    answer = () => ({ status: 503, body: {} })
    const work = createVectorIndexer(services, { pauseMs: 10 })
    work.wake(null)
    await waitFor(async () => work.failures() > 1)
    answer = vectorsFor
    await waitFor(isFilled)
    await work.stop()
    expect((await ask('automobile')).ids).toEqual(['m-1'])
  })

  it('waits while another instance has the lease', async () => {
    await store({ 'm-1': ['Car one'] })
    await fill()
    await store({ 'm-2': ['Car two'] })
    expect(await acquireLease(database, 'another')).toBe(true)
    expect(await acquireLease(database, 'this one')).toBe(false)
    asked = []
    let tries = 0
    const counting: ServerDatabase = {
      ...database,
      query(text, values) {
        if (text.includes('INSERT INTO vector_lease')) tries++
        return database.query(text, values)
      },
    }
    const work = createVectorIndexer({ ...services, database: counting }, { pauseMs: 10 })
    work.wake(null)
    await waitFor(() => tries > 2)
    expect(asked).toEqual([])
    await releaseLease(database, 'another')
    await waitFor(isFilled)
    await work.stop()
    expect(asked.flat()).toEqual(['Car two'])
  })
})

describe.each(databases)('recallItems without pgvector on $name', ({ open }) => {
  it('searches by words only', async () => {
    const opened = await open()
    const ann = await addPerson(opened.database, 'ann')
    const set = { ...servicesOn(opened.database), embed: embedderAt({ url, model: 'small' }) }
    await applyBatch(set, ann.me, [pushedItem('m-1', memory('The vehicle'))])
    const work = createVectorIndexer(set)
    work.wake(null)
    const as = { ...caller(), spaces: new Map([['me', ann.me]]) }
    const { items, meaning } = await recallItems(set, await refreshCaller(set.database, as), {
      query: 'vehicle',
      limit: 10,
      sort: 'relevance',
    })
    await work.stop()
    await opened.stop()
    expect([items.map(({ id }) => id), meaning]).toEqual([['m-1'], 'failed'])
    expect(asked).toEqual([])
  })
})

describe('recallItems without an embedder', () => {
  it('is off and creates no table', async () => {
    const opened = await serverDatabase.open()
    const set = servicesOn(opened.database)
    const ann = await addPerson(opened.database, 'ann')
    const work = createVectorIndexer(set)
    work.wake(null)
    const as = { ...caller(), spaces: new Map([['me', ann.me]]) }
    const { meaning } = await recallItems(set, await refreshCaller(set.database, as), {
      query: 'vehicle',
      limit: 10,
      sort: 'relevance',
    })
    await work.stop()
    const tables = await opened.database.query(`SELECT to_regclass('item_vectors') AS name`)
    await opened.stop()
    expect([meaning, tables]).toEqual(['off', [{ name: null }]])
  })

  it.each([
    [{}, undefined],
    [{ RECOLLECT_EMBEDDINGS: 'http://localhost:11434/v1' }, undefined],
    [{ RECOLLECT_EMBEDDINGS: 'http://localhost:11434/v1', RECOLLECT_EMBEDDINGS_MODEL: 'small' }, 'small'],
  ])('reads %j as the model %s', (env, model) => {
    expect(embedderOf(env)?.model).toBe(model)
  })
})
