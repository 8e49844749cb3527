// Whatever happens on the way, all machines end with the same, no words are lost, and nothing that was forgotten comes back.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpDoor } from '../src/server/http/door.ts'
import { listMemories } from '../src/store/memories.ts'
import { countOutbox } from '../src/store/outbox.ts'
import { hashOfDocument } from '../src/sync/identity.ts'
import { documentOf } from '../src/sync/memory-document.ts'
import type { ItemDocument } from '../src/sync/protocol.ts'
import { databases, type Opened } from './server/databases.ts'
import { addKey, addTeam, addUser, ask, doorOn } from './server/start.ts'
import { fetchOf, machine, type TestMachine } from './sync-machines.ts'

type Net = 'fine' | 'request lost' | 'answer lost' | 'answer cut' | 'twice' | 'again later' | 'server broken'

type Step = { at: number } & (
  | { kind: 'say' | 'say again' | 'edit' | 'forget'; which: number }
  | { kind: 'sync'; nets: Net[] }
  | { kind: 'restart' }
  | { kind: 'clock'; days: number }
)

const machineCount = 3
const nets = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Net>('fine') },
    {
      weight: 4,
      arbitrary: fc.constantFrom<Net>(
        'request lost',
        'answer lost',
        'answer cut',
        'twice',
        'again later',
        'server broken',
      ),
    },
  ),
  { maxLength: 12 },
)
const at = fc.nat(machineCount - 1)
const which = fc.nat(9)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('say' as const), at, which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('say again' as const), at, which }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('edit' as const), at, which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), at, which }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sync' as const), at, nets }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), at }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('clock' as const), at, days: fc.integer({ min: -800, max: 800 }) }),
  },
)

describe.each(databases)('three machines on $name', ({ name, open }) => {
  let opened: Opened
  let door: HttpDoor
  let runs = 0

  beforeAll(async () => {
    opened = await open()
    door = doorOn(opened.database)
  })
  afterAll(() => opened?.stop())

  const runsWanted = name === 'PGlite' ? 6 : 4

  it.each([['me'], ['team:core']])('agree in %s', { timeout: 240_000 }, async (space) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80, size: 'max' }), (steps) => play(space, steps)),
      { numRuns: runsWanted, interruptAfterTimeLimit: 200_000, endOnFailure: true },
    )
  })

  it('agree after a thousand steps', { timeout: 240_000 }, async () => {
    const [steps] = fc.sample(fc.array(step, { minLength: 1000, maxLength: 1000, size: 'max' }), {
      numRuns: 1,
      seed: 7718,
    })
    await play('me', steps!)
  })

  async function play(space: string, steps: readonly Step[]): Promise<void> {
    const team = `core-${++runs}`
    const people = space === 'me' ? ['ann', 'ann', 'ann'] : ['ann', 'bob', 'cleo']
    for (const user of new Set(people)) await addUser(opened.database, `${user}-${runs}`)
    await addTeam(opened.database, team, Object.fromEntries(people.map((user) => [`${user}-${runs}`, 'writer'])))
    const keys = await Promise.all(people.map((user) => addKey(opened.database, `${user}-${runs}`)))
    const machines = keys.map(({ text }, index) => machine(`m${index}`, text, door))
    try {
      for (const one of machines) await one.join()
      const model: Model = {
        space: space === 'me' ? null : `team:${team}`,
        count: 0,
        said: new Map(),
        forgotten: new Set(),
      }
      for (const one of steps) await take(machines, model, one)
      await settle(machines)
      await check(machines, model, keys[0]!.text)
    } finally {
      for (const one of machines) one.remove()
    }
  }

  async function take(machines: readonly TestMachine[], model: Model, one: Step): Promise<void> {
    const here = machines[one.at]!
    switch (one.kind) {
      case 'say': {
        // Few memories and many hands: that is where they meet.
        if (liveOf(here, model).length > 4) return
        const text = newWords(model)
        here.write({ id: `m-${one.which}-${model.count}`, text, space: model.space, project: null })
        return
      }
      case 'say again':
      case 'edit':
      case 'forget': {
        const live = liveOf(here, model)
        const memory = live[one.which % Math.max(1, live.length)]
        if (!memory) return
        if (one.kind === 'say again') {
          here.write({ id: memory.id, counts: { ...memory.counts, said: memory.counts.said + 1 } })
          return
        }
        // Whoever changes words has seen them: they may go.
        model.said.set(memory.text, 'retired')
        if (one.kind === 'edit') here.write({ id: memory.id, text: newWords(model) })
        else {
          model.forgotten.add(memory.id)
          here.forget(memory.id)
        }
        return
      }
      case 'sync':
        here.net.fetch = troubled(fetchOf(door), one.nets)
        await here.sync({ isForced: one.nets.length % 2 === 0 })
        here.net.fetch = fetchOf(door)
        return
      case 'restart':
        return here.restart()
      case 'clock':
        here.time.ms += one.days * 86_400_000
        return
      default:
        one satisfies never
    }
  }

  async function settle(machines: readonly TestMachine[]): Promise<void> {
    for (let round = 0; round < 6; round++) {
      const done = []
      for (const one of machines) done.push(await one.sync())
      if (done.every(({ pushed, pulled }) => pushed + pulled === 0)) return
    }
  }

  async function check(machines: readonly TestMachine[], model: Model, key: string): Promise<void> {
    for (const one of machines) expect(countOutbox(one.ledger)).toEqual({ waiting: 0, refused: 0 })
    const [first, ...others] = machines.map((one) => contentOf(one, model.space))
    for (const other of others) expect(other).toEqual(first)
    const path = `/api/spaces/${encodeURIComponent(model.space ?? 'me')}/pull`
    const { json } = await ask(door, 'GET', path, { key })
    const there = (json.items as { id: string; hash: string; document: unknown }[]).filter(({ document }) => document)
    expect(Object.fromEntries(there.map(({ id, hash }) => [id, hash]))).toEqual(first)

    const all = machines.flatMap((one) => listMemories(one.ledger)).filter(({ state }) => state !== 'forgotten')
    const kept = new Set(all.map(({ text }) => text))
    const lost = [...model.said].filter(([text, state]) => state === 'said' && !kept.has(text))
    expect(lost).toEqual([])
    expect([...model.forgotten].filter((id) => id in first!)).toEqual([])
  }
})

