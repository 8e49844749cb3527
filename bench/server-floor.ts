// Lower bound of the server: the same rows written and read by plain statements, on as many
// connections as its instances have.
import postgres from 'postgres'
import { lexemeOf } from '../src/server/search/index-fields.ts'
import { termsOf } from '../src/text/terms.ts'
import type { Done } from './server-clients.ts'
import { madeUpQuestion } from './server-memories.ts'

export interface Floor {
  bulk(batches: number, size: number): Promise<Done>
  single(ms: number): Promise<Done>
  recall(ms: number): Promise<Done>
  close(): Promise<void>
}

/** Connections of each instance, as in src/server/database/postgres.ts. */
const connectionsEach = 10

export async function openFloor(url: string, instances: number, loops: number): Promise<Floor> {
  const sql = postgres(url, { max: connectionsEach * instances, onnotice() {} })
  await sql`CREATE TABLE IF NOT EXISTS floor (LIKE items INCLUDING ALL)`
  const spaces = (await sql`SELECT DISTINCT space_id FROM items LIMIT ${loops}`).map(({ space_id }) => String(space_id))
  const rows = (await sql`SELECT to_jsonb(i) AS row FROM items i LIMIT 50000`).map(({ row }) => row as object)
  let next = 0
  const insert = async (size: number) => {
    const batch = Array.from({ length: size }, () => {
      const number = next++
      return { ...rows[number % rows.length]!, id: `mem_${number}`, seq: number }
    })
    await sql.unsafe('INSERT INTO floor SELECT * FROM jsonb_populate_recordset(null::floor, $1)', [batch as never], {
      prepare: true,
    })
  }
  const select = async () => {
    const number = next++
    const space = spaces[number % spaces.length]!
    const match = [...new Set(termsOf(madeUpQuestion(number)))].map((term) => lexemeOf(space, term)).join(' | ')
    await sql.unsafe(
      `SELECT id, document FROM items WHERE space_id = $1 AND search @@ $2::tsquery
       ORDER BY ts_rank_cd(search, $2::tsquery) DESC LIMIT 10`,
      [space, match],
      { prepare: true },
    )
  }
  return {
    bulk: (batches, size) =>
      measured(
        loops,
        (_, done) => done < batches,
        () => insert(size),
      ),
    single: (ms) =>
      measured(
        loops,
        (elapsed) => elapsed < ms,
        () => insert(1),
      ),
    recall: (ms) => measured(loops, (elapsed) => elapsed < ms, select),
    close: () => sql.end(),
  }
}

async function measured(
  loops: number,
  goesOn: (elapsedMs: number, done: number) => boolean,
  work: () => Promise<void>,
): Promise<Done> {
  const times: number[] = []
  const cpu = process.cpuUsage()
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: loops }, async () => {
      for (let done = 0; goesOn(performance.now() - begun, done); done++) {
        const at = performance.now()
        await work()
        times.push(performance.now() - at)
      }
    }),
  )
  const { user, system } = process.cpuUsage(cpu)
  return { requests: times.length, ms: performance.now() - begun, times, failures: 0, cpuMs: (user + system) / 1000 }
}
