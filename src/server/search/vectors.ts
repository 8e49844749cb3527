// The table of vectors: made only where the search by meaning is set up and the database has pgvector. A vector holds for one
// content of its item (`hash`), so what was changed, deleted or made private since is not found by it.
import type { Access } from '../caller.ts'
import type { Database, Queries } from '../database/database.ts'
import type { Candidate, Filter } from './candidates.ts'

const prepared = new WeakMap<Database, Promise<boolean>>()

/** Whether there can be vectors. Tried once: who adds pgvector later starts the server again. */
export function hasVectors(database: Database): Promise<boolean> {
  const known = prepared.get(database)
  if (known) return known
  const preparing = database.transaction(prepare).then(
    () => true,
    () => false,
  )
  prepared.set(database, preparing)
  return preparing
}

/** Two instances that start at once make it once. */
async function prepare(queries: Queries): Promise<void> {
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

export interface Near extends Candidate {
  /** 1 for the same direction. */
  likeness: number
}

const maxNear = 50
/** Whoever searches has the words; what meaning would add is not worth more of their time. */
const longestMs = 1000

export async function nearest(
  database: Database,
  accesses: readonly Access[],
  { model, vector }: { model: string; vector: Float32Array },
  { project, kind }: Filter,
): Promise<Near[]> {
  const asked = accesses.map(({ spaceId, projects }, place) => ({ place, space_id: spaceId, projects }))
  const rows = await database.transaction(async (queries) => {
    await queries.query(`SET LOCAL statement_timeout = ${longestMs}`)
    return queries.query<Omit<Near, 'space' | 'hits' | 'density'> & { place: number }>(
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
      [JSON.stringify(asked), project ?? null, kind ?? null, written(vector), model],
    )
  })
  return rows.map(({ place, ...row }) => ({ ...row, space: accesses[place]!.space, hits: [], density: 0 }))
}

/** As pgvector reads it. */
export function written(vector: Float32Array): string {
  return `[${vector.join(',')}]`
}
