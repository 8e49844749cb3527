// An instance: connects, brings the database up to date, listens, and when it is told to stop, ends what has begun.
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'
import { connectDatabase } from './database/connect.ts'
import type { ServerDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import type { RequestLog } from './http/app.ts'
import { createHttpApp } from './http/app.ts'
import { listen } from './http/listen.ts'
import type { RateLimit } from './http/rate-limit.ts'
import type { Services } from './services.ts'
import { listUsers } from './store/users.ts'

export interface ServeOptions {
  version: string
  clock: Clock
  /** Of PostgreSQL; where there is none, PGlite in `folder`. */
  url?: string | undefined
  folder: string
  host: string
  port: number
  isBehindProxy?: boolean
  rate?: RateLimit
  embed?: Services['embed']
  log: RequestLog
  say(text: string): void
  /** Called when requests are answered. */
  listening?(at: { url: string; database: string }): void
}

export const defaultPort = 7718

const shutdownTimeoutMs = 10_000

/** Serves until it is told to stop (SIGTERM, SIGINT). */
export async function serve(options: ServeOptions): Promise<void> {
  const { version, clock, url, folder, host, port, embed, rate, log, say } = options
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const database = await connectDatabase({ url, folder, clock })
  try {
    await migrate(database)
    const door = createHttpApp(
      { database, clock, version, ...(embed ? { embed } : {}) },
      { log, ...(rate ? { rate } : {}) },
    )
    const listening = await listen(door, { host, port, isBehindProxy: options.isBehindProxy ?? false })
    const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${listening.address.port}`
    say(`Serving on ${address}, on ${database.name}, until it is stopped.`)
    if (!isLoopback(host)) say(warning)
    await explainFirstUser(database, url !== undefined, say)
    options.listening?.({ url: address, database: database.name })
    door.state.vectors.wake(null)
    await stopped
    await listening.close(shutdownTimeoutMs)
    await door.state.vectors.stop()
  } finally {
    await database.close()
  }
}

const warning =
  'It can be reached from other machines, and what it says is not encrypted: put a proxy with TLS in front of it.'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

/** Nobody can use a server without a key. */
async function explainFirstUser(
  database: ServerDatabase,
  isShared: boolean,
  say: (text: string) => void,
): Promise<void> {
  if ((await listUsers(database)).length > 0) return
  const where = isShared ? 'in another terminal' : 'after stopping it (its database has room for one program)'
  say(`Nobody can use it yet. Add a user and a key, ${where}:
  recollect server user add ada
  recollect server key create --user ada`)
}
