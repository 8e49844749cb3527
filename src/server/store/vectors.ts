// The table of vectors: made only where the search by meaning is set up and the database has pgvector. A vector holds for one
// content of its item (`hash`), so what was changed, deleted or made private since is not found by it.
import type { SpaceAccess } from '../caller.ts'
import type { Queries, ServerDatabase } from '../database/database.ts'
import type { ItemCandidate, ItemFilter } from './search.ts'

const tablesReady = new WeakMap<ServerDatabase, Promise<boolean>>()

/** Whether there can be vectors. Tried once: who adds pgvector later starts the server again. */
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

/** Two instances that start at once make it once. */
async function createVectorTables(queries: Queries): Promise<void> {
  await queries.query(`SELECT pg_advisory_xact_lock(hashtext('recollect vectors'))`)
  await queries.query('CREATE EXTENSION IF NOT EXISTS vector')
  await queries.query(`
    CREATE TABLE IF NOT EXISTS item_vectors (
      space_id uuid NOT NULL,
      id text NOT NULL,
      model text NOT NULL,
      hash text NOT NULL,
      -- Null where the model has none for it.
      embedding vector,
      PRIMARY KEY (space_id, id)
    );
    CREATE TABLE IF NOT EXISTS vector_lease (
      name text PRIMARY KEY,
      holder text NOT NULL,
      until timestamptz NOT NULL
    )`)
}

export interface NearCandidate extends ItemCandidate {
  /** 1 for the same direction. */
  likeness: number
}

const maxNear = 50
/** Whoever searches has the words; what meaning would add is not worth more of their time. */
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
  return rows.map(({ place, ...row }) => ({ ...row, space: accesses[place]!.space, hits: [], density: 0 }))
}

/** As pgvector reads it. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}

// One instance at a time makes vectors. A lock of the database would have to be held while an endpoint is asked, in an open
// transaction: PGlite could do nothing else meanwhile, and PostgreSQL could not clean up. A lease runs out by itself.

const leaseDuration = '2 minutes'

/** Taken, or kept for longer; false where somebody else has it. The database's clock counts: instances may differ. */
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
