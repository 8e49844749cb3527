// PostgreSQL, reached through its URL.

import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { UserError } from '../../core/errors.ts'
import { createDatabase, type Queries, type Row, type ServerDatabase } from './database.ts'
import { parsers, serializers } from './values.ts'

/** Connects with the first query. */
export function openPostgres(text: string): ServerDatabase {
  const { url, ssl, prepares } = parsePostgresUrl(text)
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
  return createDatabase({
    name: `postgres://${user}@${host[0]}:${port[0]}/${database}`,
    ...queriesOf(sql),
    begin: (work) => sql.begin((own) => withTimeouts(queriesOf(own), work)) as ReturnType<typeof work>,
    close: () => sql.end({ timeout: 5 }),
  })
}

/**
 * An instance that is cut off in the middle of a transaction would keep its locks for hours, and those who wait for them every
 * connection of the others. Said per transaction: poolers refuse to be told when a connection begins.
 */
async function withTimeouts<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  // Sent together with the first query of the work, so it costs no round trip.
  const [, result] = await Promise.all([queries.query(timeoutSettings), work(queries)])
  return result
}

const timeoutSettings = `SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '120s', true),
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
    Object.entries(serializers).map(([type, serialize]) => {
      const number = Number(type)
      return [type, { to: number, from: [number], serialize, parse: parsers[number]! }]
    }),
  )
}

// DATABASE_URL as hosts of databases hand it out. What stands behind its question mark is written for psql and other programs: the driver
// would send all of it to the database as settings, which refuses what it does not know.

interface PostgresUrl {
  url: string
  /** Certificates, where the URL names files of them. */
  ssl?: { ca?: Buffer; cert?: Buffer; key?: Buffer; checkServerIdentity?: () => undefined }
  /** False behind a pooler that gives each transaction another connection: it would not know what was prepared on the last one. */
  prepares: boolean
}

export function parsePostgresUrl(text: string): PostgresUrl {
  const [address = '', ...rest] = text.split('?')
  const params = new URLSearchParams(rest.join('?'))
  const isPooled = params.get('pgbouncer') === 'true' || params.get('prepare') === 'false'
  const ssl = sslOf(params)
  for (const name of unsupportedParams) params.delete(name)
  if (ssl) params.delete('sslmode')
  const url = params.size > 0 ? `${address}?${params}` : address
  return { url, ...(ssl ? { ssl } : {}), prepares: !isPooled }
}

/** Of libpq and of other programs: neither the driver nor the database knows them. */
const unsupportedParams = [
  'channel_binding',
  'connection_limit',
  'gssdelegation',
  'gssencmode',
  'gsslib',
  'krbsrvname',
  'passfile',
  'pgbouncer',
  'pool_timeout',
  'prepare',
  'require_auth',
  'requirepeer',
  'schema',
  'service',
  'sslcert',
  'sslcertmode',
  'sslcompression',
  'sslcrl',
  'sslcrldir',
  'sslkey',
  'sslpassword',
  'sslrootcert',
  'sslsni',
  'tcp_user_timeout',
]

/** With a certificate of one's own to check by, it is checked, as libpq does. */
function sslOf(params: URLSearchParams): PostgresUrl['ssl'] {
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => readParamFile(params, name))
  const mode = params.get('sslmode')
  if (mode === 'disable' || (!ca && !cert && !key)) return undefined
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    // Only whether somebody whom one trusts has signed it, not for which host.
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
}

function readParamFile(params: URLSearchParams, name: string): Buffer | undefined {
  const path = params.get(name)
  if (!path || path === 'system') return undefined
  try {
    return readFileSync(path)
  } catch {
    throw new UserError(`${path}, which DATABASE_URL names as ${name}, cannot be read`, 'Correct its path.')
  }
}
