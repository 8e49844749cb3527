// Two machines of one person and those of a team, on the real server in this process.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { revokeKey } from '../../src/server/store/keys.ts'
import { removeMember } from '../../src/server/store/teams.ts'
import { changeMemories, lastUndoableChange } from '../../src/store/memories/changes.ts'
import { migrations } from '../../src/store/migrations.ts'
import { countOutbox, refusedItems } from '../../src/store/sync/outbox.ts'
import { listSpaces } from '../../src/store/sync/spaces.ts'
import { syncSummary } from '../../src/sync/state.ts'
import { sampleMemory } from '../sample-memory.ts'
import { serverDatabase } from '../server/databases.ts'
import { addKey } from '../server/test-app.ts'
import type { TestMachine } from './machines.ts'
import { openTestServer, syncUntilStable, type TestServer, textsOnServer } from './test-server.ts'

const candidate = { state: 'candidate', because: 'rules', score: 0.5 } as const

/** Does to a ledger with the columns of today what its migration does. */
function migrateToCandidates({ ledger }: TestMachine): void {
  const { sql } = migrations.find(({ name }) => name === 'candidates apart from memories')!
  ledger.raw.exec(sql.slice(sql.indexOf('UPDATE memories')))
}

const ofTeam = { space: 'team:core', project: 'github.com/dev/app' }

