import { join } from 'node:path'
import type { Command } from 'commander'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { RateLimit } from '../../server/http/rate-limit.ts'
import { type CommandContext, examples } from '../command.ts'
import { addServerKeys } from './keys.ts'
import { addServerTeams } from './teams.ts'
import { addServerUsers } from './users.ts'

interface Options {
  host: string
  port?: string
  behindProxy?: boolean
  quiet?: boolean
  json?: boolean
}

export function addServer(cli: CommandContext): void {
  const { program, terminal } = cli
  const server = program
    .command('server')
    .description('a server that machines and people share memories through, on PostgreSQL (DATABASE_URL) or by itself')
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <n>', 'the port (default: 7718; 0 for any that is free)')
    .option('--behind-proxy', 'take the address of who asks from the proxy in front (X-Forwarded-For)')
    .option('--quiet', 'no line per request on standard error')
    .option('--json', 'one JSON line on standard output when it listens')
    .addHelpText(
      'after',
      `
Environment:
  DATABASE_URL     postgres://user:password@host:5432/database (default: a database of its own in $RECOLLECT_HOME/server)
                   ?sslmode=require or verify-full (with sslrootcert=<file>) encrypts; ?prepare=false where a pooler
                   such as PgBouncer stands in between and gives each transaction another connection
  RECOLLECT_RATE   requests per second of one key, and how many at once: 50/200 (the default); off for no limit
  RECOLLECT_EMBEDDINGS, RECOLLECT_EMBEDDINGS_MODEL, RECOLLECT_EMBEDDINGS_KEY
                   search by meaning as well: an endpoint that speaks OpenAI's protocol (needs pgvector)
${examples(
  'recollect server',
  'DATABASE_URL=postgres://recollect@localhost/recollect recollect server --port 8080 --quiet',
  'recollect server --host 0.0.0.0 --behind-proxy',
  'recollect server user add ada',
  'recollect server key create --user ada',
)}`,
    )
    .action(async (options: Options) => {
      const { machine, layout, clock } = createApp({ ignoresConfig: true })
      const rate = rateOption(machine.env.RECOLLECT_RATE)
      const port = portOption(options.port)
      // Loaded here: no other command pays for the server.
      const [{ defaultPort, serve }, { embedderOf }] = await Promise.all([
        import('../../server/serve.ts'),
        import('../../server/search/embedder.ts'),
      ])
      await serve({
        version: program.version()!,
        clock,
        url: machine.env.DATABASE_URL || undefined,
        folder: join(layout.root, 'server'),
        host: options.host,
        port: port ?? defaultPort,
        isBehindProxy: options.behindProxy ?? false,
        embed: embedderOf(machine.env),
        ...(rate ? { rate } : {}),
        log: options.quiet ? () => {} : (entry) => terminal.say(JSON.stringify(entry)),
        say: terminal.say,
        listening: (at) => options.json && terminal.json(at),
      })
    })
  addServerAdmin(server, cli)
}

function portOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new UserError(`--port takes a number from 0 to 65535, not "${value}"`, 'For example: --port 7718')
  return port
}

function rateOption(value: string | undefined): RateLimit | undefined {
  if (!value) return undefined
  if (value === 'off') return { perSecond: 1e9, burst: 1e9 }
  const [, perSecond, burst] = /^(\d{1,6}(?:\.\d+)?)(?:\/(\d{1,7}))?$/.exec(value) ?? []
  if (!Number(perSecond) || (burst !== undefined && Number(burst) < 1))
    throw new UserError(
      `RECOLLECT_RATE takes requests per second and how many at once, not "${value}"`,
      'For example: RECOLLECT_RATE=50/200, or off',
    )
  return { perSecond: Number(perSecond), burst: Number(burst ?? Math.ceil(Number(perSecond) * 4)) }
}

// People, teams and keys of a server: on its database itself, so whoever can reach that needs no key.

function addServerAdmin(server: Command, cli: CommandContext): void {
  addServerUsers(server, cli)
  addServerTeams(server, cli)
  addServerKeys(server, cli)
}
