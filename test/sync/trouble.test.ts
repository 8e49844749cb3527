// What goes wrong between a machine and the server stays small: the rest goes on, and what was lost is found again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refusedItems } from '../../src/store/outbox.ts'
import { isSyncDue, readState } from '../../src/sync/state.ts'
import { databases } from '../server/databases.ts'
import { fetchOf } from './machines.ts'
import { openRoom, type Room, settle, textsOnServer } from './room.ts'

describe.each(databases)('trouble on $name', ({ open }) => {
  let room: Room

  beforeEach(async () => {
    room = await openRoom(open)
  })
  afterEach(() => room?.close())

  it('reading goes on where sending fails, and the other way round', async () => {
    const [laptop, desk] = [await room.joined('laptop'), await room.joined('desk')]
    desk.write({ id: 'm-desk', text: 'From the desk' })
    await desk.sync()
    laptop.write({ id: 'm-laptop', text: 'From the laptop' })
    const broken = (part: string): typeof fetch => {
      const net = fetchOf(room.door)
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
    expect(await textsOnServer(room.door, laptop.key)).toEqual(['From the desk', 'From the laptop'])
    expect(readState(laptop.ledger)!).toMatchObject({ push: { failure: null }, pull: { failure: { tries: 1 } } })
  })

  it('a batch that is not taken is halved until the one item is found', async () => {
    const laptop = await room.joined('laptop')
    laptop.write(...Array.from({ length: 20 }, (_, n) => ({ id: `m-${n}`, text: `Said ${n}` })))
    const net = fetchOf(room.door)
    laptop.net.fetch = async (input, init) =>
      String(init?.body ?? '').includes('"m-13"')
        ? Response.json({ error: { code: 'invalid', message: 'No' } }, { status: 422 })
        : net(input, init)
    expect(await laptop.sync()).toMatchObject({ pushed: 19, refused: 1, failures: [] })
    expect(refusedItems(laptop.ledger)).toMatchObject([{ id: 'm-13', refusal: { reason: 'invalid', message: 'No' } }])
    // Whoever changes it sends it again.
    laptop.net.fetch = net
    laptop.write({ id: 'm-13', text: 'Said otherwise' })
    expect(await laptop.sync()).toMatchObject({ pushed: 1, refused: 0 })
  })

  it('an outbox that was lost is found again', async () => {
    const laptop = await room.joined('laptop')
    laptop.write({ id: 'm-one', text: 'The port is 7718' }, { id: 'm-two', text: 'Gone soon' })
    await settle(laptop)
    laptop.write({ id: 'm-one', text: 'The port is 7719' }, { id: 'm-three', text: 'New' })
    laptop.forget('m-two')
    laptop.ledger.raw.exec('DELETE FROM outbox')
    await settle(laptop)
    expect(await textsOnServer(room.door, laptop.key)).toEqual(['New', 'The port is 7719'])
  })

  it('is due when something waits or a minute has passed, and not before the next try', async () => {
    const laptop = await room.joined('laptop')
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
    laptop.net.fetch = fetchOf(room.door)
    await laptop.sync()
    expect(isSyncDue(laptop.context)).toBe(false)
    // Neither does a clock that was set back stop it for ever.
    laptop.time.ms -= 86_400_000
    expect(isSyncDue(laptop.context)).toBe(true)
  })
})
