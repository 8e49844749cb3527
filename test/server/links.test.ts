import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LinkType } from '../../src/memory/links.ts'
import type { SpaceAccess } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { addLink, removeLink } from '../../src/server/push/link-memories.ts'
import { linksOf } from '../../src/server/store/links.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'
import { addMember, addPerson, baseOf, memory, pushedItem, servicesOn } from './sample-team.ts'
import { waitForBlockedQuery } from './wait-for-blocked-query.ts'

describe.each([serverDatabase])('links on $name', ({ name, open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let count = 0
  let me: SpaceAccess

  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  afterAll(() => opened?.stop())

  beforeEach(async () => {
    me = (await addPerson(database, `person-${++count}`)).me
    const items = ['a', 'b', 'c', 'd'].map((id) => pushedItem(id, memory(`Statement ${id}`)))
    await applyBatch(servicesOn(database), me, items)
  })

  const add = (from: string, type: LinkType, to: string, access = me) =>
    addLink(servicesOn(database), access, { from, type, to })

  it('are visible from both ends until removed', async () => {
    await add('a', 'supersedes', 'b')
    await add('a', 'see-also', 'c')
    await add('d', 'part-of', 'a')
    const [supersedes, seeAlso, partOf] = [
      { from: 'a', type: 'supersedes', to: 'b' },
      { from: 'a', type: 'see-also', to: 'c' },
      { from: 'd', type: 'part-of', to: 'a' },
    ] as const
    expect(await linksOf(database, me, 'a')).toEqual([supersedes, seeAlso, partOf])
    expect(await linksOf(database, me, 'b')).toEqual([supersedes])
    await removeLink(servicesOn(database), me, supersedes)
    await removeLink(servicesOn(database), me, supersedes)
    expect(await linksOf(database, me, 'a')).toEqual([seeAlso, partOf])
    expect(await linksOf(database, me, 'b')).toEqual([])
  })

  it.each([
    ['with itself', 'a', 'see-also', 'a', 422],
    ['twice', 'a', 'supersedes', 'b', 409],
    ['from what is not there', 'x', 'see-also', 'a', 404],
    ['to what is not there', 'a', 'see-also', 'x', 404],
    ['back', 'b', 'supersedes', 'a', 422],
    ['around', 'c', 'supersedes', 'a', 422],
  ] as const)('%s are refused', async (_, from, type, to, status) => {
    await add('a', 'supersedes', 'b')
    await add('b', 'supersedes', 'c')
    await expect(add(from, type, to)).rejects.toMatchObject({ status })
    expect(await linksOf(database, me, 'a')).toHaveLength(1)
  })

  it('may form cycles unless they supersede', async () => {
    await add('a', 'see-also', 'b')
    await add('b', 'see-also', 'a')
    await add('b', 'part-of', 'a')
    expect(await linksOf(database, me, 'a')).toHaveLength(3)
  })

  it('hide deleted memories', async () => {
    await add('a', 'see-also', 'b')
    await applyBatch(servicesOn(database), me, [pushedItem('b', null, baseOf(1, memory('Statement b')))])
    expect(await linksOf(database, me, 'a')).toEqual([])
    await expect(linksOf(database, me, 'b')).rejects.toMatchObject({ status: 404 })
    await expect(add('a', 'part-of', 'b')).rejects.toMatchObject({ status: 404 })
  })

  it('require write access and visible memories', async () => {
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((who) => addPerson(database, `${who}-${count}`)),
    )
    const writer = await addMember(database, `core-${count}`, one!)
    const limited = await addMember(database, `core-${count}`, two!, { projects: ['github.com/dev/app'] })
    const reader = await addMember(database, `core-${count}`, three!, { role: 'reader' })
    await applyBatch(servicesOn(database), writer, [
      pushedItem('a', memory('A')),
      pushedItem('b', memory('B')),
      pushedItem('hidden', memory('C', { project: 'github.com/dev/other' })),
    ])
    await add('a', 'see-also', 'hidden', writer)
    expect(await linksOf(database, writer, 'a')).toHaveLength(1)
    expect(await linksOf(database, limited, 'a')).toEqual([])
    await expect(add('b', 'see-also', 'hidden', limited)).rejects.toMatchObject({ status: 404 })
    await expect(add('a', 'see-also', 'b', reader)).rejects.toMatchObject({ status: 403 })
    const link = { from: 'hidden', type: 'see-also', to: 'a' } as const
    await expect(removeLink(servicesOn(database), limited, link)).rejects.toMatchObject({ status: 404 })
    await expect(removeLink(servicesOn(database), reader, link)).rejects.toMatchObject({ status: 403 })
  })

  it.runIf(name === 'PostgreSQL')('close no circle together', async () => {
    const other = await opened.second!()
    let adding: Promise<unknown> | undefined
    await other.transaction(async (queries) => {
      await queries.query('SELECT 1 FROM spaces WHERE id = $1 FOR UPDATE', [me.spaceId])
      await queries.query(
        `INSERT INTO links (space_id, from_id, type, to_id, created_by) VALUES ($1, 'b', 'supersedes', 'a', $2)`,
        [me.spaceId, me.userId],
      )
      adding = add('a', 'supersedes', 'b').then(
        () => 'added',
        (error) => error.status,
      )
      await waitForBlockedQuery(database)
    })
    expect(await adding).toBe(422)
  })
})
