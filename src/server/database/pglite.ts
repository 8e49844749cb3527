// The PGlite driver: PostgreSQL inside this process, for trials and small teams. It has one
// connection, so queries run one after the other.
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PGlite, PGliteOptions, Transaction } from '@electric-sql/pglite'
import manifest from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { tryLock } from '../../core/lock.ts'
import { typedCommand } from '../../core/shell/command-line.ts'
import type { Queries, Row, ServerDatabase } from './database.ts'
import { createDatabase } from './database.ts'
import { parsers, serializers } from './values.ts'

interface PgliteFolder {
  folder: string
  /** Shown to the user as the process that has the folder open. */
  command: string
  clock?: Clock
}

/** Locks the folder, since PGlite allows two processes to open it and they would corrupt it. */
export async function openPglite({ folder, command, clock = systemClock }: PgliteFolder): Promise<ServerDatabase> {
  const { PGlite } = await loadPglite(join(dirname(folder), 'packages'))
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const locking = tryLock(`${folder}.lock`, command, clock)
  if (locking.kind === 'busy') throw lockedError(folder, locking.owner)
  try {
    const pglite = await PGlite.create(folder, pgliteOptions)
    restrictModes(folder)
    const release = () => {
      restrictModes(folder)
      locking.release()
    }
    return pgliteDatabase(pglite, `PGlite in ${folder}`, release)
  } catch (error) {
    locking.release()
    throw openError(folder, error)
  }
}

type PgliteModule = typeof import('@electric-sql/pglite')

/**
 * PGlite is not installed with Recollect: it would be most of the download, and few run a server
 * without PostgreSQL. Found beside the program, as in a checkout, or in a folder of the store.
 */
export async function loadPglite(
  packages: string,
  beside: () => Promise<PgliteModule> = () => import('@electric-sql/pglite'),
): Promise<PgliteModule> {
  const inStore = async () => createRequire(join(packages, 'package.json'))('@electric-sql/pglite') as PgliteModule
  for (const load of [beside, inStore]) {
    try {
      return await load()
    } catch (error) {
      if (!/MODULE_NOT_FOUND$/.test(String((error as NodeJS.ErrnoException).code))) throw error
    }
  }
  const wanted = `@electric-sql/pglite@${manifest.peerDependencies['@electric-sql/pglite']}`
  throw new UserError(
    'The embedded database (PGlite, 9 MB) is not installed, and DATABASE_URL is not set',
    `For production set DATABASE_URL to a PostgreSQL database. To try the server without one:\n  ${typedCommand('npm', 'install', '--prefix', packages, wanted)}`,
  )
}

/**
 * PGlite 0.4 gives its files mode 0666, whatever the umask is. Its folder has mode 0700, but a copy
 * of it may not.
 */
function restrictModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isSymbolicLink() || (lstatSync(path).mode & 0o077) === 0) continue
    chmodSync(path, entry.isDirectory() ? 0o700 : 0o600)
  }
}

export const pgliteOptions: PGliteOptions = { parsers: parsers, serializers: serializers }

export function pgliteDatabase(pglite: PGlite, name: string, release: () => void): ServerDatabase {
  return createDatabase({
    name,
    ...queriesOf(pglite),
    begin: (work) => pglite.transaction((own) => work(queriesOf(own))),
    async close() {
      if (pglite.closed) return
      await pglite.close()
      release()
    },
  })
}

function queriesOf(pglite: PGlite | Transaction): Queries {
  return {
    async query<T extends Row>(text: string, values: readonly unknown[] = []): Promise<T[]> {
      if (values.length > 0) return (await pglite.query<T>(text, [...values])).rows
      // Of several statements without values the last result is returned.
      return ((await pglite.exec(text)).at(-1)?.rows ?? []) as T[]
    },
  }
}

/** Replaces the unreadable errors of PGlite. */
function openError(folder: string, cause: unknown): UserError {
  const version = readTextFile(join(folder, 'PG_VERSION'))
  const problem = new UserError(
    `The database in ${folder} cannot be opened${version ? `; it was made by PostgreSQL ${version}` : ''}`,
    'If another version of Recollect made it, use that one. Otherwise restore a backup, or move it away and start with an empty one: machines send their items again.',
    3,
  )
  problem.cause = cause
  return problem
}

function readTextFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

function lockedError(folder: string, owner: { pid: number; command: string } | undefined): UserError {
  const who = owner ? `process ${owner.pid} (${owner.command})` : 'another process'
  return new UserError(
    `The database in ${folder} is open in ${who}, and only one process can have it open`,
    'Stop that process first, or keep the data in PostgreSQL (DATABASE_URL), which many can use at once.',
    3,
  )
}
