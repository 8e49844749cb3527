// The built program, killed without warning: machines in the middle of an exchange, and the server in the middle of what they send.
// In the end everything is there, once.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../src/core/paths.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { changeMemories } from '../../src/store/memories/changes.ts'
import { listMemories, memoryById } from '../../src/store/memories/memories.ts'
import { countOutbox } from '../../src/store/sync/outbox.ts'
import { exited, kill, type Place, place, recollect, start } from '../program.ts'
import { isProof } from '../proof.ts'
import { randomNumbers } from '../random.ts'
import { sampleMemory } from '../sample-memory.ts'
import { proofDatabases } from '../server/databases.ts'

describe.each(proofDatabases)('sync with killed processes on $name', ({ name, open }) => {
  // Machines, and as often the server: it takes longer to come back where it brings its own database along.
  const kills = name === 'PGlite' ? 6 : 14
  const places: Place[] = []
  let server: ChildProcess | undefined
  afterEach(async () => {
    if (server) await kill(server)
    for (const at of places.splice(0)) at.remove()
  })

  function newPlace(env: Record<string, string> = {}): Place {
    const at = place()
    places.push(at)
    at.env = env
    return at
  }

  it.runIf(isProof)('loses and duplicates nothing', async () => {
    const opened = name === 'PostgreSQL' ? await open() : undefined
    const host = newPlace(opened?.url ? { DATABASE_URL: opened.url } : {})
    expect(recollect(host, 'server', 'user', 'add', 'ann').status).toBe(0)
    const { key } = recollect(host, 'server', 'key', 'create', '--user', 'ann', '--json').json()
    const port = await freePort()
    const serve = async () => {
      server = start(host, 'server', '--port', String(port), '--json', '--quiet')
      server.stderr!.resume()
      await once(server.stdout!, 'data')
    }
    await serve()
    const machines = [newPlace({ RECOLLECT_KEY: key }), newPlace({ RECOLLECT_KEY: key })]
    for (const at of machines)
      expect(recollect(at, 'sync', 'join', `http://127.0.0.1:${port}`, '--json').status).toBe(0)
    const expected = new Map<string, string>()

    // How long an uninterrupted exchange takes here.
    write(machines[0]!, 0, expected)
    const begun = performance.now()
    expect(recollect(machines[0]!, 'sync').status).toBe(0)
    const usualMs = performance.now() - begun

    const random = randomNumbers()
    for (let round = 1; round <= kills; round++) {
      for (const at of machines) write(at, round, expected)
      const syncing = machines.map((at) => start(at, 'sync'))
      await sleep(random() * usualMs)
      await Promise.all(syncing.map(kill))
    }
    for (let round = kills + 1; round <= 2 * kills; round++) {
      for (const at of machines) write(at, round, expected)
      const syncing = machines.map((at) => start(at, 'sync'))
      await sleep((0.3 + random() * 0.7) * usualMs)
      await kill(server!)
      await Promise.all(syncing.map(exited))
      await serve()
    }

    for (let round = 0; round < 3; round++)
      for (const at of machines) {
        const done = recollect(at, 'sync')
        expect(done.status, done.err).toBe(0)
      }
    for (const at of machines) {
      const { texts, ...outbox } = contentOf(at)
      expect(outbox).toEqual({ waiting: 0, refused: 0 })
      expect([...texts].filter(([id, text]) => expected.get(id) !== text)).toEqual([])
      expect([...expected.keys()].filter((id) => !texts.has(id))).toEqual([])
    }
    expect(await textsOnServer(`http://127.0.0.1:${port}`, key)).toEqual([...expected.values()].toSorted())
    await kill(server!)
    await opened?.stop()
  })
})

/** New ones, and other words for some of the round before: each machine has its own, so nothing is said twice. */
function write(at: Place, round: number, expected: Map<string, string>): void {
  const ledger = openLedger(layoutOf(at.store))
  const machine = at.root.slice(-6)
  const memories = Array.from({ length: 30 }, (_, n): Memory => {
    const isNew = n < 20
    const id = `m-${machine}-${isNew ? round : Math.max(0, round - 1)}-${n % 20}`
    const text = `Statement ${n} of round ${round} on ${machine}`
    const before = memoryById(ledger, id)
    expected.set(id, text)
    return before ? { ...before, text, version: before.version + 1 } : sampleMemory({ id, text })
  })
  const change = { at: '2026-09-01T10:00:00.000Z', kind: 'remembered' as const, about: 'a test' }
  ledger.transaction(() => changeMemories(ledger, change, memories))
  ledger.close()
}

function contentOf(at: Place) {
  const ledger = openLedger(layoutOf(at.store))
  try {
    const kept = listMemories(ledger, { state: 'kept' })
    return { ...countOutbox(ledger), texts: new Map(kept.map(({ id, text }) => [id, text])) }
  } finally {
    ledger.close()
  }
}

async function textsOnServer(server: string, key: string): Promise<string[]> {
  const texts: string[] = []
  for (let after = 0; ; ) {
    const answer = await fetch(`${server}/api/spaces/me/pull?after=${after}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { items, cursor, hasMore } = (await answer.json()) as {
      items: { document: { text: string } | null }[]
      cursor: number
      hasMore: boolean
    }
    texts.push(...items.flatMap(({ document }) => (document ? [document.text] : [])))
    if (!hasMore) return texts.toSorted()
    after = cursor
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
