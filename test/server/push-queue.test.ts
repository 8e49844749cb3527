// Pushes that arrive while others run are applied together. The first ones of each test occupy the queue, so that the rest forms one
// group.
import { beforeEach, describe, expect, it } from 'vitest'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { createPushQueue, type PushQueue } from '../../src/server/push/push-queue.ts'
import { revokeKey } from '../../src/server/store/keys.ts'
import { databases, type OpenedDatabase, postgres } from './databases.ts'
import { addMember, addPerson, baseOf, memory, type Person, pushedItem, servicesOn, sharedItem } from './sample-team.ts'
import { addKey } from './test-app.ts'
import { waitForBlockedQuery } from './wait-for-blocked-query.ts'

describe.each(databases)('pushes at the same time on $name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let queue: PushQueue
  let people: Person[]
  let transactions: number
  beforeEach(async () => {
    opened = await open()
    database = opened.database
    people = []
    for (const name of ['ada', 'bob', 'cy', 'dora', 'eve']) people.push(await addPerson(database, name))
    transactions = 0
    queue = createPushQueue(servicesOn(counting(database)))
    return () => opened.stop()
  })

  function counting(counted: ServerDatabase): ServerDatabase {
    return {
      ...counted,
      transaction(work) {
        transactions++
        return counted.transaction(work)
      },
    }
  }

  /** Runs until others are under way. */
  const occupy = () => people.slice(3).map(({ me }) => queue.apply(me, [pushedItem('m-first', memory('First'))]))

  it('share a transaction and get their own results', async () => {
    const [ada, bob, cy] = people as [Person, Person, Person]
    const first = occupy()
    const results = await Promise.all([
      queue.apply(ada.me, [pushedItem('m-1', memory('One')), pushedItem('m-2', memory('Two'))]),
      queue.apply(bob.me, [pushedItem('m-1', memory('Of Bob'))]),
      queue.apply(cy.me, [pushedItem('m-3', memory('token', { text: `AKIA${'Q7ZK4MX2WNB5RTYP'}` }))]),
      queue.apply(ada.me, [pushedItem('m-4', memory('One'))]),
    ])
    await Promise.all(first)
    expect(results).toMatchObject([
      [
        { id: 'm-1', status: 'stored', version: 1 },
        { id: 'm-2', status: 'stored', version: 1 },
      ],
      [{ id: 'm-1', status: 'stored', version: 1 }],
      [{ id: 'm-3', status: 'refused', reason: 'secret' }],
      [{ id: 'm-4', status: 'duplicate', of: { id: 'm-1', author: 'ada' } }],
    ])
    expect(transactions).toBe(3)
    expect(await seqsOf(ada.me.spaceId)).toEqual([1, 2])
    expect(await auditOf(ada.me.spaceId)).toEqual([
      { counts: { stored: 2 }, written: ['m-1', 'm-2'], deleted: [] },
      { counts: { duplicate: 1 }, written: [], deleted: [] },
    ])
    expect(await auditOf(cy.me.spaceId)).toEqual([{ counts: { refused: 1 }, written: [], deleted: [] }])
  })

  it('compare and swap: of two changes of a version one wins', async () => {
    const [ada] = people as [Person]
    const start = memory('Start')
    await queue.apply(ada.me, [pushedItem('m-1', start)])
    const first = occupy()
    const base = baseOf(1, start)
    const results = await Promise.all(
      ['Left', 'Right'].map((text) => queue.apply(ada.me, [pushedItem('m-1', memory(text), base)])),
    )
    const later = await queue.apply(ada.me, [pushedItem('m-1', null, baseOf(2, memory('Left')))])
    await Promise.all(first)
    expect(results).toMatchObject([
      [{ status: 'stored', version: 2 }],
      [{ status: 'conflict', current: { version: 2, document: { text: 'Left' } } }],
    ])
    expect(later).toMatchObject([{ status: 'stored', version: 3 }])
    expect(await seqsOf(ada.me.spaceId)).toEqual([3])
  })

  it('a push that fails does not fail the others', async () => {
    const [ada, bob, cy] = people as [Person, Person, Person]
    await database.query(`ALTER TABLE items ADD CHECK (id <> 'm-bad')`)
    const { id: keyId } = await addKey(database, 'cy')
    await revokeKey(database, keyId)
    const first = occupy()
    const results = await Promise.allSettled([
      queue.apply(ada.me, [pushedItem('m-1', memory('One'))]),
      queue.apply(bob.me, [pushedItem('m-bad', memory('Two'))]),
      queue.apply({ ...cy.me, keyId }, [pushedItem('m-1', memory('Late'))]),
      queue.apply(ada.me, [pushedItem('m-2', memory('Two'))]),
    ])
    await Promise.all(first)
    expect(results).toMatchObject([
      { status: 'fulfilled', value: [{ status: 'stored' }] },
      { status: 'rejected', reason: { code: '23514' } },
      { status: 'rejected', reason: { code: 'access_changed', status: 503 } },
      { status: 'fulfilled', value: [{ status: 'stored' }] },
    ])
    expect(await seqsOf(ada.me.spaceId)).toEqual([1, 2])
    expect(await seqsOf(bob.me.spaceId)).toEqual([])
    expect(await auditOf(cy.me.spaceId)).toEqual([])
  })

  it('into a team by several users, some shared, keep one order', async () => {
    const [ada, bob, cy] = people as [Person, Person, Person]
    const team = await addMember(database, 'core', ada)
    await addMember(database, 'core', bob)
    const ofCy = await addMember(database, 'core', cy)
    const rule = { subject: { kind: 'tag', tag: 'team' }, with: 'team:core', permission: 'write' } as const
    for (const { me, name } of [ada, bob]) await queue.apply(me, [sharedItem(name, rule)])
    const first = occupy()
    const results = await Promise.all([
      queue.apply(ada.me, [pushedItem('m-ada', memory('Of Ada', { tags: ['team'] }))]),
      queue.apply(ofCy, [pushedItem('m-cy', memory('Of Cy'))]),
      queue.apply(bob.me, [pushedItem('m-bob', memory('Of Bob', { tags: ['team'] }))]),
    ])
    await Promise.all(first)
    expect(results.flat().map(({ status }) => status)).toEqual(['stored', 'stored', 'stored'])
    expect(await seqsOf(team.spaceId)).toEqual([1, 2, 3])

    const again = occupy()
    const shared = memory('Of Ada', { tags: ['team'] })
    const [changed] = await Promise.all([
      queue.apply(ofCy, [pushedItem('m-ada', memory('By Cy', { tags: ['team'] }), baseOf(1, shared))]),
      queue.apply(bob.me, [pushedItem('m-more', memory('More of Bob', { tags: ['team'] }))]),
    ])
    await Promise.all(again)
    expect(changed).toMatchObject([{ status: 'stored', version: 2 }])
    const [atAda] = await database.query(
      `SELECT version, document->>'text' AS text FROM items WHERE space_id = $1 AND id = 'm-ada'`,
      [ada.me.spaceId],
    )
    expect(atAda).toEqual({ version: 2, text: 'By Cy' })
    expect(await seqsOf(team.spaceId)).toEqual([2, 3, 4, 5])
  })

  async function seqsOf(spaceId: string): Promise<number[]> {
    const rows = await database.query<{ seq: number }>('SELECT seq FROM items WHERE space_id = $1 ORDER BY seq', [
      spaceId,
    ])
    return rows.map(({ seq }) => seq)
  }

  async function auditOf(spaceId: string): Promise<unknown[]> {
    const rows = await database.query<{ detail: unknown }>('SELECT detail FROM audit WHERE space_id = $1 ORDER BY id', [
      spaceId,
    ])
    return rows.map(({ detail }) => detail)
  }
})

