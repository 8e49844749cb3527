// PgBouncer in transaction mode in front of a PostgreSQL: Debian's (apt-get install pgbouncer), or the one in RECOLLECT_TEST_PGBOUNCER.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

export const pgbouncerPath = [
  process.env.RECOLLECT_TEST_PGBOUNCER,
  '/usr/sbin/pgbouncer',
  '/usr/bin/pgbouncer',
  '/opt/homebrew/bin/pgbouncer',
].find((path) => path !== undefined && existsSync(path))

/** Server connections of each database; fewer than the server opens, so that they are shared. */
const poolSize = 4

export interface PgBouncer {
  /** Without the name of a database. */
  url: string
  pid: number
  stop(): Promise<void>
}

/** `postgresUrl` is without the name of a database; `folder` is created. */
export async function startPgBouncer(
  postgresUrl: string,
  folder: string,
  { maxServers = poolSize }: { maxServers?: number } = {},
): Promise<PgBouncer> {
  const { hostname, port: postgresPort, username, password } = new URL(postgresUrl)
  const port = await freePort()
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'pgbouncer.ini')
  // Any user is let in: it listens on loopback, in front of a database that is made up.
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${postgresPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${maxServers}
max_client_conn = 1000
server_idle_timeout = 2
log_connections = 0
log_disconnections = 0
`,
  )
  // It refuses to run as root, and its other user has to read the file.
  const isRoot = process.getuid?.() === 0
  for (const path of isRoot ? [folder, file] : []) chmodSync(path, 0o755)
  const args = ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file]
  const child = spawn(pgbouncerPath!, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  await waitForPort(child, port)
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}`,
    pid: child.pid!,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function waitForPort(child: ChildProcess, port: number): Promise<void> {
  let said = ''
  child.stderr!.on('data', (piece) => {
    said += piece
  })
  while (child.exitCode === null && child.signalCode === null) {
    const socket = connect(port, '127.0.0.1')
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      new Promise<string[]>((resolve) => socket.once('error', () => resolve(['error']))),
    ])
    socket.destroy()
    if (event === 'connect') return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`PgBouncer did not start: ${said}`)
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