describe.each([serverDatabase])('sync on $name', ({ open }) => {
  let server: TestServer

  beforeEach(async () => {
    server = await openTestServer(open)
  })
  afterEach(() => server?.close())

  it('sends existing and later memories to the other machine', async () => {
    const laptop = await server.machine('laptop')
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    expect(countOutbox(laptop.ledger).waiting).toBe(0)
    await laptop.join()
    expect(countOutbox(laptop.ledger).waiting).toBe(1)
    expect(await laptop.sync()).toMatchObject({ pushed: 1, failures: [] })
    expect(countOutbox(laptop.ledger).waiting).toBe(0)

    const desk = await server.joined('desk')
    expect(await desk.sync()).toMatchObject({ pushed: 0, pulled: 1 })
    expect(desk.memory('m-one')).toEqual({
      ...laptop.memory('m-one')!,
      because: 'import',
      counts: { said: 1, shown: 0, used: 0 },
    })

    desk.write({ id: 'm-one', text: 'The port is 7719' })
    await syncUntilStable(desk, laptop)
    expect(laptop.memory('m-one')!.text).toBe('The port is 7719')
    expect(laptop.history('m-one')).toEqual(['remembered', 'synced'])
    expect(await laptop.sync()).toMatchObject({ pushed: 0, pulled: 0 })
  })

  it('deletes forgotten memories everywhere; undo skips synced changes', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await syncUntilStable(laptop, desk)
    desk.forget('m-one')
    await syncUntilStable(desk, laptop)
    expect(laptop.memory('m-one')!.state).toBe('forgotten')
    expect(lastUndoableChange(laptop.ledger)!.kind).toBe('remembered')
    expect(lastUndoableChange(laptop.ledger)!.about).toBe('a test')
  })

  it('never sends candidates, and withdraws a memory that is a candidate again', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    laptop.write({ id: 'm-one', text: 'The port is 7718', ...candidate })
    expect(countOutbox(laptop.ledger).waiting).toBe(0)
    expect(await laptop.sync()).toMatchObject({ pushed: 0, failures: [] })
    laptop.write({ id: 'm-one', state: 'kept', because: 'person' })
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toEqual(['The port is 7718'])
    laptop.write({ id: 'm-one', ...candidate })
    await syncUntilStable(laptop, desk)
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([])
    expect([desk.texts(), laptop.memory('m-one')!.state]).toEqual([[], 'candidate'])
  })

  it('replaces a candidate by the memory of that id on the server', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    desk.write({ id: 'm-one', text: 'the port was 7718 or so', ...candidate })
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await syncUntilStable(laptop, desk)
    expect(desk.memory('m-one')).toMatchObject({ text: 'The port is 7718', state: 'kept', because: 'import' })
    laptop.forget('m-one')
    desk.write({ id: 'm-one', ...candidate })
    await syncUntilStable(laptop, desk)
    expect(desk.memory('m-one')!.state).toBe('candidate')
  })

  it('withdraws what rules had learned before there were candidates, unless a person has touched it', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    const learned = ['m-rules', 'm-edited'].map((id) =>
      sampleMemory({ id, text: `The port of ${id} is 7718`, tags: ['heuristic'], origin: 'laptop' }),
    )
    const change = { at: learned[0]!.learnedAt, kind: 'learned' as const, about: 'a session' }
    laptop.ledger.transaction(() => changeMemories(laptop.ledger, change, learned))
    await syncUntilStable(laptop, desk)
    desk.write({ id: 'm-edited', text: 'The port is 7719' })
    await syncUntilStable(laptop, desk)
    for (const one of [laptop, desk]) migrateToCandidates(one)
    await syncUntilStable(laptop, desk)
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual(['The port is 7719'])
    expect(laptop.memory('m-rules')!.state).toBe('candidate')
    for (const one of [laptop, desk]) expect(one.texts()).toEqual(['The port is 7719'])
  })

  it('combines counts and keeps both statements of a concurrent edit', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    laptop.write({ id: 'm-one', text: 'The port is 7718', tags: ['net'] })
    await syncUntilStable(laptop, desk)
    laptop.write({ id: 'm-one', text: 'The port is 8000', tags: ['net', 'laptop'] })
    desk.write({ id: 'm-one', text: 'The port is 9000', tags: ['desk'], counts: { said: 4, shown: 0, used: 0 } })
    await laptop.sync()
    expect(await desk.sync()).toMatchObject({ conflicts: 1 })
    await syncUntilStable(laptop, desk)
    for (const one of [laptop, desk]) {
      expect(one.texts()).toEqual(['The port is 9000'])
      expect(one.memory('m-one')!.tags.toSorted()).toEqual(['desk', 'laptop'])
      expect(one.memory('m-one')!.counts.said).toBe(4)
    }
    const copies = supersededBy(laptop, 'm-one')
    expect(copies.map(({ text }) => text)).toEqual(['The port is 8000'])
    expect(supersededBy(desk, 'm-one').map(({ id }) => id)).toEqual(copies.map(({ id }) => id))
  })

  it('lets a deletion win and puts the new statement into the inbox', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await syncUntilStable(laptop, desk)
    laptop.forget('m-one')
    desk.write({ id: 'm-one', text: 'The port is 9000' })
    await syncUntilStable(laptop, desk)
    for (const one of [laptop, desk]) {
      expect(one.memory('m-one')!.state).toBe('forgotten')
      expect(one.texts()).toEqual([])
      expect(one.inbox()).toEqual(['The port is 9000'])
    }
  })

  it('adopts the id of a duplicate on the server', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    laptop.write({
      id: 'm-one',
      text: 'Deploys go out on Tuesdays',
      evidence: [{ session: 'a:1', event: 'x', quote: 'on Tuesdays' }],
    })
    await laptop.sync()
    desk.write(
      {
        id: 'm-two',
        text: 'Deploys go out on Tuesdays',
        evidence: [{ session: 'a:2', event: 'y', quote: 'Tuesdays!' }],
      },
      {
        id: 'm-old',
        text: 'Deploys go out on Mondays',
        supersededBy: 'm-two',
        supersededAt: '2026-09-01T10:00:00.000Z',
      },
    )
    await desk.sync({ isForced: false })
    await syncUntilStable(desk, laptop)
    for (const one of [laptop, desk]) {
      expect(one.memory('m-two')).toBeUndefined()
      expect(
        one
          .memory('m-one')!
          .evidence.map(({ quote }) => quote)
          .toSorted(),
      ).toEqual(['Tuesdays!', 'on Tuesdays'])
      expect(one.memory('m-old')!.supersededBy).toBe('m-one')
    }
  })

  it('does not send private memories and deletes those that become private', async () => {
    const laptop = await server.joined('laptop', 'ann', 'private = ["/home/dev/diary"]')
    const desk = await server.joined('desk')
    laptop.write(
      { id: 'm-me', text: 'I am left-handed', type: 'user' },
      { id: 'm-tag', text: 'Keep this here', tags: ['private'] },
      { id: 'm-diary', text: 'Dear diary', project: '/home/dev/diary' },
      { id: 'm-open', text: 'The port is 7718' },
    )
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toEqual(['The port is 7718'])
    laptop.write({ id: 'm-open', tags: ['private'] })
    await syncUntilStable(laptop, desk)
    expect(desk.memory('m-open')!.state).toBe('forgotten')
    expect(laptop.memory('m-open')!.state).toBe('kept')
  })

  it('removes secrets from own memories and refuses them for teams', async () => {
    const laptop = await server.joined('laptop')
    const secret = `ghp_${'a1B2'.repeat(9)}`
    laptop.write({ id: 'm-own', text: `The token is ${secret}` }, { id: 'm-team', text: `Use ${secret}`, ...ofTeam })
    await syncUntilStable(laptop)
    expect(laptop.memory('m-own')!.text).toBe('The token is [secret: github-token]')
    const [refused] = refusedItems(laptop.ledger)
    expect(refused).toMatchObject({ id: 'm-team', space: 'team:core', refusal: { reason: 'secret' } })
    expect(JSON.stringify(refused)).not.toContain(secret)
    const rows = await server.database.query('SELECT document::text AS text FROM items')
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(JSON.stringify(rows)).toContain('[secret: github-token]')
  })

  it('syncs team memories with their author and removes them on leaving', async () => {
    const [ann, bob] = [await server.joined('ann', 'ann'), await server.joined('bob', 'bob')]
    ann.write({ id: 'm-team', text: 'Releases are tagged', ...ofTeam }, { id: 'm-own', text: 'Mine alone' })
    await syncUntilStable(ann, bob)
    expect(bob.memory('m-team')).toMatchObject({ space: 'team:core', author: 'ann', text: 'Releases are tagged' })
    expect(bob.memory('m-own')).toBeUndefined()

    bob.write({ id: 'm-team', text: 'Releases are tagged and signed' })
    await syncUntilStable(bob, ann)
    expect(ann.memory('m-team')).toMatchObject({ text: 'Releases are tagged and signed', author: 'bob' })

    bob.write({ id: 'm-new', text: 'Not sent in time', ...ofTeam })
    await server.database.transaction((queries) => removeMember(queries, 'core', 'bob'))
    await syncUntilStable(bob)
    expect(bob.memory('m-team')).toBeUndefined()
    expect(bob.history('m-team')).toEqual(['synced', 'remembered', 'synced', 'synced'])
    expect(refusedItems(bob.ledger)).toMatchObject([{ id: 'm-new', refusal: { reason: 'not allowed' } }])
    expect(listSpaces(bob.ledger).map(({ name }) => name)).toEqual(['me', 'shared'])
  })

  it('keeps changes local while the key is refused', async () => {
    const laptop = await server.joined('laptop')
    const { id, text: key } = await addKey(server.database, 'ann')
    laptop.key = key
    await revokeKey(server.database, id)
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    expect((await laptop.sync()).failures).toHaveLength(1)
    expect(syncSummary(laptop.context)).toMatchObject({ key: 'refused', waiting: 1 })
    laptop.key = (await addKey(server.database, 'ann')).text
    expect(await laptop.sync()).toMatchObject({ pushed: 1, failures: [] })
    expect(syncSummary(laptop.context)).toMatchObject({ key: 'good', waiting: 0 })
  })
})

function supersededBy({ ledger, memory }: TestMachine, id: string) {
  const ids = ledger.sql('SELECT id FROM memories WHERE superseded_by = ? ORDER BY id').all(id)
  return ids.map((row) => memory(String(row.id))!)
}
