// Connects to the server's database: PostgreSQL if a URL is given, else PGlite in a folder.
import type { Clock } from '../../core/clock.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import type { ServerDatabase } from './database.ts'
import { errorCodeOf } from './database.ts'

interface DatabaseLocation {
  /** `postgres://user:password@host:5432/database` */
  url?: string | undefined
  /** The PGlite folder, used without a URL. */
  folder: string
  /** Shown to the user as the process that has the folder open. */
  command?: string
  clock?: Clock
}

const minMajorVersion = 15

/** Throws a UserError if the database cannot be used. Messages never contain the password. */
export async function connectDatabase({
  url,
  folder,
  command = 'recollect server',
  clock,
}: DatabaseLocation): Promise<ServerDatabase> {
  if (!url) {
    const { openPglite } = await import('./pglite.ts')
    return openPglite({ folder, command, ...(clock && { clock }) })
  }
  const { isBehindPooler, openPostgres } = await import('./postgres.ts')
  // Not connected before its first query.
  let database = openUrl(openPostgres, url)
  try {
    if (await isBehindPooler(url)) database = openPostgres(url, { isPooled: true })
    const [row] = await database.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::integer AS version`,
    )
    checkVersion(row!.version)
    return database
  } catch (error) {
    await database.close()
    throw error instanceof UserError ? error : connectionError(error, database.name, url)
  }
}

function openUrl(openPostgres: (url: string) => ServerDatabase, url: string): ServerDatabase {
  try {
    if (/^postgres(?:ql)?:\/\//.test(url)) return openPostgres(url)
  } catch (error) {
    if (error instanceof UserError) throw error
    // An invalid URL is not repeated in the error, since it may contain the password.
  }
  throw new UserError(
    'DATABASE_URL is not the URL of a PostgreSQL database',
    'It has to look like postgres://user:password@host:5432/database, with @ : / ? # in the password as %40 %3A %2F %3F %23',
  )
}

/** `server_version_num`, such as 150004. */
export function checkVersion(version: number): void {
  const major = Math.floor(version / 10_000)
  if (major >= minMajorVersion) return
  throw new UserError(
    `The database is PostgreSQL ${major}; ${minMajorVersion} is the oldest that can be used`,
    `Update it to PostgreSQL ${minMajorVersion} or newer, or set DATABASE_URL to another one.`,
  )
}

function connectionError(error: unknown, name: string, url: string): UserError {
  switch (errorCodeOf(error)) {
    case '28P01':
    case '28000':
      return new UserError(
        `${name} rejects the user or the password`,
        'Check both in DATABASE_URL, and what pg_hba.conf allows from this machine.',
      )
    case '3D000':
      return new UserError(`${name} does not exist`, 'Create it (createdb), or correct the name in DATABASE_URL.')
    case '42704':
      return new UserError(
        `${name} does not support a parameter of DATABASE_URL`,
        'Remove it. Supported: sslmode, sslrootcert, sslcert, sslkey, prepare, options, application_name.',
      )
    case '53300':
      return new UserError(`${name} has no free connection`, 'Try again, or raise max_connections.', 3)
    default:
      return new UserError(
        `${name} cannot be reached: ${withoutPassword(messageOf(error), url)}`,
        'Check that PostgreSQL runs there and accepts connections from this machine, and DATABASE_URL.',
        3,
      )
  }
}

function withoutPassword(text: string, url: string): string {
  const written = /:\/\/[^/]*?:([^/]*)@/.exec(url)?.[1]
  if (!written) return text
  return [written, decodeURIComponent(written)].reduce((rest, password) => rest.replaceAll(password, '***'), text)
}
