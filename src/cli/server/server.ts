import { join } from 'node:path'
import type { Command } from 'commander'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import type { RateLimit } from '../../server/http/limits.ts'
import { type CommandContext, examples, portOption } from '../command.ts'
import { addServerKeys } from './keys.ts'
import { addServerTeams } from './teams.ts'
import { addServerUsers } from './users.ts'

interface Options {
  host: string
  port?: string
  behindProxy?: boolean | string
  quiet?: boolean
  json?: boolean
}

export function addServer(cli: CommandContext): void {
  const { program, terminal } = cli
  const server = program
    .command('server')
    .description('Run the server that machines and teams sync with')
    .option('--host <address>', 'Address to listen on', '127.0.0.1')
    .option('--port <n>', 'Port (default: 7718; 0 for any free port)')
    .option('--behind-proxy [addresses]', 'Trust X-Forwarded-For of these proxies (default: of private networks)')
    .option('--quiet', 'Do not log requests to standard error')
    .option('--json', 'Print one JSON line when it listens')
    .addHelpText(
      'after',
      `
Environment:
  DATABASE_URL     postgres://user:password@host:5432/database
                   (default: an embedded database in $RECOLLECT_HOME/server)
                   ?sslmode=require or verify-full (with sslrootcert=<file>)
                   encrypts. Behind a pooler such as PgBouncer no prepared
                   statements are used, unless with ?prepare=true
  RECOLLECT_RATE   requests per second and burst of one key: 50/200 (default),
                   off for no limit
  RECOLLECT_EMBEDDINGS, RECOLLECT_EMBEDDINGS_MODEL, RECOLLECT_EMBEDDINGS_KEY
                   also search by meaning: an OpenAI-compatible endpoint
                   (needs pgvector)
${examples(
  'recollect server',
  'DATABASE_URL=postgres://recollect@localhost/recollect recollect server --quiet',
  'recollect server --host 0.0.0.0 --behind-proxy 10.0.0.5,10.1.0.0/16',
  'recollect server user add ada',
  'recollect server key create --user ada',
)}`,
    )
    .action(async (options: Options) => {
      const { machine, layout, clock } = createApp({ ignoresConfig: true })
      const rate = rateOption(machine.env.RECOLLECT_RATE)
      const port = portOption(options.port, 7718)
      // Loaded here, so that other commands do not load the server.
      const [{ defaultPort, serve }, { trustedProxies }, { embedderOf }] = await Promise.all([
        import('../../server/serve.ts'),
        import('../../server/http/client-address.ts'),
        import('../../server/search/embedder.ts'),
      ])
      await serve({
        version: program.version()!,
        clock,
        url: machine.env.DATABASE_URL || undefined,
        folder: join(layout.root, 'server'),
        host: options.host,
        port: port ?? defaultPort,
        proxies: options.behindProxy ? trustedProxies(listed(options.behindProxy)) : undefined,
        embed: embedderOf(machine.env),
        ...(rate ? { rate } : {}),
        log: options.quiet ? () => {} : (entry) => terminal.say(JSON.stringify(entry)),
        say: terminal.say,
        listening: (at) => options.json && terminal.json(at),
      })
    })
  addServerAdmin(server, cli)
}

function listed(value: string | true): string | undefined {
  return value === true ? undefined : value
}

function rateOption(value: string | undefined): RateLimit | undefined {
  if (!value) return undefined
  if (value === 'off') return { perSecond: 1e9, burst: 1e9 }
  const [, perSecond, burst] = /^(\d{1,6}(?:\.\d+)?)(?:\/(\d{1,7}))?$/.exec(value) ?? []
  if (!Number(perSecond) || (burst !== undefined && Number(burst) < 1))
    throw new UserError(
      `RECOLLECT_RATE takes requests per second and a burst, not "${value}"`,
      'For example: RECOLLECT_RATE=50/200, or off',
    )
  return { perSecond: Number(perSecond), burst: Number(burst ?? Math.ceil(Number(perSecond) * 4)) }
}

function addServerAdmin(server: Command, cli: CommandContext): void {
  addServerUsers(server, cli)
  addServerTeams(server, cli)
  addServerKeys(server, cli)
}
