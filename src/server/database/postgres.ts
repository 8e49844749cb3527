// PostgreSQL, reached through its URL.
import postgres from 'postgres'
import type { Database, Queries, Row } from './database.ts'
import { databaseOn } from './driver.ts'
import { readPostgresUrl } from './url.ts'
import { readers, writers } from './values.ts'

/** Connects with the first query. */
export function openPostgres(text: string): Database {
  const { url, ssl, prepares } = readPostgresUrl(text)
  const sql = postgres(url, {
    prepare: prepares,
    ...(ssl ? { ssl } : {}),
    max: 10,
    connect_timeout: 10,
    idle_timeout: 60,
    // Types are known by their numbers, so no connection has to ask for them.
    fetch_types: false,
    types: typesOf(),
    // No more than what poolers in front of a database let pass.
    connection: { application_name: 'recollect', TimeZone: 'UTC', DateStyle: 'ISO, YMD' },
    onnotice: () => {},
  })
  const { host, port, user, database } = sql.options
  return databaseOn({
    name: `postgres://${user}@${host[0]}:${port[0]}/${database}`,
    ...queriesOf(sql),
    begin: (work) => sql.begin((own) => limited(queriesOf(own), work)) as ReturnType<typeof work>,
    close: () => sql.end({ timeout: 5 }),
  })
}

/**
 * An instance that is cut off in the middle of a transaction would keep its locks for hours, and those who wait for them every
 * connection of the others. Said per transaction: poolers refuse to be told when a connection begins.
 */
async function limited<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  // Sent together with the first query of the work, so it costs no round trip.
  const [, result] = await Promise.all([queries.query(limits), work(queries)])
  return result
}

const limits = `SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '120s', true),
  set_config('idle_in_transaction_session_timeout', '60s', true)`

function queriesOf(sql: postgres.Sql | postgres.TransactionSql): Queries {
  return {
    async query<T extends Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
      // Type 0: the server says what a value has to be, not a guess from what it looks like.
      const typed = values.map((value) => (value == null ? null : sql.typed(value as never, 0)))
      const rows = await sql.unsafe(text, typed as never[], { prepare: true })
      // Several statements without values answer one after the other; the last one counts.
      const last: readonly unknown[] = Array.isArray(rows.at(-1)) ? (rows.at(-1) as unknown as unknown[]) : rows
      return [...last] as T[]
    },
  }
}

function typesOf(): Record<string, postgres.PostgresType> {
  return Object.fromEntries(
    Object.entries(writers).map(([type, serialize]) => {
      const number = Number(type)
      return [type, { to: number, from: [number], serialize, parse: readers[number]! }]
    }),
  )
}
