// The PostgreSQL driver, with the handling of DATABASE_URL.

import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { UserError } from '../../core/errors.ts'
import { createDatabase, type Queries, type Row, type ServerDatabase } from './database.ts'
import { parsers, serializers } from './values.ts'

/** Connects on the first query. */
export function openPostgres(text: string): ServerDatabase {
  const { url, ssl, prepares } = parsePostgresUrl(text)
  const sql = postgres(url, {
    prepare: prepares,
    ...(ssl ? { ssl } : {}),
    max: 10,
    connect_timeout: 10,
    idle_timeout: 60,
    // Type numbers are fixed (values.ts), so connections need not query them.
    fetch_types: false,
    types: typesOf(),
    // Only settings that connection poolers accept.
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
 * Without timeouts, an instance that is cut off during a transaction would keep its locks for
 * hours. Set per transaction, because poolers reject settings at connection start.
 */
async function withTimeouts<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  // Pipelined with the first query, so it costs no round trip.
  const [, result] = await Promise.all([queries.query(timeoutSettings), work(queries)])
  return result
}

const timeoutSettings = `SELECT set_config('lock_timeout', '10s', true), set_config('statement_timeout', '120s', true),
  set_config('idle_in_transaction_session_timeout', '60s', true)`

function queriesOf(sql: postgres.Sql | postgres.TransactionSql): Queries {
  return {
    async query<T extends Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
      // Type 0 lets the server infer the type instead of the driver guessing it.
      const typed = values.map((value) => (value == null ? null : sql.typed(value as never, 0)))
      const rows = await sql.unsafe(text, typed as never[], { prepare: true })
      // Of several statements without values the last result is returned.
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

interface PostgresUrl {
  url: string
  /** Certificates from the files that the URL names. */
  ssl?: { ca?: Buffer; cert?: Buffer; key?: Buffer; checkServerIdentity?: () => undefined }
  /** False behind a transaction pooler, which would not know prepared statements. */
  prepares: boolean
}

/**
 * Hosting providers append parameters for psql and other programs. The driver would send them to
 * the database as settings, which rejects unknown ones, so they are removed here.
 */
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

/** Parameters of libpq and other programs. */
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

/** With own certificates the server's certificate is checked, as in libpq. */
function sslOf(params: URLSearchParams): PostgresUrl['ssl'] {
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => readParamFile(params, name))
  const mode = params.get('sslmode')
  if (mode === 'disable' || (!ca && !cert && !key)) return undefined
  return {
    ...(ca ? { ca } : {}),
    ...(cert ? { cert } : {}),
    ...(key ? { key } : {}),
    // Below verify-full only the signature is checked, not the host name.
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
