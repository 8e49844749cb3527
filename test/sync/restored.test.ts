// A server whose database was restored from an old backup or is empty: nothing is lost, and all
// machines end with the same memories.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox } from '../../src/store/sync/outbox.ts'
import { listSpaces } from '../../src/store/sync/spaces.ts'
import { isProof } from '../proof.ts'
import { serverDatabase } from '../server/databases.ts'
import { takeBackup } from './backup.ts'
import type { TestMachine } from './machines.ts'
import { openTestServer, syncUntilStable, type TestServer, textsOnServer } from './test-server.ts'

describe.each([serverDatabase])('sync with a restored server on $name', ({ open }) => {
  let server: TestServer
  let laptop: TestMachine
  let desk: TestMachine

  beforeEach(async () => {
    server = await openTestServer(open)
    laptop = await server.joined('laptop')
    desk = await server.joined('desk')
  })
  afterEach(() => server?.close())

  /** What both machines and the server have. */
  async function agreed(...machines: TestMachine[]): Promise<string[]> {
    const [first, ...others] = machines
    for (const other of others) expect(plain(other)).toEqual(plain(first!))
    for (const one of machines) expect(countOutbox(one.ledger)).toEqual({ waiting: 0, refused: 0 })
    for (const one of machines) expect(await one.sync()).toMatchObject({ pushed: 0, pulled: 0, restored: 0 })
    const live = plain(first!).map(([, { text }]) => text)
    expect(await textsOnServer(server.httpApp, first!.key)).toEqual(live.toSorted())
    return first!.texts()
  }

  /** A backup, and then a good deal that it does not have. */
  async function longAfterBackup(): Promise<() => Promise<void>> {
    laptop.write(
      { id: 'm-kept', text: 'Stays as it is' },
      { id: 'm-edited', text: 'Old words' },
      { id: 'm-gone', text: 'To be forgotten' },
      { id: 'm-both', text: 'Before' },
    )
    await syncUntilStable(laptop, desk)
    const restore = await takeBackup(server.opened)
    laptop.write({ id: 'm-edited', text: 'New words' }, { id: 'm-new', text: 'Said after the backup' })
    desk.forget('m-gone')
    laptop.write({ id: 'm-both', text: 'After, on the laptop' })
    await syncUntilStable(laptop, desk)
    desk.write({ id: 'm-new', text: 'Said after the backup, and corrected' })
    // The laptop has not seen that when the server falls back.
    await syncUntilStable(desk)
    return restore
  }
  const everything = [
    'After, on the laptop',
    'New words',
    'Said after the backup, and corrected',
    'Stays as it is',
  ] as const

  it('detects the restore by the cursor and sends lost items again', async () => {
    const restore = await longAfterBackup()
    await restore()
    expect((await laptop.sync({ isForced: false })).restored).toBeGreaterThan(0)
    await syncUntilStable(laptop, desk)
    expect(await agreed(laptop, desk)).toEqual(everything)
    for (const one of [laptop, desk]) expect(one.memory('m-gone')!.state).toBe('forgotten')
  })

  it.runIf(isProof)('detects the restore even if the cursor looks valid', async () => {
    const restore = await longAfterBackup()
    await restore()
    const phone = await server.joined('phone')
    const { cursor } = listSpaces(laptop.ledger).find(({ name }) => name === 'me')!
    phone.write(...Array.from({ length: cursor + 5 }, (_, n) => ({ id: `m-phone-${n}`, text: `From the phone ${n}` })))
    await syncUntilStable(phone)
    // Reading from the cursor on finds nothing wrong; comparing everything does, once a day.
    expect(await laptop.sync({ isForced: false })).toMatchObject({ restored: 0 })
    laptop.time.ms += 25 * 3_600_000
    expect((await laptop.sync({ isForced: false })).restored).toBeGreaterThan(0)
    await syncUntilStable(laptop, desk, phone)
    const texts = await agreed(laptop, desk, phone)
    expect(texts.filter((text) => !text.startsWith('From the phone'))).toEqual(everything)
    expect(texts).toHaveLength(everything.length + cursor + 5)
    expect(phone.memory('m-gone')!.state).toBe('forgotten')
  })

  it.runIf(isProof)('prefers new statements on the server over unchanged local ones', async () => {
    const phone = await server.joined('phone')
    laptop.write({ id: 'm-one', text: 'In the backup' })
    await syncUntilStable(laptop, desk, phone)
    const restore = await takeBackup(server.opened)
    laptop.write({ id: 'm-one', text: 'Lost with the server' })
    await syncUntilStable(laptop, desk)
    await restore()
    // It has seen what is in the backup, and nothing of what came after.
    phone.write({ id: 'm-one', text: 'Said since' })
    await syncUntilStable(phone)
    await syncUntilStable(laptop, desk, phone)
    expect(await agreed(laptop, desk, phone)).toEqual(['Said since'])
    const history = listMemories(phone.ledger).filter(({ supersededBy }) => supersededBy === 'm-one')
    expect(history.map(({ text }) => text)).toEqual(['Lost with the server'])
  })

  it('prefers local changes and keeps the statement of the server as history', async () => {
    const phone = await server.joined('phone')
    laptop.write({ id: 'm-one', text: 'In the backup' })
    await syncUntilStable(laptop, desk, phone)
    const restore = await takeBackup(server.opened)
    laptop.write({ id: 'm-one', text: 'Lost with the server' })
    await syncUntilStable(laptop, desk)
    await restore()
    phone.write({ id: 'm-one', text: 'Said since' })
    await syncUntilStable(phone)
    laptop.write({ id: 'm-one', text: 'Changed here since' })
    await syncUntilStable(laptop, desk, phone)
    expect(await agreed(laptop, desk, phone)).toEqual(['Changed here since'])
    const history = listMemories(phone.ledger).filter(({ supersededBy }) => supersededBy === 'm-one')
    expect(history.map(({ text }) => text)).toContain('Said since')
  })

  it.runIf(isProof)('restores no forgotten memories and keeps shares', async () => {
    const bob = await server.joined('bob', 'bob')
    laptop.write(
      { id: 'm-team', text: 'For the team', space: 'team:core', project: null },
      { id: 'm-old', text: 'Team, forgotten later', space: 'team:core', project: null },
    )
    await syncUntilStable(laptop, bob)
    const restore = await takeBackup(server.opened)
    bob.write({ id: 'm-team', text: 'For the team, by bob' })
    laptop.forget('m-old')
    await syncUntilStable(bob, laptop, desk, bob)
    await restore()
    await syncUntilStable(laptop, desk, bob)
    for (const one of [laptop, desk, bob]) expect(one.texts()).toEqual(['For the team, by bob'])
    expect(await textsOnServer(server.httpApp, bob.key, 'team:core')).toEqual(['For the team, by bob'])
  })

  it.runIf(isProof)('sends everything to an empty server', async () => {
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await syncUntilStable(laptop)
    await server.database.query('DELETE FROM items')
    await server.database.query('UPDATE spaces SET seq = 0')
    await syncUntilStable(laptop)
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual(['The port is 7718'])
  })
})

/** Field by field; how often it was shown and used is a machine's own. */
function plain({ ledger }: TestMachine) {
  return listMemories(ledger)
    .filter(({ state }) => state !== 'forgotten')
    .map(({ counts, because: _, ...memory }) => [memory.id, { ...memory, said: counts.said }] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
}