interface Model {
  space: string | null
  count: number
  /** Every text that anybody has written, and whether somebody who had seen it took it away. */
  said: Map<string, 'said' | 'retired'>
  forgotten: Set<string>
}

function newWords(model: Model): string {
  const text = `statement number ${++model.count}`
  model.said.set(text, 'said')
  return text
}

function liveOf({ ledger }: TestMachine, { space }: Model) {
  return listMemories(ledger)
    .filter((memory) => memory.state === 'kept' && memory.supersededBy === null && memory.space === space)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Everything that is to be on the server, by its hash. */
function contentOf({ ledger }: TestMachine, space: string | null): Record<string, string> {
  return Object.fromEntries(
    listMemories(ledger)
      .filter((memory) => memory.state !== 'forgotten' && memory.space === space)
      .map((memory) => [memory.id, hashOfDocument(documentOf(memory) as ItemDocument)]),
  )
}

/** One thing after the other happens to requests; then all is well. */
function troubled(net: typeof fetch, troubles: readonly Net[]): typeof fetch {
  const left = [...troubles]
  const late: (() => Promise<unknown>)[] = []
  return async (input, init) => {
    const trouble = left.shift() ?? 'fine'
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connection reset') }))
    for (const send of late.splice(0)) await send()
    switch (trouble) {
      case 'fine':
        return net(input, init)
      case 'request lost':
        return lost()
      case 'answer lost':
        await net(input, init)
        return lost()
      case 'answer cut': {
        const answer = await net(input, init)
        const text = await answer.text()
        return new Response(text.slice(0, Math.floor(text.length / 2)), {
          status: answer.status,
          headers: answer.headers,
        })
      }
      case 'twice':
        await net(input, init)
        return net(input, init)
      case 'again later':
        late.push(() => net(input, init))
        return net(input, init)
      case 'server broken':
        return new Response('<html>Bad gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } })
      default:
        return trouble satisfies never
    }
  }
}
