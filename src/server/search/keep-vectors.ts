// When vectors are made: at the start for everything, after a push for its space; by one instance at a time.
import { randomUUID } from 'node:crypto'
import type { Services } from '../services.ts'
import { fillVectors } from './fill-vectors.ts'
import { giveBackLease, takeLease } from './lease.ts'
import { hasVectors } from './vectors.ts'

export interface VectorWork {
  /** Something was pushed to this space; null where anything may be missing. */
  wake(spaceId: string | null): void
  /** How often the endpoint or the database failed since the start. */
  failures(): number
  /** After the batch that is under way. */
  stop(): Promise<void>
}

export function keepVectors(services: Services, { pauseMs = 30_000 } = {}): VectorWork {
  if (!services.embed) return { wake() {}, failures: () => 0, async stop() {} }
  const { database } = services
  const holder = randomUUID()
  const waiting = new Set<string | null>()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failed = 0
  let isStopped = false

  const mayGoOn = async () => !isStopped && (await takeLease(database, holder))

  async function fillAll(): Promise<void> {
    if (!(await hasVectors(database))) return waiting.clear()
    while (waiting.size > 0 && (await mayGoOn())) {
      const [space = null] = waiting
      waiting.delete(space)
      if (!(await fillVectors(services, space, mayGoOn))) waiting.add(space)
    }
    await giveBackLease(database, holder)
  }

  async function run(): Promise<void> {
    try {
      await fillAll()
    } catch {
      failed++
      waiting.add(null)
    }
    running = undefined
    // Somebody else has the lease, or there was a failure: later again.
    if (waiting.size > 0 && !isStopped) timer = setTimeout(start, pauseMs).unref()
  }

  function start(): void {
    clearTimeout(timer)
    if (!running && !isStopped) running = run()
  }

  return {
    wake(spaceId) {
      waiting.add(spaceId)
      start()
    },
    failures: () => failed,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
