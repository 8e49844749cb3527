// Vectors of items and the lease of the indexer. The tables exist only if the search by meaning is
// set up and the database has pgvector. A vector belongs to one content of its item (`hash`), so it
// does not find items that were changed, deleted or made private since.
import type { SpaceAccess } from '../context.ts'
import type { Queries, Row, ServerDatabase } from '../database/database.ts'
import type { ItemCandidate, ItemFilter } from './search.ts'

const tablesReady = new WeakMap<ServerDatabase, Promise<boolean>>()

/** Creates the tables if possible and returns whether they exist. Tried once per process. */
export function ensureVectorTables(database: ServerDatabase): Promise<boolean> {
  const known = tablesReady.get(database)
  if (known) return known
  const preparing = database.transaction(createVectorTables).then(
    () => true,
    () => false,
  )
  tablesReady.set(database, preparing)
  return preparing
}

/** Locked, since two instances may start at once. */
async function createVectorTables(queries: Queries): Promise<void> {
  await queries.query(`SELECT pg_advisory_xact_lock(hashtext('recollect vectors'))`)
  await queries.query('CREATE EXTENSION IF NOT EXISTS vector')
  await queries.query(`
    CREATE TABLE IF NOT EXISTS item_vectors (
      space_id uuid NOT NULL,
      id text NOT NULL,
      model text NOT NULL,
      hash text NOT NULL,
      -- Null if the model returned none.
      embedding vector,
      PRIMARY KEY (space_id, id)
    );
    CREATE TABLE IF NOT EXISTS vector_lease (
      name text PRIMARY KEY,
      holder text NOT NULL,
      until timestamptz NOT NULL
    )`)
}

interface NearCandidate extends ItemCandidate {
  /** Cosine similarity. */
  likeness: number
}

const maxNear = 50
/** The search by words answers anyway, so this one must not take longer. */
const maxQueryMs = 1000

export async function nearestItems(
  database: ServerDatabase,
  accesses: readonly SpaceAccess[],
  { model, vector }: { model: string; vector: Float32Array },
  { project, kind }: ItemFilter,
): Promise<NearCandidate[]> {
  const asked = accesses.map(({ spaceId, projects }, place) => ({ place, space_id: spaceId, projects }))
  const rows = await database.transaction(async (queries) => {
    await queries.query(`SET LOCAL statement_timeout = ${maxQueryMs}`)
    return queries.query<Omit<NearCandidate, 'space' | 'hits' | 'density'> & { place: number }>(
      `SELECT a.place, n.* FROM jsonb_to_recordset($1::jsonb) AS a(place int, space_id uuid, projects text[])
       CROSS JOIN LATERAL (
         SELECT i.id, i.importance, 1 - (v.embedding <=> $4::vector)::float8 AS likeness,
           coalesce(i.document->>'confirmedAt', to_char(i.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS at
         FROM item_vectors v JOIN items i ON i.space_id = v.space_id AND i.id = v.id AND i.hash = v.hash
         WHERE v.space_id = a.space_id AND v.model = $5 AND v.embedding IS NOT NULL AND i.search IS NOT NULL
           AND (a.projects IS NULL OR i.project IS NULL OR i.project = ANY(a.projects))
           AND ($2::text IS NULL OR i.project = $2) AND ($3::text IS NULL OR i.kind = $3)
         ORDER BY v.embedding <=> $4::vector LIMIT ${maxNear}
       ) n ORDER BY a.place`,
      [JSON.stringify(asked), project ?? null, kind ?? null, vectorLiteral(vector), model],
    )
  })
  return rows.map(({ place, ...row }) => ({ ...row, space: accesses[place]!.space, hits: 0, density: 0 }))
}

/** In the input syntax of pgvector. */
function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

/**
 * How long an instance may compute vectors without renewing its lease. A database lock would have
 * to be held in an open transaction while the endpoint is called, which blocks PGlite and the
 * vacuum of PostgreSQL; a lease expires by itself.
 */
const leaseDuration = '2 minutes'

/** Acquires or renews the lease by the database's clock; false if another instance has it. */
export async function acquireLease(database: ServerDatabase, holder: string): Promise<boolean> {
  const rows = await database.query(
    `INSERT INTO vector_lease (name, holder, until) VALUES ('fill', $1, now() + interval '${leaseDuration}')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE vector_lease.holder = excluded.holder OR vector_lease.until < now()
     RETURNING holder`,
    [holder],
  )
  return rows.length > 0
}

export async function releaseLease(database: ServerDatabase, holder: string): Promise<void> {
  await database.query('DELETE FROM vector_lease WHERE holder = $1', [holder])
}

interface ItemToEmbed extends Row {
  space_id: string
  id: string
  hash: string
  text: string
}

/** Items without search terms and private ones get no vector. */
const hiddenCondition = `(i.search IS NULL OR i.tags && ARRAY['private', 'sensitive'])`

export async function itemsWithoutVector(
  database: ServerDatabase,
  { model, spaceId, limit }: { model: string; spaceId: string | null; limit: number },
): Promise<ItemToEmbed[]> {
  return database.query<ItemToEmbed>(
    `SELECT i.space_id, i.id, i.hash,
       concat_ws(E'\\n', i.document->>'title', i.document->>'text', i.document->>'why', i.document->>'content') AS text
     FROM items i WHERE NOT ${hiddenCondition} AND ($2::uuid IS NULL OR i.space_id = $2) AND NOT EXISTS (
       SELECT 1 FROM item_vectors v
       WHERE v.space_id = i.space_id AND v.id = i.id AND v.hash = i.hash AND v.model = $1
     )
     LIMIT $3`,
    [model, spaceId, limit],
  )
}

/** Deletes the vectors of items that no search shows, since they reveal their subject. */
export async function deleteHiddenVectors(database: ServerDatabase, spaceId: string | null): Promise<void> {
  await database.query(
    `DELETE FROM item_vectors v WHERE ($1::uuid IS NULL OR v.space_id = $1) AND NOT EXISTS (
       SELECT 1 FROM items i WHERE i.space_id = v.space_id AND i.id = v.id AND NOT ${hiddenCondition}
     )`,
    [spaceId],
  )
}

export async function saveVectors(
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
