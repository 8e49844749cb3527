import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Caller, SpaceAccess } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { refreshShares } from '../../src/server/push/refresh-shares.ts'
import { listAudit } from '../../src/server/store/audit.ts'
import { itemById } from '../../src/server/store/items.ts'
import { listItems } from '../../src/server/store/list-items.ts'
import { pullItems } from '../../src/server/store/pull-items.ts'
import { listShares } from '../../src/server/store/shares.ts'
import { removeMember } from '../../src/server/store/teams.ts'
import type { ShareDocument } from '../../src/sync/documents.ts'
import { deletedHash } from '../../src/sync/item-hash.ts'
import type { PushedItem, SharePermission } from '../../src/sync/protocol.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'
import { addMember, addPerson, baseOf, memory, type Person, pushedItem, servicesOn, sharedItem } from './sample-team.ts'
import { waitForBlockedQuery } from './wait-for-blocked-query.ts'

describe.each([serverDatabase])('shares on $name', ({ name, open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let count = 0
  let ann: Person
  let bob: Person
  let team: string
  /** Ann's and Bob's access to their team. */
  let annThere: SpaceAccess
  let bobThere: SpaceAccess

  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  afterAll(() => opened?.stop())

  beforeEach(async () => {
    count++
    team = `core-${count}`
    ann = await addPerson(database, `ann-${count}`)
    bob = await addPerson(database, `bob-${count}`)
    annThere = await addMember(database, team, ann)
    bobThere = await addMember(database, team, bob)
  })

  const push = (access: SpaceAccess, ...items: PushedItem[]) => applyBatch(servicesOn(database), access, items)
  const item = (access: SpaceAccess, id: string) => itemById(database, access, id)
  const live = async (access: SpaceAccess) =>
    (await listItems(database, access, { limit: 100 })).map(({ id }) => id).sort()

  const ofMemory = (id: string, permission: SharePermission = 'read'): ShareDocument => ({
    subject: { kind: 'memory', id },
    with: `team:${team}`,
    permission,
  })
  const ofTag = (tag: string, permission: SharePermission = 'read'): ShareDocument => ({
    subject: { kind: 'tag', tag },
    with: `team:${team}`,
    permission,
  })

  it('copy a memory into a team and follow its changes', async () => {
    const [first, second] = [memory('The port is 7718'), memory('The port is 7719')]
    const share = ofMemory('m1')
    await push(ann.me, pushedItem('m1', first))
    expect(await item(bobThere, 'm1')).toBeUndefined()
    expect(await push(ann.me, sharedItem('s1', share))).toMatchObject([{ status: 'stored', version: 1 }])
    expect(await item(bobThere, 'm1')).toMatchObject({
      seq: 1,
      version: 1,
      document: first,
      author: ann.name,
      sharedBy: { user: ann.name, isMine: false, permission: 'read' },
    })
    expect(await item(annThere, 'm1')).toMatchObject({ sharedBy: { isMine: true } })
    await push(ann.me, pushedItem('m1', second, baseOf(1, first)))
    expect(await item(bobThere, 'm1')).toMatchObject({ seq: 2, version: 2, document: second })
    await push(ann.me, sharedItem('s1', null, baseOf(1, share)))
    expect(await item(bobThere, 'm1')).toMatchObject({ version: 3, hash: deletedHash, document: null, sharedBy: null })
    expect(await item(ann.me, 'm1')).toMatchObject({ version: 2, document: second })
    await push(ann.me, sharedItem('s1', share, baseOf(2, null)))
    expect(await item(bobThere, 'm1')).toMatchObject({ seq: 4, version: 4, document: second })
  })

  it('can precede their memory', async () => {
    await push(
      ann.me,
      sharedItem('s1', ofMemory('m1')),
      pushedItem('m1', memory('A')),
      sharedItem('s2', ofMemory('m2')),
    )
    expect(await live(bobThere)).toEqual(['m1'])
    await push(ann.me, pushedItem('m2', memory('B')))
    expect(await live(bobThere)).toEqual(['m1', 'm2'])
  })

  it('of a tag follow tagged and untagged memories', async () => {
    const tagged = (text: string) => memory(text, { tags: ['release', 'x'] })
    await push(ann.me, pushedItem('m1', tagged('A')), pushedItem('m2', tagged('B')), pushedItem('m3', memory('C')))
    await push(ann.me, sharedItem('s1', ofTag('release')))
    expect(await live(bobThere)).toEqual(['m1', 'm2'])
    await push(
      ann.me,
      pushedItem('m1', memory('A', { tags: ['x'] }), baseOf(1, tagged('A'))),
      pushedItem('m2', null, baseOf(1, tagged('B'))),
      pushedItem('m3', tagged('C'), baseOf(1, memory('C'))),
      pushedItem('m4', tagged('D')),
    )
    expect(await live(bobThere)).toEqual(['m3', 'm4'])
    expect((await pullItems(database, bobThere, { after: 2, limit: 10 })).items.map(({ id }) => id)).toEqual([
      'm1',
      'm2',
      'm3',
      'm4',
    ])
  })

  it('of a tag can cover many memories', async () => {
    const items = Array.from({ length: 1200 }, (_, at) =>
      pushedItem(`m${at}`, memory(`Statement ${at}`, { tags: ['all'] })),
    )
    for (let from = 0; from < items.length; from += 400) await push(ann.me, ...items.slice(from, from + 400))
    await push(ann.me, sharedItem('s1', ofTag('all')))
    const page = await pullItems(database, bobThere, { after: 0, limit: 2000 })
    expect(page.items.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort())
    expect(page.cursor).toBe(1200)
  })

  it('with a user reach only their shared space', async () => {
    await push(
      ann.me,
      pushedItem('m1', memory('For Bob')),
      sharedItem('s1', { ...ofMemory('m1'), with: `user:${bob.name}` }),
    )
    expect(await live(bob.shared)).toEqual(['m1'])
    expect(await live(bob.me)).toEqual([])
    expect(await live(bobThere)).toEqual([])
    expect(await live(ann.shared)).toEqual([])
  })

  it('exclude inbox memories', async () => {
    const waiting = memory('Perhaps', { tags: ['release'], state: 'inbox' })
    await push(ann.me, pushedItem('m1', waiting), sharedItem('s1', ofTag('release')), sharedItem('s2', ofMemory('m1')))
    expect(await live(bobThere)).toEqual([])
    await push(ann.me, pushedItem('m1', memory('Perhaps', { tags: ['release'] }), baseOf(1, waiting)))
    expect(await live(bobThere)).toEqual(['m1'])
  })

  it('combine several rules with the highest permission', async () => {
    const [byTag, byName] = [ofTag('release'), ofMemory('m1', 'write')]
    await push(
      ann.me,
      pushedItem('m1', memory('A', { tags: ['release'] })),
      sharedItem('s1', byTag),
      sharedItem('s2', byName),
    )
    expect(await item(bobThere, 'm1')).toMatchObject({ sharedBy: { permission: 'write' } })
    await push(ann.me, sharedItem('s2', null, baseOf(1, byName)))
    expect(await item(bobThere, 'm1')).toMatchObject({ sharedBy: { permission: 'read' }, version: 2 })
    await push(ann.me, sharedItem('s1', null, baseOf(1, byTag)))
    expect(await live(bobThere)).toEqual([])
  })

  it('follow a changed rule', async () => {
    const share = ofMemory('m1')
    await push(ann.me, pushedItem('m1', memory('A')), sharedItem('s1', share))
    await push(ann.me, sharedItem('s1', { ...share, with: `user:${bob.name}` }, baseOf(1, share)))
    expect(await live(bobThere)).toEqual([])
    expect(await live(bob.shared)).toEqual(['m1'])
  })

  it.each(['team', 'person'])(
    'is written by others where the share to a %s says so: at its source, and back',
    async (kind) => {
      const [target, there] = kind === 'team' ? [`team:${team}`, bobThere] : [`user:${bob.name}`, bob.shared]
      const [first, second] = [memory('A'), memory('A, says Bob')]
      await push(ann.me, pushedItem('m1', first), sharedItem('s1', { ...ofMemory('m1', 'write'), with: target }))
      expect(await push(there, pushedItem('m1', second, baseOf(1, first)))).toMatchObject([
        { status: 'stored', version: 2 },
      ])
      expect(await item(ann.me, 'm1')).toMatchObject({ version: 2, document: second, author: bob.name, sharedBy: null })
      expect(await item(there, 'm1')).toMatchObject({ version: 2, document: second, author: bob.name })
      expect(await push(there, pushedItem('m1', second, baseOf(1, first)))).toMatchObject([
        { status: 'stored', version: 2 },
      ])
      expect(await push(there, pushedItem('m1', memory('Late'), baseOf(1, first)))).toMatchObject([
        { status: 'conflict' },
      ])
      expect(await push(there, pushedItem('m1', null, baseOf(2, second)))).toMatchObject([{ status: 'refused' }])
      expect(await push(ann.me, pushedItem('m1', memory('A3'), baseOf(2, second)))).toMatchObject([{ version: 3 }])
      expect(await item(there, 'm1')).toMatchObject({ version: 3, author: ann.name })
    },
  )

  it('refuse writes to read-only copies', async () => {
    const first = memory('A')
    await push(ann.me, pushedItem('m1', first), sharedItem('s1', { ...ofMemory('m1'), with: `user:${bob.name}` }))
    expect(await push(bob.shared, pushedItem('m1', memory('B'), baseOf(1, first)))).toMatchObject([
      { status: 'refused', reason: 'not allowed' },
    ])
    expect(await push(bob.shared, pushedItem('m2', memory('B')))).toMatchObject([
      { status: 'refused', reason: 'not allowed' },
    ])
    expect(await push(bob.shared, pushedItem('m1', first))).toMatchObject([{ status: 'stored', version: 1 }])
  })

  it('let only the owner change with whom a memory is shared', async () => {
    const carl = await addPerson(database, `carl-${count}`)
    const first = memory('A', { tags: ['release'] })
    await push(
      ann.me,
      pushedItem('m1', first),
      sharedItem('s1', ofTag('release', 'write')),
      sharedItem('s2', { ...ofTag('private-to-carl'), with: `user:${carl.name}` }),
    )
    const leaked = memory('A', { tags: ['release', 'private-to-carl'] })
    const hidden = memory('A', { tags: [] })
    for (const change of [leaked, hidden]) {
      expect(await push(bobThere, pushedItem('m1', change, baseOf(1, first)))).toMatchObject([
        { status: 'refused', reason: 'not allowed' },
      ])
    }
    const words = memory('B', { tags: ['release', 'harmless'] })
    expect(await push(bobThere, pushedItem('m1', words, baseOf(1, first)))).toMatchObject([{ status: 'stored' }])
    expect(await live(carl.shared)).toEqual([])
  })

  it('refuse ids that the team uses itself', async () => {
    const own = memory("The team's own")
    await push(bobThere, pushedItem('m1', own))
    await push(ann.me, pushedItem('m1', memory("Ann's")), pushedItem('m2', memory('Two')))
    const [refused] = await push(ann.me, sharedItem('s1', ofMemory('m1')))
    expect(refused).toMatchObject({ status: 'refused', reason: 'not allowed', message: expect.stringContaining('m1') })
    expect(await item(ann.me, 'share:s1')).toBeUndefined()
    await push(ann.me, sharedItem('s2', ofTag('release')))
    await push(ann.me, pushedItem('m1', memory("Ann's", { tags: ['release'] }), baseOf(1, memory("Ann's"))))
    expect(await item(bobThere, 'm1')).toMatchObject({ document: own, sharedBy: null })
  })

  it('require a writable team or an existing user', async () => {
    const reading = await addMember(database, `other-${count}`, ann, { role: 'reader' })
    await addMember(database, `foreign-${count}`, bob)
    await push(ann.me, pushedItem('m1', memory('A')))
    const share = (target: string) => push(ann.me, sharedItem('s1', { ...ofMemory('m1'), with: target }))
    expect(await share(reading.space)).toMatchObject([{ status: 'refused', reason: 'not allowed' }])
    for (const target of [`team:foreign-${count}`, 'team:nobody', 'user:nobody', `user:${ann.name}`]) {
      expect(await share(target)).toMatchObject([{ status: 'refused', reason: 'invalid' }])
    }
    expect(await push(annThere, sharedItem('s1', ofMemory('m1')))).toMatchObject([
      { status: 'refused', reason: 'not allowed' },
    ])
    expect(await database.query('SELECT * FROM shares WHERE space_id = $1', [ann.me.spaceId])).toEqual([])
  })

  it('respect projects of owner and readers', async () => {
    const carl = await addPerson(database, `carl-${count}`)
    const limited = await addMember(database, team, carl, { projects: ['github.com/dev/app'] })
    const elsewhere = memory('B', { tags: ['release'], project: 'github.com/dev/other' })
    const items = () => [pushedItem(`a`, memory('A', { tags: ['release'] })), pushedItem('b', elsewhere)]
    await push(carl.me, ...items(), sharedItem('s1', ofTag('release')))
    expect(await live(bobThere)).toEqual(['a'])
    await push(bob.me, pushedItem('c', elsewhere), sharedItem('s1', ofTag('release')))
    expect(await live(bobThere)).toEqual(['a', 'c'])
    expect(await live(limited)).toEqual(['a'])
  })

  it('end when the owner leaves the team and resume on return', async () => {
    await push(ann.me, pushedItem('m1', memory('A', { tags: ['release'] })), sharedItem('s1', ofTag('release')))
    await database.transaction((queries) => removeMember(queries, team, ann.name))
    await refreshShares(servicesOn(database), ann.userId, bobThere)
    expect(await live(bobThere)).toEqual([])
    await push(ann.me, pushedItem('m2', memory('B', { tags: ['release'] })))
    expect(await live(bobThere)).toEqual([])
    await addMember(database, team, ann)
    await refreshShares(servicesOn(database), ann.userId, bobThere)
    expect(await live(bobThere)).toEqual(['m1', 'm2'])
    const { cursor } = await pullItems(database, bobThere, { after: 0, limit: 10 })
    await refreshShares(servicesOn(database), ann.userId, bobThere)
    expect(await pullItems(database, bobThere, { after: cursor, limit: 10 })).toMatchObject({ items: [], cursor })
  })

  it('are listed for both sides', async () => {
    const caller = ({ me, shared, name: user, userId }: Person): Caller => ({
      userId,
      user,
      keyId: me.keyId,
      role: 'writer',
      keyExpiresAt: null,
      spaces: new Map([me, shared].map((access) => [access.space, access])),
    })
    await push(
      ann.me,
      pushedItem('m1', memory('A')),
      sharedItem('s1', { ...ofMemory('m1', 'write'), with: `user:${bob.name}` }),
      sharedItem('s2', ofTag('release')),
    )
    expect(await listShares(database, caller(ann))).toMatchObject({
      mine: [
        { id: 'share:s1', subject: { kind: 'memory', id: 'm1' }, with: `user:${bob.name}`, permission: 'write' },
        { id: 'share:s2', subject: { kind: 'tag', tag: 'release' }, with: `team:${team}`, permission: 'read' },
      ],
      withMe: [],
    })
    expect(await listShares(database, caller(bob))).toEqual({
      mine: [],
      withMe: [{ user: ann.name, permission: 'write', items: 1 }],
      received: [
        {
          from: ann.name,
          id: 'share:s1',
          subject: { kind: 'memory', id: 'm1' },
          permission: 'write',
          items: 1,
          state: 'accepted',
          since: expect.any(String),
        },
      ],
    })
  })

  it('are recorded in the audit log of the team', async () => {
    await push(ann.me, pushedItem('m1', memory('Not told')), sharedItem('s1', ofMemory('m1')))
    const entries = await listAudit(database, bobThere, { limit: 10 })
    expect(entries).toMatchObject([{ action: 'share', user: ann.name, detail: { written: ['m1'], deleted: [] } }])
    expect(JSON.stringify(entries)).not.toContain('Not told')
  })

  describe.runIf(name === 'PostgreSQL')('with several at once', () => {
    it('are seen by a push that waited for the lock', async () => {
      const other = await opened.second!()
      await push(ann.me, pushedItem('m1', memory('A')))
      let pushing: Promise<unknown> | undefined
      await other.transaction(async (queries) => {
        await queries.query('SELECT 1 FROM spaces WHERE id = $1 FOR UPDATE', [ann.me.spaceId])
        await queries.query(
          `INSERT INTO shares (space_id, id, memory, to_space_id, permission, created_by)
           VALUES ($1, 'share:s1', 'm1', $2, 'read', $3)`,
          [ann.me.spaceId, annThere.spaceId, ann.userId],
        )
        pushing = push(ann.me, pushedItem('m1', memory('B'), baseOf(1, memory('A'))))
        await waitForBlockedQuery(database)
      })
      expect(await pushing).toMatchObject([{ status: 'stored', version: 2 }])
      expect(await item(bobThere, 'm1')).toMatchObject({ document: { text: 'B' } })
    })

    it('are detected by a push whose item became shared', async () => {
      const other = await opened.second!()
      const setSource = 'UPDATE items SET source_id = $3 WHERE space_id = $1 AND id = $2'
      await push(ann.me, pushedItem('m1', memory('A')), sharedItem('s1', ofMemory('m1', 'write')))
      await database.query(setSource, [annThere.spaceId, 'm1', null])
      let pushing: Promise<unknown> | undefined
      await other.transaction(async (queries) => {
        await queries.query('SELECT 1 FROM spaces WHERE id = $1 FOR UPDATE', [annThere.spaceId])
        await queries.query(setSource, [annThere.spaceId, 'm1', ann.me.spaceId])
        pushing = push(bobThere, pushedItem('m1', memory('B'), baseOf(1, memory('A'))))
        await waitForBlockedQuery(database)
      })
      expect(await pushing).toMatchObject([{ status: 'stored', version: 2 }])
      expect(await item(ann.me, 'm1')).toMatchObject({ document: { text: 'B' }, version: 2 })
    })

    it('keep source and copies equal under concurrent writes', async () => {
      const connections = await Promise.all([0, 1, 2].map(() => opened.second!()))
      await push(
        ann.me,
        pushedItem('m1', memory('Start')),
        sharedItem('s1', ofMemory('m1', 'write')),
        sharedItem('s2', { ...ofMemory('m1', 'write'), with: `user:${bob.name}` }),
      )
      const places = [ann.me, bobThere, bob.shared]
      let stored = 0
      await Promise.all(
        places.map(async (access, writer) => {
          for (let round = 0; round < 15; round++) {
            const there = await itemById(connections[writer]!, access, 'm1')
            const { version, hash } = there!
            const change = pushedItem('m1', memory(`Of ${writer} in ${round}`), { version, hash })
            const [result] = await applyBatch(servicesOn(connections[writer]!), access, [change])
            if (result!.status === 'stored') stored++
            else expect(result!.status).toBe('conflict')
          }
        }),
      )
      const found = await Promise.all(places.map((access) => item(access, 'm1')))
      expect(new Set(found.map((there) => there!.hash)).size).toBe(1)
      expect(found.map((there) => there!.version)).toEqual([stored + 1, stored + 1, stored + 1])
    })
  })
})
