// The databases that the server runs on, each fresh and migrated: `describe.each(databases)('…', ({ open }) => { … })`.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { inject } from 'vitest'
import { connectDatabase } from '../../src/server/database/connect.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { pgliteDatabase, pgliteOptions } from '../../src/server/database/pglite.ts'
import { openPostgres } from '../../src/server/database/postgres.ts'
import { isProof } from '../proof.ts'
import { pgbouncerPath } from './pgbouncer.ts'

export interface OpenedDatabase {
  database: ServerDatabase
  /** Another instance on the same data; PGlite has room for one. */
  second?(): Promise<ServerDatabase>
  url?: string
  stop(): Promise<void>
}

export interface DatabaseKind {
  name: 'PGlite' | 'PostgreSQL' | 'PgBouncer'
  open(): Promise<OpenedDatabase>
}

export const pglite: DatabaseKind = { name: 'PGlite', open: openPglite }
export const postgres: DatabaseKind = { name: 'PostgreSQL', open: openOnServer }

/** PostgreSQL behind a PgBouncer in transaction mode; needs `pgbouncerPath`. */
export const pgbouncer: DatabaseKind = { name: 'PgBouncer', open: openOnPgBouncer }

/** Both, for tests of what every database has to do; and the way through a pooler in `npm run test:proof`. */
export const databases: readonly DatabaseKind[] = [
  pglite,
  postgres,
  ...(isProof && pgbouncerPath !== undefined ? [pgbouncer] : []),
]

/** For tests that do more of the same in `npm run test:proof`. */
export const proofDatabases = isProof ? databases : [postgres]

/** One, for tests of something else: PostgreSQL, and PGlite in `npm run test:proof`. */
export const serverDatabase = isProof ? pglite : postgres

/** Of this worker. Those that no test uses any more are emptied and used again. */
const idle: PGlite[] = []

async function openPglite(): Promise<OpenedDatabase> {
  const pglite = idle.pop() ?? (await loadPglite())
  const database = pgliteDatabase(pglite, 'PGlite', () => {})
  return {
    database,
    async stop() {
      if (pglite.closed) return
      await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
      await migrate(database)
      idle.push(pglite)
    },
  }
}

/** A PGlite from the data directory that the test run has made once. */
export async function loadPglite(options: typeof pgliteOptions = {}): Promise<PGlite> {
  const path = await made('pglite')
  return PGlite.create({ ...pgliteOptions, ...options, loadDataDir: new Blob([readFileSync(path)]) })
}

/** The same as a folder, as the program keeps it in its home: it starts in a fraction of the time of a new one. */
export async function createPgliteFolder(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { status, stderr } = spawnSync('tar', ['-xf', await made('pglite'), '-C', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tar: ${stderr}`)
}

let server: Promise<{ admin: ServerDatabase }> | undefined
let count = 0

async function openOnServer(): Promise<OpenedDatabase> {
  return openNew(await made('postgres'), async (url) => openPostgres(url))
}

async function openOnPgBouncer(): Promise<OpenedDatabase> {
  return openNew(await made('pgbouncer'), (url) => connectDatabase({ url, folder: '/home/dev/unused' }))
}

async function openNew(at: string, open: (url: string) => Promise<ServerDatabase>): Promise<OpenedDatabase> {
  server ??= connect()
  const { admin } = await server
  const name = `test_${process.pid}_${++count}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE migrated STRATEGY FILE_COPY`)
  const url = `${at}/${name}`
  const opened = [await open(url)]
  return {
    database: opened[0]!,
    async second() {
      opened.push(await open(url))
      return opened.at(-1)!
    },
    url,
    async stop() {
      await Promise.all(opened.map((database) => database.close()))
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function connect(): Promise<{ admin: ServerDatabase }> {
  return { admin: openPostgres(`${await made('postgres')}/postgres`) }
}

async function made(what: 'postgres' | 'pgbouncer' | 'pglite'): Promise<string> {
  // A kept-alive connection may have been closed while a test blocked this process for seconds.
  const answer = await fetch(`${inject('databasesUrl')}/${what}`, { headers: { connection: 'close' } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
