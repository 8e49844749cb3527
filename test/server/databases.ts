// Both databases that the server runs on, each fresh and migrated: `describe.each(databases)('…', ({ open }) => { … })`.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll } from 'vitest'
import type { Database } from '../../src/server/database/database.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { databaseIn, pgliteOptions } from '../../src/server/database/pglite.ts'
import { openPostgres } from '../../src/server/database/postgres.ts'

export interface Opened {
  database: Database
  /** Another instance on the same data; PGlite has room for one. */
  second?(): Promise<Database>
  url?: string
  stop(): Promise<void>
}

export const databases: readonly { name: string; open(): Promise<Opened> }[] = [
  { name: 'PGlite', open: openInMemory },
  { name: 'PostgreSQL', open: openOnServer },
]

/** Making one takes seconds: those that nobody uses any more are emptied and used again. */
const idle: PGlite[] = []

async function openInMemory(): Promise<Opened> {
  const pglite = idle.pop() ?? (await PGlite.create(pgliteOptions))
  const database = databaseIn(pglite, 'PGlite', () => {})
  await database.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate(database)
  return {
    database,
    async stop() {
      if (!pglite.closed) idle.push(pglite)
    },
  }
}

let server: Promise<Server> | undefined
let count = 0

async function openOnServer(): Promise<Opened> {
  server ??= startServer()
  const { url, admin } = await server
  const name = `test_${++count}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE migrated`)
  const opened = [openPostgres(`${url}/${name}`)]
  return {
    database: opened[0]!,
    async second() {
      opened.push(openPostgres(`${url}/${name}`))
      return opened.at(-1)!
    },
    url: `${url}/${name}`,
    async stop() {
      await Promise.all(opened.map((database) => database.close()))
    },
  }
}

interface Server {
  /** Without the name of a database. */
  url: string
  admin: Database
  process: ChildProcess
}

async function startServer(): Promise<Server> {
  // In a group of its own: Ctrl-C ends the test, and the end of the test ends this one, which cleans up.
  const process_ = spawn(process.execPath, [join(import.meta.dirname, 'run-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const url = await new Promise<string>((resolve, reject) => {
    process_.stdout.once('data', (line) => resolve(String(line).trim()))
    process_.once('exit', (code) => reject(new Error(`PostgreSQL did not start (${code})`)))
  })
  const admin = openPostgres(`${url}/postgres`)
  await admin.query('CREATE DATABASE migrated')
  const template = openPostgres(`${url}/migrated`)
  await migrate(template)
  await template.close()
  return { url, admin, process: process_ }
}

afterAll(async () => {
  await Promise.all(idle.map((pglite) => pglite.close()))
  if (!server) return
  const { admin, process } = await server
  await admin.close()
  await new Promise((resolve) => {
    process.once('exit', resolve)
    process.stdin?.end()
  })
})
