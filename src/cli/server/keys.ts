import { type Command, Option } from 'commander'
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { parseSince } from '../../core/units.ts'
import type { ServerKey } from '../../server/store/keys.ts'
import { type AccessRole, roles } from '../../sync/protocol.ts'
import { type CommandContext, examples } from '../command.ts'
import { table } from '../terminal.ts'
import { notFound, noUser, withServer, withWriteAccess } from './database.ts'

interface Options {
  json?: boolean
  user?: string
  name: string
  role: AccessRole
  expires?: string
}

export function addServerKeys(server: Command, cli: CommandContext): void {
  const key = server.command('key').description('keys, by which machines and people are known')
  addCreate(key, cli)
  addList(key, cli)
  addRevoke(key, cli)
}

function addCreate(key: Command, { terminal }: CommandContext): void {
  key
    .command('create')
    .description('a new key; it is shown once, and only its hash is kept')
    .requiredOption('--user <name>', 'whose key it is')
    .option('--name <text>', 'what it is for, such as a machine', 'key')
    .addOption(new Option('--role <role>', 'the most that can be done with it').choices(roles).default('writer'))
    .option('--expires <when>', 'a date, or a span such as 90d (default: never)')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect server key create --user ada --name laptop',
        'recollect server key create --user ada --role reader --expires 90d',
        'recollect server key create --user ada --role admin --json',
      ),
    )
    .action(({ user, name, role, expires, json }: Options & { user: string }) =>
      withServer(async (database, app) => {
        const { createKey } = await import('../../server/store/keys.ts')
        const wanted = { user, name, role, expiresAt: expiryOf(expires, app) }
        const created = await database.transaction(async (queries) => {
          const { writeAudit } = await import('../../server/store/audit.ts')
          const made = await createKey(queries, wanted)
          if (!made) throw noUser(user)
          const detail = { key: made.id, ...wanted }
          await writeAudit(queries, { spaceId: null, caller: null, action: 'key create', detail })
          return made
        })
        if (json) return terminal.json({ id: created.id, key: created.text, ...wanted })
        terminal.print(created.text)
        terminal.say('This is the only time that it is shown. To use it on a machine: recollect sync join <url>')
      }),
    )
}

function addList(key: Command, { terminal }: CommandContext): void {
  key
    .command('list')
    .description('all keys, the latest first; never their secrets')
    .option('--user <name>', 'only those of one user')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server key list', 'recollect server key list --user ada --json'))
    .action(({ user, json }: Options) =>
      withServer(async (database, app) => {
        const { listKeys } = await import('../../server/store/keys.ts')
        const keys = await listKeys(database, user)
        if (json) return terminal.json(keys)
        if (keys.length === 0) return terminal.say('None. To make one: recollect server key create --user <name>')
        const { zone } = app
        const rows = keys.map((one) => [
          one.id,
          one.user,
          one.name,
          one.role,
          zone.day(one.createdAt),
          one.usedAt ? zone.day(one.usedAt) : 'never',
          standingOf(one, app),
        ])
        const columns = ['key', 'user', 'name', 'role', 'made', 'used', 'holds'].map((title) => ({
          title,
          isFlexible: title === 'name',
        }))
        terminal.print(table(columns, rows, terminal.columns))
      }),
    )
}

function addRevoke(key: Command, { terminal }: CommandContext): void {
  key
    .command('revoke')
    .description('refuse a key from now on')
    .argument('<id>', 'as "key list" shows it')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server key revoke 4f7kq02xm9ab'))
    .action((given: string, options: Options) =>
      withServer(async (database) => {
        const { parseKey: readKey, revokeKey } = await import('../../server/store/keys.ts')
        // Whoever has the whole key at hand may give that: it is not repeated anywhere.
        const id = readKey(given)?.id ?? given
        const noted = { action: 'key revoke', detail: { key: id } }
        if (!(await withWriteAccess(database, noted, (queries) => revokeKey(queries, id))))
          throw notFound('There is no such key', 'To see which there are: recollect server key list')
        if (options.json) return terminal.json({ id, isRevoked: true })
        terminal.print(`${id} is revoked.`)
      }),
    )
}

function standingOf({ revokedAt, expiresAt }: ServerKey, { clock, zone }: App): string {
  if (revokedAt) return `revoked ${zone.day(revokedAt)}`
  if (!expiresAt) return 'for ever'
  return `${Date.parse(expiresAt) <= clock.nowMs() ? 'expired' : 'until'} ${zone.day(expiresAt)}`
}

/** A span counts from now. */
function expiryOf(value: string | undefined, { clock, zone }: App): string | null {
  if (value === undefined) return null
  const nowMs = clock.nowMs()
  const given = parseSince(value, { nowMs, zone })
  const at = /^\d+\s*[hdwm]$/.test(value) ? 2 * nowMs - given : given
  if (at > nowMs && at < 8.64e15) return isoTime(at)
  throw new UserError(
    `--expires takes a date to come or a span, not "${value}"`,
    'For example: --expires 90d or --expires 2027-01-01',
  )
}
