// DATABASE_URL as hosts of databases hand it out. What stands behind its question mark is written for psql and other programs: the driver
// would send all of it to the database as settings, which refuses what it does not know.
import { readFileSync } from 'node:fs'
import { UserError } from '../../core/errors.ts'

export interface PostgresUrl {
  url: string
  /** Certificates, where the URL names files of them. */
  ssl?: { ca?: Buffer; cert?: Buffer; key?: Buffer; checkServerIdentity?: () => undefined }
  /** False behind a pooler that gives each transaction another connection: it would not know what was prepared on the last one. */
  prepares: boolean
}

export function readPostgresUrl(text: string): PostgresUrl {
  const [address = '', ...rest] = text.split('?')
  const params = new URLSearchParams(rest.join('?'))
  const isPooled = params.get('pgbouncer') === 'true' || params.get('prepare') === 'false'
  const ssl = sslOf(params)
  for (const name of others) params.delete(name)
  if (ssl) params.delete('sslmode')
  const url = params.size > 0 ? `${address}?${params}` : address
  return { url, ...(ssl ? { ssl } : {}), prepares: !isPooled }
}

/** Of libpq and of other programs: neither the driver nor the database knows them. */
const others = [
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
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileIn(params, name))
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

function fileIn(params: URLSearchParams, name: string): Buffer | undefined {
  const path = params.get(name)
  if (!path || path === 'system') return undefined
  try {
    return readFileSync(path)
  } catch {
    throw new UserError(`${path}, which DATABASE_URL names as ${name}, cannot be read`, 'Correct its path.')
  }
}
