// A week without the server: thousands of changes wait, and one `recollect sync` of the built program brings them there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../src/core/paths.ts'
import { undo } from '../../src/learn/change.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { type Ledger, openLedger } from '../../src/store/ledger.ts'
import { changeMemories } from '../../src/store/memories/changes.ts'
import { listMemories, memoryById } from '../../src/store/memories/memories.ts'
import { countOutbox } from '../../src/store/sync/outbox.ts'
import { type Place, place } from '../program.ts'
import { scaled } from '../proof.ts'
import { sampleMemory } from '../sample-memory.ts'
import { postgres } from '../server/databases.ts'
import { addKey } from '../server/test-app.ts'
import { runProgram } from './run-program.ts'
import { openTestServer, type TestServer, textsOnServer } from './test-server.ts'

const changes = scaled(200, 10_000)

describe('sync after a week offline', () => {
  let server: TestServer
  let listening: HttpListener
  const traffic = { requests: 0, bytesUp: 0, bytesDown: 0 }
  const places: Place[] = []

  beforeEach(async () => {
    server = await openTestServer(postgres.open)
    listening = await listen(counted(server.httpApp, traffic), { host: '127.0.0.1', port: 0 })
  })
  afterEach(async () => {
    await listening.close(100)
    await server.close()
    for (const at of places.splice(0)) at.remove()
  })

  async function joined(): Promise<Place> {
    const at = place()
    places.push(at)
    at.env = { RECOLLECT_KEY: (await addKey(server.database, 'ann')).text }
    const done = await runProgram(at, 'sync', 'join', `http://127.0.0.1:${listening.address.port}`)
    expect(done.status, done.err).toBe(0)
    return at
  }

  it('sends everything in one sync', async () => {
    const laptop = await joined()
    const texts = inLedger(laptop, textsAfterWeek)
    Object.assign(traffic, { requests: 0, bytesUp: 0, bytesDown: 0 })
    const begun = performance.now()
    const done = await runProgram(laptop, 'sync')
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(
      `${changes} changes, ${texts.length} memories; ${traffic.requests} requests, ${traffic.bytesUp} bytes up, ${traffic.bytesDown} down, ${seconds} s`,
    )
    expect(done.status, done.err).toBe(0)
    expect(inLedger(laptop, countOutbox)).toEqual({ waiting: 0, refused: 0 })
    expect(await textsOnServer(server.httpApp, laptop.env.RECOLLECT_KEY!)).toEqual(texts)
    const again = JSON.parse((await runProgram(laptop, 'sync', '--json')).out)
    expect(again).toMatchObject({ pushed: 0, pulled: 0, conflicts: 0 })
  })
})

function textsAfterWeek(ledger: Ledger): string[] {
  week(ledger)
  return listMemories(ledger, { state: 'kept' })
    .map(({ text }) => text)
    .toSorted()
}

/** Of ten changes five are new, three are other words, one of those is taken back, and one forgets. */
function week(ledger: Ledger): void {
  const clock = { nowMs: () => Date.parse('2026-09-01T10:00:00.000Z') }
  const at = new Date(clock.nowMs()).toISOString()
  const idOf = (n: number) => `m-${n}`
  for (let n = 0; n < changes; n++) {
    const step = n % 10
    if (step === 9) {
      undo({ ledger, clock, origin: 'laptop' })
      continue
    }
    const before = step < 5 ? undefined : memoryById(ledger, idOf(n - 5))!
    const what = step === 7 ? { state: 'forgotten' as const } : { text: `Said anew ${n}` }
    const memory = before
      ? { ...before, ...what, version: before.version + 1 }
      : sampleMemory({ id: idOf(n), text: `Said ${n} in the week without a server` })
    ledger.transaction(() => changeMemories(ledger, { at, kind: 'remembered', about: 'a test' }, [memory]))
  }
}

function inLedger<T>({ store }: Place, work: (ledger: Ledger) => T): T {
  const ledger = openLedger(layoutOf(store))
  try {
    return work(ledger)
  } finally {
    ledger.close()
  }
}

function counted(httpApp: HttpApp, traffic: { requests: number; bytesUp: number; bytesDown: number }): HttpApp {
  return {
    ...httpApp,
    async fetch(request, from) {
      traffic.requests++
      traffic.bytesUp += Number(request.headers.get('content-length') ?? 0)
      const answer = await httpApp.fetch(request, from)
      traffic.bytesDown += (await answer.clone().arrayBuffer()).byteLength
      return answer
    },
  }
}
