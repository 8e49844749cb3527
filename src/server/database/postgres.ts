// The PostgreSQL driver, with the handling of DATABASE_URL.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { UserError } from '../../core/errors.ts'
import { createDatabase, isUnavailable, type Queries, type Row, type ServerDatabase } from './database.ts'
import { parsers, serializers } from './values.ts'

interface PostgresOptions {
  /** Whether the URL leads to a pooler, which may not know prepared statements. */
  isPooled?: boolean
}

/**
 * Connections of an instance. Those of transactions run nothing else: postgres.js 3.4 pipelines
 * queries, and a transaction that begins behind a hundred of them, or behind more than the socket
 * takes, fails and leaves the connection in an open transaction.
 */
const maxConnections = { queries: 4, transactions: 6 }

/** Connects on the first query. */
export function openPostgres(text: string, { isPooled = false }: PostgresOptions = {}): ServerDatabase {
  const sql = connect(text, { isPooled, max: maxConnections.queries })
  const transactions = connect(text, { isPooled, max: maxConnections.transactions })
  const { host, port, user, database } = sql.options
  return createDatabase({
    name: `postgres://${user}@${host[0]}:${port[0]}/${database}${isPooled ? ' through a pooler' : ''}`,
    ...queriesOf(sql),
    begin: (work) => begin(transactions, work),
    async close() {
      await Promise.all([sql.end({ timeout: 5 }), transactions.end({ timeout: 5 })])
    },
  })
}

function connect(text: string, { isPooled, max }: { isPooled: boolean; max: number }): postgres.Sql {
  const { url, ssl, prepares = !isPooled } = parsePostgresUrl(text)
  return postgres(url, {
    prepare: prepares,
    ...(ssl ? { ssl } : {}),
    max,
    connect_timeout: 10,
    idle_timeout: 60,
    // Type numbers are fixed (values.ts), so connections need not query them.
    fetch_types: false,
    types: typesOf(),
    // Only settings that connection poolers accept.
    connection: { application_name: 'recollect', TimeZone: 'UTC', DateStyle: 'ISO, YMD' },
    onnotice: () => {},
  })
}

/**
 * A pooler gives a client a process number of its own when it connects, for cancelling; without one
 * it is that of the process that runs the queries.
 */
export async function isBehindPooler(text: string): Promise<boolean> {
  const sql = connect(text, { isPooled: true, max: 1 })
  try {
    const rows = await sql.unsafe('SELECT pg_backend_pid() AS pid')
    return rows[0]!.pid !== rows.state.pid
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/**
 * postgres.js 3.4 sends a rollback when `work` fails, also on a connection that is closed, and that
 * ends the process. So `work` never settles once the connection is lost: the driver then rejects the
 * transaction by itself.
 */
function begin<T>(sql: postgres.Sql, work: (queries: Queries) => Promise<T>): Promise<T> {
  const never = new Promise<never>(() => {})
  let isLost = false
  const result = sql.begin(async (own) => {
    const queries = queriesOf(own)
    const guarded: Queries = { query: (text, values) => (isLost ? never : queries.query(text, values)) }
    try {
      return await withTimeouts(guarded, work)
    } catch (error) {
      // The error may come before the connection is closed.
      if (!isLost && isUnavailable(error)) await sleep(maxClosingMs)
      if (isLost) return never
      throw error
    }
  }) as Promise<T>
  result.catch(() => {
    isLost = true
  })
  return result
}

const maxClosingMs = 1000

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
  /** Whether to use prepared statements, if the URL says so. */
  prepares?: boolean
}

/**
 * Hosting providers append parameters for psql and other programs. The driver would send them to
 * the database as settings, which rejects unknown ones, so they are removed here.
 */
export function parsePostgresUrl(text: string): PostgresUrl {
  const [address = '', ...rest] = text.split('?')
  const params = new URLSearchParams(rest.join('?'))
  const prepares = preparesOf(params)
  const ssl = sslOf(params)
  for (const name of unsupportedParams) params.delete(name)
  if (ssl) params.delete('sslmode')
  const url = params.size > 0 ? `${address}?${params}` : address
  return { url, ...(ssl ? { ssl } : {}), ...(prepares === undefined ? {} : { prepares }) }
}

/** `pgbouncer=true` is what hosting providers append for other programs. */
function preparesOf(params: URLSearchParams): boolean | undefined {
  const named = params.get('prepare')
  if (named === 'true' || named === 'false') return named === 'true'
  return params.get('pgbouncer') === 'true' ? false : undefined
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
