// When vectors are made: at the start for everything, after a push for its space; by one instance at a time.
import { randomUUID } from 'node:crypto'
import type { Row, ServerDatabase } from '../database/database.ts'
import type { Services } from '../services.ts'
import { acquireLease, ensureVectorTables, releaseLease, vectorLiteral } from '../store/vectors.ts'

export interface VectorIndexer {
  /** Something was pushed to this space; null where anything may be missing. */
  wake(spaceId: string | null): void
  /** How often the endpoint or the database failed since the start. */
  failures(): number
  /** After the batch that is under way. */
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

  const mayGoOn = async () => !isStopped && (await acquireLease(database, holder))

  async function fillAll(): Promise<void> {
    if (!(await ensureVectorTables(database))) return waiting.clear()
    while (waiting.size > 0 && (await mayGoOn())) {
      const [space = null] = waiting
      waiting.delete(space)
      if (!(await embedMissing(services, space, mayGoOn))) waiting.add(space)
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

// Vectors for what has none yet. What has been done stays done, so a stop or a crash costs one batch.

/** An endpoint answers with half a megabyte for so many. */
const batchSize = 16

/** Of one space, or of all. False when `mayGoOn` says no before everything is done. Throws when no vectors can be had. */
async function embedMissing(
  { database, embed }: Services,
  spaceId: string | null,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  if (!embed) return true
  const { model } = embed
  await deleteHiddenVectors(database, spaceId)
  while (await mayGoOn()) {
    const batch = await itemsWithoutVector(database, model, spaceId)
    if (batch.length === 0) return true
    const vectors = await embedEach(
      embed,
      batch.map(({ text }) => text),
    )
    await saveVectors(database, model, batch, vectors)
  }
  return false
}

interface ItemToEmbed extends Row {
  space_id: string
  id: string
  hash: string
  text: string
}

const hiddenCondition = `(i.search IS NULL OR i.tags && ARRAY['private', 'sensitive'])`

async function itemsWithoutVector(
  database: ServerDatabase,
  model: string,
  spaceId: string | null,
): Promise<ItemToEmbed[]> {
  return database.query<ItemToEmbed>(
    `SELECT i.space_id, i.id, i.hash,
       concat_ws(E'\\n', i.document->>'title', i.document->>'text', i.document->>'why', i.document->>'content') AS text
     FROM items i WHERE NOT ${hiddenCondition} AND ($2::uuid IS NULL OR i.space_id = $2) AND NOT EXISTS (
       SELECT 1 FROM item_vectors v
       WHERE v.space_id = i.space_id AND v.id = i.id AND v.hash = i.hash AND v.model = $1
     )
     LIMIT ${batchSize}`,
    [model, spaceId],
  )
}

/** A search would not show them; their vectors still tell what they were about. */
async function deleteHiddenVectors(database: ServerDatabase, spaceId: string | null): Promise<void> {
  await database.query(
    `DELETE FROM item_vectors v WHERE ($1::uuid IS NULL OR v.space_id = $1) AND NOT EXISTS (
       SELECT 1 FROM items i WHERE i.space_id = v.space_id AND i.id = v.id AND NOT ${hiddenCondition}
     )`,
    [spaceId],
  )
}

/** What the endpoint does not take would stop all others for ever: it is tried alone, and stays without where that fails, too. */
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

async function saveVectors(
  database: ServerDatabase,
  model: string,
  batch: readonly ItemToEmbed[],
  vectors: readonly (Float32Array | null)[],
): Promise<void> {
  const rows = batch.map(({ space_id, id, hash }, index) => {
    const vector = vectors[index]
    return { space_id, id, hash, embedding: vector ? vectorLiteral(vector) : null }
  })
  await database.query(
    `INSERT INTO item_vectors (space_id, id, model, hash, embedding)
     SELECT space_id, id, $1, hash, embedding::vector
     FROM jsonb_to_recordset($2::jsonb) AS r(space_id uuid, id text, hash text, embedding text)
     ON CONFLICT (space_id, id) DO UPDATE SET model = excluded.model, hash = excluded.hash, embedding = excluded.embedding`,
    [model, JSON.stringify(rows)],
  )
}
