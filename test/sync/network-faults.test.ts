// What goes wrong between a machine and the server stays small: the rest goes on, and what was lost is found again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undo } from '../../src/learn/change.ts'
import { removeMember, setMember } from '../../src/server/store/teams.ts'
import { refusedItems } from '../../src/store/sync/outbox.ts'
import { isSyncDue, readState } from '../../src/sync/state.ts'
import { serverDatabase } from '../server/databases.ts'
import { fetchOf, type TestMachine } from './machines.ts'
import { openTestServer, syncUntilStable, type TestServer, textsOnServer } from './test-server.ts'

describe.each([serverDatabase])('sync failures on $name', ({ open }) => {
  let server: TestServer

  beforeEach(async () => {
    server = await openTestServer(open)
  })
  afterEach(() => server?.close())

  it('reading and sending fail independently', async () => {
    const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
    desk.write({ id: 'm-desk', text: 'From the desk' })
    await desk.sync()
    laptop.write({ id: 'm-laptop', text: 'From the laptop' })
    const broken = (part: string): typeof fetch => {
      const net = fetchOf(server.httpApp)
      return async (input, init) =>
        String(input).includes(part) ? new Response('', { status: 500 }) : net(input, init)
    }
    laptop.net.fetch = broken('/push')
    await laptop.sync()
    expect(laptop.texts()).toEqual(['From the desk', 'From the laptop'])
    const { push, pull } = readState(laptop.ledger)!
    expect(pull.failure).toBeNull()
    expect(push.failure!.nextMs - laptop.time.ms).toBeGreaterThanOrEqual(22_500)
    expect(push.failure!.nextMs - laptop.time.ms).toBeLessThanOrEqual(37_500)
    laptop.net.fetch = broken('/pull')
    await laptop.sync()
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual(['From the desk', 'From the laptop'])
    expect(readState(laptop.ledger)!).toMatchObject({ push: { failure: null }, pull: { failure: { tries: 1 } } })
  })

  it('a rejected batch is split until the item is found', async () => {
    const laptop = await server.joined('laptop')
    laptop.write(...Array.from({ length: 20 }, (_, n) => ({ id: `m-${n}`, text: `Said ${n}` })))
    const net = fetchOf(server.httpApp)
    laptop.net.fetch = async (input, init) =>
      String(init?.body ?? '').includes('"m-13"')
        ? Response.json({ error: { code: 'invalid', message: 'No' } }, { status: 422 })
        : net(input, init)
    expect(await laptop.sync()).toMatchObject({ pushed: 19, refused: 1, failures: [] })
    expect(refusedItems(laptop.ledger)).toMatchObject([{ id: 'm-13', refusal: { reason: 'invalid', message: 'No' } }])
    // A change sends it again.
    laptop.net.fetch = net
    laptop.write({ id: 'm-13', text: 'Said otherwise' })
    expect(await laptop.sync()).toMatchObject({ pushed: 1, refused: 0 })
  })

  it('a lost outbox is rebuilt by reconciling', async () => {
    const laptop = await server.joined('laptop')
    laptop.write({ id: 'm-one', text: 'The port is 7718' }, { id: 'm-two', text: 'Gone soon' })
    await syncUntilStable(laptop)
    laptop.write({ id: 'm-one', text: 'The port is 7719' }, { id: 'm-three', text: 'New' })
    laptop.forget('m-two')
    laptop.ledger.raw.exec('DELETE FROM outbox')
    await syncUntilStable(laptop)
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual(['New', 'The port is 7719'])
  })

  it('isSyncDue respects the outbox, the interval and the backoff', async () => {
    const laptop = await server.joined('laptop')
    await laptop.sync()
    expect(isSyncDue(laptop.context)).toBe(false)
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    expect(isSyncDue(laptop.context)).toBe(true)
    laptop.net.fetch = async () => new Response('', { status: 503, headers: { 'retry-after': '600' } })
    await laptop.sync()
    laptop.time.ms += 590_000
    expect(isSyncDue(laptop.context)).toBe(false)
    laptop.restart()
    laptop.time.ms += 20_000
    expect(isSyncDue(laptop.context)).toBe(true)
    laptop.net.fetch = fetchOf(server.httpApp)
    await laptop.sync()
    expect(isSyncDue(laptop.context)).toBe(false)
    // Neither does a clock that was set back stop it for ever.
    laptop.time.ms -= 86_400_000
    expect(isSyncDue(laptop.context)).toBe(true)
  })

  describe('items stored without an acknowledgement', () => {
    /** Sent and stored; the machine never hears of it. */
    async function sendUnheard(one: TestMachine): Promise<void> {
      const net = fetchOf(server.httpApp)
      one.net.fetch = async (input, init) => {
        const answer = await net(input, init)
        if (String(input).endsWith('/push')) throw new TypeError('fetch failed', { cause: new Error('reset') })
        return answer
      }
      await one.sync()
      one.net.fetch = net
    }

    it('are deleted if they were undone meanwhile', async () => {
      const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
      laptop.write({ id: 'm-one', text: 'Said too early' })
      await sendUnheard(laptop)
      undo(laptop.context)
      await syncUntilStable(laptop, desk)
      for (const one of [laptop, desk]) expect(one.texts()).toEqual([])
      expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([])
    })

    it('are restored if the change was undone', async () => {
      const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
      laptop.write({ id: 'm-one', text: 'Before' })
      await syncUntilStable(laptop, desk)
      laptop.write({ id: 'm-one', text: 'After' })
      await sendUnheard(laptop)
      undo(laptop.context)
      await syncUntilStable(laptop, desk)
      for (const one of [laptop, desk]) expect(one.texts()).toEqual(['Before'])
    })

    it('stay forgotten if restored and forgotten again', async () => {
      const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
      laptop.write({ id: 'm-one', text: 'Not wanted' })
      await syncUntilStable(laptop, desk)
      laptop.forget('m-one')
      await syncUntilStable(laptop, desk)
      undo(laptop.context)
      await sendUnheard(laptop)
      laptop.forget('m-one')
      await syncUntilStable(laptop, desk)
      for (const one of [laptop, desk]) expect(one.texts()).toEqual([])
    })

    it('are not treated as deleted after leaving and rejoining the team', async () => {
      const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
      bob.write({ id: 'm-team', text: 'For the team', space: 'team:core', project: null })
      await sendUnheard(bob)
      const be = (role: 'writer' | undefined) =>
        server.database.transaction<unknown>((queries) =>
          role
            ? setMember(queries, { team: 'core', user: 'bob', role, projects: null })
            : removeMember(queries, 'core', 'bob'),
        )
      await be(undefined)
      await syncUntilStable(bob)
      expect(bob.texts()).toEqual([])
      await be('writer')
      await syncUntilStable(bob, ann)
      for (const one of [ann, bob]) expect(one.texts()).toEqual(['For the team'])
    })

    it('go to the inbox if another user changed them before the undo', async () => {
      const [laptop, desk] = [await server.joined('laptop'), await server.joined('desk')]
      laptop.write({ id: 'm-one', text: 'Said too early' })
      await sendUnheard(laptop)
      undo(laptop.context)
      await desk.sync()
      desk.write({ id: 'm-one', text: 'Said better' })
      await syncUntilStable(desk, laptop, desk)
      for (const one of [laptop, desk]) {
        expect(one.texts()).toEqual([])
        expect(one.inbox()).toEqual(['Said better'])
      }
    })
  })
})
