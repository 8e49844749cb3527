// What a server and a network do to people over the years: away for a week, restored from an old backup, killed in the middle.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../src/core/paths.ts'
import type { Database } from '../src/server/database/database.ts'
import type { HttpDoor } from '../src/server/http/door.ts'
import { listen } from '../src/server/http/listen.ts'
import { setMember } from '../src/server/store/teams.ts'
import { openLedger } from '../src/store/ledger.ts'
import { listMemories } from '../src/store/memories.ts'
import { countOutbox, refusedItems } from '../src/store/outbox.ts'
import { saveShare } from '../src/store/shares.ts'
import { isSyncDue, readState } from '../src/sync/state.ts'
import { databases, type Opened } from './server/databases.ts'
import { addKey, addTeam, addUser, ask, doorOn } from './server/start.ts'
import { fetchOf, machine, type TestMachine } from './sync-machines.ts'

describe.each(databases)('over time on $name', ({ open }) => {
  let opened: Opened
  let database: Database
  let door: HttpDoor
  let made: TestMachine[] = []

  beforeEach(async () => {
    opened = await open()
    database = opened.database
    door = doorOn(database)
    made = []
    for (const user of ['ann', 'bob']) await addUser(database, user)
    await addTeam(database, 'core', { ann: 'writer', bob: 'writer' })
  })
  afterEach(async () => {
    for (const one of made) one.remove()
    await opened?.stop()
  })

  async function joined(name: string, user = 'ann'): Promise<TestMachine> {
    const one = machine(name, (await addKey(database, user)).text, door)
    made.push(one)
    await one.join()
    return one
  }

  async function settle(...machines: TestMachine[]): Promise<void> {
    for (let round = 0; round < 4; round++) for (const one of machines) await one.sync()
  }

  it('a server that was restored from an old backup gets back what it has lost', async () => {
    const [laptop, desk] = [await joined('laptop'), await joined('desk')]
    laptop.write(
      { id: 'm-kept', text: 'Stays as it is' },
      { id: 'm-edited', text: 'Old words' },
      { id: 'm-gone', text: 'To be forgotten' },
      { id: 'm-both', text: 'Before' },
    )
    await settle(laptop, desk)
    await database.query('CREATE TABLE old_items AS TABLE items')
    await database.query('CREATE TABLE old_spaces AS TABLE spaces')

    laptop.write({ id: 'm-edited', text: 'New words' }, { id: 'm-new', text: 'Said after the backup' })
    desk.forget('m-gone')
    laptop.write({ id: 'm-both', text: 'After, on the laptop' })
    await settle(laptop, desk)
    desk.write({ id: 'm-new', text: 'Said after the backup, and corrected' })
    await settle(desk)
    // The laptop has not seen that when the server falls back.
    await database.query('DELETE FROM items')
    await database.query('INSERT INTO items SELECT * FROM old_items')
    await database.query('UPDATE spaces SET seq = old.seq FROM old_spaces old WHERE old.id = spaces.id')

    await settle(laptop, desk)
    for (const one of [laptop, desk]) {
      expect(one.texts()).toEqual([
        'After, on the laptop',
        'New words',
        'Said after the backup, and corrected',
        'Stays as it is',
      ])
      expect(one.memory('m-gone')!.state).toBe('forgotten')
      expect(countOutbox(one.ledger)).toEqual({ waiting: 0, refused: 0 })
    }
    expect(await textsOnServer(door, laptop.key)).toEqual(laptop.texts())
    expect(await laptop.sync()).toMatchObject({ pushed: 0, pulled: 0 })
  })

  it('a server that begins anew gets everything', async () => {
    const laptop = await joined('laptop')
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await settle(laptop)
    await database.query('DELETE FROM items')
    await database.query('UPDATE spaces SET seq = 0')
    await settle(laptop)
    expect(await textsOnServer(door, laptop.key)).toEqual(['The port is 7718'])
  })

  it('an outbox that was lost is found again', async () => {
    const laptop = await joined('laptop')
    laptop.write({ id: 'm-one', text: 'The port is 7718' }, { id: 'm-two', text: 'Gone soon' })
    await settle(laptop)
    laptop.write({ id: 'm-one', text: 'The port is 7719' }, { id: 'm-three', text: 'New' })
    laptop.forget('m-two')
    laptop.ledger.raw.exec('DELETE FROM outbox')
    await settle(laptop)
    expect(await textsOnServer(door, laptop.key)).toEqual(['New', 'The port is 7719'])
  })

  it('a week without the server: ten thousand changes wait, and go', { timeout: 120_000 }, async () => {
    const [laptop, desk] = [await joined('laptop'), await joined('desk')]
    laptop.net.fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ENETUNREACH') }))
    for (let day = 0; day < 7; day++) {
      laptop.write(
        ...Array.from({ length: 1000 }, (_, n) => ({ id: `m-${day}-${n}`, text: `Said ${n} on day ${day}` })),
      )
      const before =
        day > 0 ? Array.from({ length: 500 }, (_, n) => ({ id: `m-${day - 1}-${n}`, tags: ['again'] })) : []
      laptop.write(...before)
      expect((await laptop.sync()).failures).toHaveLength(1)
      laptop.time.ms += 86_400_000
    }
    expect(countOutbox(laptop.ledger)).toEqual({ waiting: 7000, refused: 0 })
    expect(readState(laptop.ledger)!.push.failure).toMatchObject({ tries: 7 })
    laptop.net.fetch = fetchOf(door)
    expect(await laptop.sync()).toMatchObject({ pushed: 7000, failures: [] })
    expect(await desk.sync()).toMatchObject({ pulled: 7000, pushed: 0, failures: [] })
    expect(desk.texts()).toEqual(laptop.texts())
    expect(countOutbox(laptop.ledger).waiting).toBe(0)
  })

  it('reading goes on where sending fails, and the other way round', async () => {
    const [laptop, desk] = [await joined('laptop'), await joined('desk')]
    desk.write({ id: 'm-desk', text: 'From the desk' })
    await desk.sync()
    laptop.write({ id: 'm-laptop', text: 'From the laptop' })
    const broken = (part: string): typeof fetch => {
      const net = fetchOf(door)
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
    expect(await textsOnServer(door, laptop.key)).toEqual(['From the desk', 'From the laptop'])
    expect(readState(laptop.ledger)!).toMatchObject({ push: { failure: null }, pull: { failure: { tries: 1 } } })
  })

  it('a batch that is not taken is halved until the one item is found', async () => {
    const laptop = await joined('laptop')
    laptop.write(...Array.from({ length: 20 }, (_, n) => ({ id: `m-${n}`, text: `Said ${n}` })))
    const net = fetchOf(door)
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

  it('is due when something waits or a minute has passed, and not before the next try', async () => {
    const laptop = await joined('laptop')
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
    laptop.net.fetch = fetchOf(door)
    await laptop.sync()
    expect(isSyncDue(laptop.context)).toBe(false)
    // Neither does a clock that was set back stop it for ever.
    laptop.time.ms -= 86_400_000
    expect(isSyncDue(laptop.context)).toBe(true)
  })

  it('what is shared appears with the other, follows it, and goes with the share', async () => {
    const [ann, bob] = [await joined('ann', 'ann'), await joined('bob', 'bob')]
    const desk = await joined('desk', 'ann')
    ann.write({ id: 'm-one', text: 'Releases are tagged', tags: ['release'], project: null })
    const share = { id: 's-1', subject: { kind: 'tag' as const, tag: 'release' }, permission: 'read' as const, atMs: 0 }
    ann.ledger.transaction(() => saveShare(ann.ledger, { ...share, with: 'team:core' }))
    await settle(ann, bob, desk)
    expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', author: 'ann' })
    // To the other machine of its owner it is their own, in whatever order the spaces come.
    expect(desk.memory('m-one')).toMatchObject({ space: null, author: null })
    desk.write({ id: 'm-one', text: 'Releases are tagged and signed' })
    await settle(desk, ann, bob)
    expect(bob.memory('m-one')!.text).toBe('Releases are tagged and signed')
    desk.write({ id: 'm-one', tags: [] })
    await settle(desk, bob, ann)
    expect(bob.memory('m-one')).toBeUndefined()
    expect(ann.memory('m-one')!.state).toBe('kept')
    for (const one of made) expect(countOutbox(one.ledger)).toEqual({ waiting: 0, refused: 0 })
  })

  it('access to fewer projects takes away what may not be seen', async () => {
    const [ann, bob] = [await joined('ann', 'ann'), await joined('bob', 'bob')]
    const there = { space: 'team:core' }
    ann.write(
      { id: 'm-app', text: 'Of the app', project: 'github.com/dev/app', ...there },
      { id: 'm-site', text: 'Of the site', project: 'github.com/dev/site', ...there },
    )
    await settle(ann, bob)
    expect(bob.texts()).toEqual(['Of the app', 'Of the site'])
    const member = { team: 'core', user: 'bob', role: 'writer' as const }
    await database.transaction((queries) => setMember(queries, { ...member, projects: ['github.com/dev/app'] }))
    await settle(bob, ann)
    expect(bob.texts()).toEqual(['Of the app'])
    expect(ann.texts()).toEqual(['Of the app', 'Of the site'])
    expect(countOutbox(bob.ledger)).toEqual({ waiting: 0, refused: 0 })
    await database.transaction((queries) => setMember(queries, { ...member, projects: null }))
    await settle(bob)
    expect(bob.texts()).toEqual(['Of the app', 'Of the site'])
  })

  it('a machine that is killed at any point has lost and doubled nothing', { timeout: 120_000 }, async () => {
    const root = mkdtempSync(join(tmpdir(), 'recollect-sync-killed-'))
    const listening = await listen(door, { host: '127.0.0.1', port: 0, isBehindProxy: false })
    const server = `http://127.0.0.1:${listening.address.port}`
    const { text: key } = await addKey(database, 'ann')
    try {
      for (let round = 0; round < 6; round++) {
        const child = spawn(
          process.execPath,
          [join(import.meta.dirname, 'sync-child.ts'), root, server, key, `${round}`],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        )
        await said(child, 'writing')
        await new Promise((resolve) => setTimeout(resolve, 30 + round * 45))
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      const last = spawn(process.execPath, [join(import.meta.dirname, 'sync-child.ts'), root, server, key, 'last'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect(await once(last, 'exit')).toEqual([0, null])
      const ledger = openLedger(layoutOf(root))
      const texts = listMemories(ledger).map(({ text }) => text)
      expect(countOutbox(ledger)).toEqual({ waiting: 0, refused: 0 })
      ledger.close()
      expect(texts.length).toBeGreaterThan(50)
      expect(await textsOnServer(door, key)).toEqual(texts.toSorted())
    } finally {
      await listening.close(1000)
      rmSync(root, { recursive: true, force: true })
    }
  })
})

async function said(child: ChildProcess, word: string): Promise<void> {
  for await (const piece of child.stdout!) if (String(piece).includes(word)) return
}

async function textsOnServer(door: HttpDoor, key: string): Promise<string[]> {
  const texts: string[] = []
  for (let after = 0; ; ) {
    const { json } = await ask(door, 'GET', `/api/spaces/me/pull?after=${after}`, { key })
    for (const { document } of json.items) if (document?.text) texts.push(document.text)
    after = json.cursor
    if (!json.hasMore) return texts.toSorted()
  }
}
