// Runs one instance: connects, migrates the database, listens, and shuts down gracefully.
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Services } from './context.ts'
import { connectDatabase } from './database/connect.ts'
import type { ServerDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import type { RequestLog } from './http/app.ts'
import { createHttpApp } from './http/app.ts'
import type { TrustedProxies } from './http/client-address.ts'
import type { RateLimit } from './http/limits.ts'
import { listen } from './http/listen.ts'
import { listUsers } from './store/users.ts'

interface InstanceOptions {
  version: string
  clock: Clock
  /** The URL of PostgreSQL; without it PGlite in `folder` is used. */
  url?: string | undefined
  folder: string
  host: string
  port: number
  /** Proxies whose X-Forwarded-For is trusted. */
  proxies?: TrustedProxies | undefined
  rate?: RateLimit
  embed?: Services['embed']
  log: RequestLog
  say(text: string): void
  /** Called once requests are accepted. */
  listening?(at: { url: string; database: string }): void
}

export const defaultPort = 7718

const shutdownTimeoutMs = 10_000

/** Serves until SIGTERM or SIGINT. */
export async function serve(options: InstanceOptions): Promise<void> {
  const { version, clock, url, folder, host, port, embed, rate, log, say } = options
  const stopped = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')])
  const database = await connectDatabase({ url, folder, clock })
  try {
    await migrate(database)
    const httpApp = createHttpApp(
      { database, clock, version, ...(embed ? { embed } : {}) },
      { log, ...(rate ? { rate } : {}) },
    )
    const listening = await listen(httpApp, { host, port, proxies: options.proxies })
    const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${listening.address.port}`
    say(`Serving on ${address}, on ${database.name}, until stopped.`)
    if (!isLoopback(host)) say(warning)
    await explainFirstUser(database, url !== undefined, say)
    options.listening?.({ url: address, database: database.name })
    httpApp.state.vectors.wake(null)
    await stopped
    await listening.close(shutdownTimeoutMs)
    await httpApp.state.vectors.stop()
  } finally {
    await database.close()
  }
}

const warning =
  'Warning: other machines can reach it, and the connection is not encrypted. Put a TLS proxy in front of it.'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

/** Explains how to create the first user and key. */
async function explainFirstUser(
  database: ServerDatabase,
  isShared: boolean,
  say: (text: string) => void,
): Promise<void> {
  if ((await listUsers(database)).length > 0) return
  const where = isShared ? 'in another terminal' : 'after stopping it (PGlite allows one process)'
  say(`There are no users yet. Add a user and a key, ${where}:
  recollect server user add ada
  recollect server key create --user ada`)
}
