// Computes the vectors for the search by meaning in the background: for all items at the start, for
// one space after a push. One instance at a time works; every batch is saved, so a crash costs one
// batch.
import { randomUUID } from 'node:crypto'
import type { Services } from '../context.ts'
import {
  acquireLease,
  deleteHiddenVectors,
  ensureVectorTables,
  itemsWithoutVector,
  releaseLease,
  saveVectors,
} from '../store/vectors.ts'

export interface VectorIndexer {
  /** Indexes a space after a push; null for all spaces. */
  wake(spaceId: string | null): void
  /** Failures of the endpoint or the database since the start. */
  failures(): number
  /** Stops after the running batch. */
  stop(): Promise<void>
}

export function createVectorIndexer(services: Services, { pauseMs = 30_000 } = {}): VectorIndexer {
  if (!services.embed) return { wake() {}, failures: () => 0, async stop() {} }
  const { database } = services
  const holder = randomUUID()
  const waiting = new Set<string | null>()
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let failed = 0
  let isStopped = false

  const canContinue = async () => !isStopped && (await acquireLease(database, holder))

  async function fillAll(): Promise<void> {
    if (!(await ensureVectorTables(database))) return waiting.clear()
    while (waiting.size > 0 && (await canContinue())) {
      const [space = null] = waiting
      waiting.delete(space)
      if (!(await embedMissing(services, space, canContinue))) waiting.add(space)
    }
    await releaseLease(database, holder)
  }

  async function run(): Promise<void> {
    try {
      await fillAll()
    } catch {
      failed++
      waiting.add(null)
    }
    running = undefined
    // Another instance has the lease, or something failed: try again later.
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

/** About half a megabyte of response. */
const batchSize = 16

/**
 * For one space or all. Returns false if `canContinue` stopped it. Throws if the endpoint fails.
 */
async function embedMissing(
  { database, embed }: Services,
  spaceId: string | null,
  canContinue: () => Promise<boolean>,
): Promise<boolean> {
  if (!embed) return true
  const { model } = embed
  await deleteHiddenVectors(database, spaceId)
  while (await canContinue()) {
    const batch = await itemsWithoutVector(database, { model, spaceId, limit: batchSize })
    if (batch.length === 0) return true
    const vectors = await embedEach(
      embed,
      batch.map(({ text }) => text),
    )
    await saveVectors(database, model, batch, vectors)
  }
  return false
}

/**
 * If a batch fails, each text is tried alone, so that one rejected text does not block the others.
 */
async function embedEach(
  embed: NonNullable<Services['embed']>,
  texts: readonly string[],
): Promise<(Float32Array | null)[]> {
  const bounded = texts.map((text) => text.slice(0, maxTextLength).toWellFormed())
  try {
    return await embed(bounded)
  } catch (error) {
    const alone = await Promise.all(bounded.map((text) => embed([text]).catch(() => [])))
    if (alone.every((vectors) => vectors.length === 0)) throw error
    return alone.map(([vector]) => vector ?? null)
  }
}

const maxTextLength = 8000
