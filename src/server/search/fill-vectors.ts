// Vectors for what has none yet. What has been done stays done, so a stop or a crash costs one batch.
import type { Database, Row } from '../database/database.ts'
import type { Services } from '../services.ts'
import { written } from './vectors.ts'

/** An endpoint answers with half a megabyte for so many. */
const batchSize = 16

/** Of one space, or of all. False when `mayGoOn` says no before everything is done. Throws when no vectors can be had. */
export async function fillVectors(
  { database, embed }: Services,
  spaceId: string | null,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  if (!embed) return true
  const { model } = embed
  await removeHidden(database, spaceId)
  while (await mayGoOn()) {
    const batch = await missing(database, model, spaceId)
    if (batch.length === 0) return true
    const vectors = await vectorsOf(
      embed,
      batch.map(({ text }) => text),
    )
    await keep(database, model, batch, vectors)
  }
  return false
}

interface Missing extends Row {
  space_id: string
  id: string
  hash: string
  text: string
}

const hidden = `(i.search IS NULL OR i.tags && ARRAY['private', 'sensitive'])`

async function missing(database: Database, model: string, spaceId: string | null): Promise<Missing[]> {
  return database.query<Missing>(
    `SELECT i.space_id, i.id, i.hash,
       concat_ws(E'\\n', i.document->>'title', i.document->>'text', i.document->>'why', i.document->>'content') AS text
     FROM items i WHERE NOT ${hidden} AND ($2::uuid IS NULL OR i.space_id = $2) AND NOT EXISTS (
       SELECT 1 FROM item_vectors v
       WHERE v.space_id = i.space_id AND v.id = i.id AND v.hash = i.hash AND v.model = $1
     )
     LIMIT ${batchSize}`,
    [model, spaceId],
  )
}

/** A search would not show them; their vectors still tell what they were about. */
async function removeHidden(database: Database, spaceId: string | null): Promise<void> {
  await database.query(
    `DELETE FROM item_vectors v WHERE ($1::uuid IS NULL OR v.space_id = $1) AND NOT EXISTS (
       SELECT 1 FROM items i WHERE i.space_id = v.space_id AND i.id = v.id AND NOT ${hidden}
     )`,
    [spaceId],
  )
}

/** What the endpoint does not take would stop all others for ever: it is tried alone, and stays without where that fails, too. */
async function vectorsOf(
  embed: NonNullable<Services['embed']>,
  texts: readonly string[],
): Promise<(Float32Array | null)[]> {
  const bounded = texts.map((text) => text.slice(0, longestText).toWellFormed())
  try {
    return await embed(bounded)
  } catch (error) {
    const alone = await Promise.all(bounded.map((text) => embed([text]).catch(() => [])))
    if (alone.every((vectors) => vectors.length === 0)) throw error
    return alone.map(([vector]) => vector ?? null)
  }
}

const longestText = 8000

async function keep(
  database: Database,
  model: string,
  batch: readonly Missing[],
  vectors: readonly (Float32Array | null)[],
): Promise<void> {
  const rows = batch.map(({ space_id, id, hash }, index) => {
    const vector = vectors[index]
    return { space_id, id, hash, embedding: vector ? written(vector) : null }
  })
  await database.query(
    `INSERT INTO item_vectors (space_id, id, model, hash, embedding)
     SELECT space_id, id, $1, hash, embedding::vector
     FROM jsonb_to_recordset($2::jsonb) AS r(space_id uuid, id text, hash text, embedding text)
     ON CONFLICT (space_id, id) DO UPDATE SET model = excluded.model, hash = excluded.hash, embedding = excluded.embedding`,
    [model, JSON.stringify(rows)],
  )
}
