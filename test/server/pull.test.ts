import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpaceAccess } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { listItems, projectsOf, statsOf, tagsOf } from '../../src/server/store/list-items.ts'
import { bucketItems, pullItems, summaryOf } from '../../src/server/store/pull-items.ts'
import { bucketOf, hashOfDocument, markOf } from '../../src/sync/item-hash.ts'
import type { PushedItem, SyncItem } from '../../src/sync/protocol.ts'
import { databases, type OpenedDatabase } from './databases.ts'
import { addMember, addPerson, baseOf, memory, type Person, pushedItem, servicesOn } from './sample-team.ts'

const [app, other] = ['github.com/dev/app', 'github.com/dev/other']

describe.each(databases)('pull on $name', ({ name, open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let count = 0

  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  afterAll(() => opened?.stop())

  const newPerson = () => addPerson(database, `person-${++count}`)
  const push = (access: SpaceAccess, items: PushedItem[]) => applyBatch(servicesOn(database), access, items)
  const pull = (access: SpaceAccess, after: number, limit = 500) => pullItems(database, access, { after, limit })
  const ids = (items: SyncItem[]) => items.map(({ id }) => id)

  it('returns each item once with its current content', async () => {
    const { me } = await newPerson()
    const [a, b] = [memory('A'), memory('B')]
    await push(me, [pushedItem('m1', a), pushedItem('m2', b), pushedItem('m3', memory('C'))])
    expect(await pull(me, 0, 2)).toMatchObject({ items: [{ id: 'm1' }, { id: 'm2' }], cursor: 2, hasMore: true })
    await push(me, [pushedItem('m1', memory('A2'), baseOf(1, a)), pushedItem('m2', null, baseOf(1, b))])
    expect(await pull(me, 2)).toMatchObject({
      items: [
        { id: 'm3', seq: 3 },
        { id: 'm1', seq: 4, version: 2, document: { text: 'A2' } },
        { id: 'm2', seq: 5, document: null },
      ],
      cursor: 5,
      hasMore: false,
      isReset: false,
    })
    expect(await pull(me, 5)).toEqual({ items: [], cursor: 5, hasMore: false, isReset: false })
  })

  it('reports a cursor of another history', async () => {
    const { me } = await newPerson()
    expect(await pull(me, 3)).toEqual({ items: [], cursor: 0, hasMore: false, isReset: true })
    await push(me, [pushedItem('m1', memory('A'))])
    expect(await pull(me, 3)).toEqual({ items: [], cursor: 0, hasMore: true, isReset: true })
  })

  it('limits pages by size and always makes progress', async () => {
    const { me } = await newPerson()
    // Five megabytes.
    const long = (at: number) =>
      Array.from({ length: 9000 }, (_, place) => ((place + at) * 2654435761) % 99991).join(' ')
    const items = Array.from({ length: 90 }, (_, at) =>
      pushedItem(`m${at}`, { ...memory(`Long ${at}`), later: long(at) }),
    )
    for (let from = 0; from < 90; from += 30) await push(me, items.slice(from, from + 30))
    const found: string[] = []
    let pages = 0
    for (let cursor = 0, hasMore = true; hasMore; pages++) {
      const page = await pull(me, cursor)
      expect(page.cursor).toBeGreaterThan(cursor)
      found.push(...ids(page.items))
      ;({ cursor, hasMore } = page)
    }
    expect(found).toEqual(items.map(({ id }) => id))
    expect(pages).toBeGreaterThan(1)
  })

  describe('a member limited to projects', () => {
    let writer: SpaceAccess
    let limited: SpaceAccess

    beforeAll(async () => {
      const [one, two] = [await newPerson(), await newPerson()]
      writer = await addMember(database, `team-${count}`, one)
      limited = await addMember(database, `team-${count}`, two, { projects: [app] })
      const hidden = Array.from({ length: 5 }, (_, at) =>
        pushedItem(`h${at}`, memory(`Hidden ${at}`, { project: other, tags: ['hidden'] })),
      )
      await push(writer, [
        pushedItem('m1', memory('Seen', { tags: ['seen'] })),
        ...hidden,
        pushedItem('m2', memory('By all', { project: null })),
        pushedItem('h9', memory('Hidden, deleted', { project: other })),
      ])
      await push(writer, [pushedItem('h9', null, baseOf(1, memory('Hidden, deleted', { project: other })))])
    })

    it('gets no other items, and the cursor passes them', async () => {
      expect(await pull(limited, 0, 1)).toMatchObject({ items: [{ id: 'm1' }], cursor: 1, hasMore: true })
      expect(await pull(limited, 1, 1)).toMatchObject({ items: [{ id: 'm2' }], cursor: 9, hasMore: false })
      expect(await pull(limited, 7)).toMatchObject({ items: [], cursor: 9 })
    })

    it('sees no other items in sums, lists, tags, projects and counts', async () => {
      const buckets = await Promise.all(
        Array.from({ length: 256 }, (_, at) => at).map((at) => bucketItems(database, limited, at)),
      )
      expect(ids(buckets.flat()).sort()).toEqual(['m1', 'm2'])
      expect((await summaryOf(database, limited)).buckets.reduce((sum, [, items]) => sum + items, 0)).toBe(2)
      expect(ids(await listItems(database, limited, { limit: 50 }))).toEqual(['m2', 'm1'])
      expect(await listItems(database, limited, { limit: 50, project: other })).toEqual([])
      expect(await tagsOf(database, limited)).toEqual([{ name: 'seen', items: 1 }])
      expect(await projectsOf(database, limited)).toEqual([{ name: app, items: 1 }])
      expect((await statsOf(database, limited)).kinds).toEqual([{ kind: 'memory', live: 2, deleted: 0 }])
      expect((await statsOf(database, writer)).kinds).toEqual([{ kind: 'memory', live: 7, deleted: 1 }])
    })
  })

  it('summaryOf returns bucket sums', async () => {
    const { me } = await newPerson()
    const documents = new Map(Array.from({ length: 40 }, (_, at) => [`m${at}`, memory(`Statement ${at}`)]))
    await push(
      me,
      [...documents].map(([id, document]) => pushedItem(id, document)),
    )
    await push(me, [pushedItem('m7', null, baseOf(1, documents.get('m7')!))])
    const expected = new Map<number, [count: number, sum: bigint]>()
    for (const [id, document] of documents) {
      const [items, sum] = expected.get(bucketOf(id)) ?? [0, 0n]
      const hash = hashOfDocument(id === 'm7' ? null : document)
      expected.set(bucketOf(id), [items + 1, sum + BigInt(markOf(id, hash))])
    }
    const { buckets } = await summaryOf(database, me)
    expect(new Map(buckets.map(([bucket, items, sum]) => [bucket, [items, BigInt(sum)]]))).toEqual(expected)
    expect(ids(await bucketItems(database, me, bucketOf('m7')))).toContain('m7')
  })

  it('listItems filters and pages live items, last changed first', async () => {
    const { me } = await newPerson()
    expect(await statsOf(database, me)).toEqual({ kinds: [], lastChangeAt: null })
    const gone = memory('Gone', { tags: ['a'] })
    await push(me, [
      pushedItem('m1', memory('One', { tags: ['a', 'b'] })),
      pushedItem('m2', memory('Two', { project: other, tags: ['a'] })),
      { id: 'practice:p', kind: 'practice', base: null, document: { title: 'P', content: 'P' } },
      pushedItem('m3', gone),
    ])
    await push(me, [pushedItem('m3', null, baseOf(1, gone))])
    const list = async (query: object) => ids(await listItems(database, me, { limit: 10, ...query }))
    expect(await list({})).toEqual(['practice:p', 'm2', 'm1'])
    expect(await list({ limit: 2 })).toEqual(['practice:p', 'm2'])
    expect(await list({ before: 2 })).toEqual(['m1'])
    expect(await list({ kind: 'memory' })).toEqual(['m2', 'm1'])
    expect(await list({ project: app })).toEqual(['m1'])
    expect(await list({ tag: 'a' })).toEqual(['m2', 'm1'])
    expect(await tagsOf(database, me)).toEqual([
      { name: 'a', items: 2 },
      { name: 'b', items: 1 },
    ])
    expect(await statsOf(database, me)).toEqual({
      kinds: [
        { kind: 'memory', live: 2, deleted: 1 },
        { kind: 'practice', live: 1, deleted: 0 },
      ],
      lastChangeAt: '2026-03-01T10:00:00.000Z',
    })
  })

  describe.runIf(name === 'PostgreSQL')('while others push', () => {
    let people: Person[]

    beforeAll(async () => {
      people = [await newPerson(), await newPerson(), await newPerson(), await newPerson()]
    })

    it('misses no change under concurrent writes', async () => {
      const connections = await Promise.all(people.map(() => opened.second!()))
      const members = await Promise.all(people.map((person) => addMember(database, 'busy', person)))
      const batches = 25
      let isOver = false
      const pushing = Promise.all(
        members.map(async (access, writer) => {
          for (let batch = 0; batch < batches; batch++) {
            const items = [0, 1, 2].map((at) =>
              pushedItem(`m-${writer}-${batch}-${at}`, memory(`Of ${writer} ${batch} ${at}`)),
            )
            await applyBatch(servicesOn(connections[writer]!), access, items)
          }
        }),
      ).finally(() => {
        isOver = true
      })
      const found: SyncItem[] = []
      let cursor = 0
      for (let wasOver = false; !wasOver; ) {
        wasOver = isOver
        const page = await pull(members[0]!, cursor, 7)
        expect(page.isReset).toBe(false)
        found.push(...page.items)
        wasOver &&= !page.hasMore
        cursor = page.cursor
      }
      await pushing
      expect(found.map(({ seq }) => seq)).toEqual(
        Array.from({ length: people.length * batches * 3 }, (_, at) => at + 1),
      )
      expect(new Set(ids(found)).size).toBe(people.length * batches * 3)
    })

    it('has one winner per version under concurrent writes', async () => {
      const connections = await Promise.all(people.map(() => opened.second!()))
      const members = await Promise.all(people.map((person) => addMember(database, 'one-item', person)))
      const start = memory('Start')
      await push(members[0]!, [pushedItem('m1', start)])
      let last = baseOf(1, start)
      for (let round = 0; round < 10; round++) {
        const results = await Promise.all(
          members.map((access, writer) =>
            applyBatch(servicesOn(connections[writer]!), access, [
              pushedItem('m1', memory(`Of ${writer} in ${round}`), last),
            ]),
          ),
        )
        const stored = results.flat().filter((result) => result.status === 'stored')
        expect(stored).toHaveLength(1)
        expect(results.flat().filter(({ status }) => status === 'conflict')).toHaveLength(people.length - 1)
        last = { version: stored[0]!.version, hash: stored[0]!.hash }
      }
      expect(last.version).toBe(11)
    })
  })
})