describe('pushes while another instance has locked a space', () => {
  it('wait for it without holding up pushes into other spaces', async () => {
    const opened = await postgres.open()
    const { database } = opened
    const [ada, bob, cy] = [
      await addPerson(database, 'ada'),
      await addPerson(database, 'bob'),
      await addPerson(database, 'cy'),
    ]
    const queue = createPushQueue(servicesOn(database))
    const other = await opened.second!()
    let late: Promise<unknown>[] = []
    await other.transaction(async (queries) => {
      await queries.query('SELECT 1 FROM spaces WHERE id = ANY($1::uuid[]) FOR UPDATE', [
        [ada.me.spaceId, cy.me.spaceId],
      ])
      late = [1, 2, 3].flatMap((number) =>
        [ada, cy].map(({ me }) => queue.apply(me, [pushedItem(`m-${number}`, memory(`Number ${number}`))])),
      )
      await waitForBlockedQuery(database, 2)
      for (const number of [1, 2, 3]) {
        const results = await queue.apply(bob.me, [pushedItem(`m-${number}`, memory(`Number ${number}`))])
        expect(results).toMatchObject([{ status: 'stored' }])
      }
      expect(await database.query('SELECT 1 FROM items WHERE space_id <> $1', [bob.me.spaceId])).toEqual([])
    })
    expect(await Promise.all(late)).toMatchObject(late.map(() => [{ status: 'stored', version: 1 }]))
    await opened.stop()
  })
})
