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
  const key = server
    .command('key')
    .description('Create, list and revoke keys')
    .addHelpText('after', examples('recollect server key create --user ada', 'recollect server key list'))
  addCreate(key, cli)
  addList(key, cli)
  addRevoke(key, cli)
}

function addCreate(key: Command, { terminal }: CommandContext): void {
  key
    .command('create')
    .description('Create a key; it is shown once, only its hash is stored')
    .requiredOption('--user <name>', 'Owner of the key')
    .option('--name <text>', 'Name of the key, such as a machine', 'key')
    .addOption(new Option('--role <role>', 'Highest role of the key').choices(roles).default('writer'))
    .option('--expires <when>', 'Date, or a span such as 90d (default: never)')
    .option('--json', 'Print JSON')
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
        terminal.say('The key is not shown again. To use it on a machine: recollect sync join <url>')
      }),
    )
}

function addList(key: Command, { terminal }: CommandContext): void {
  key
    .command('list')
    .description('List keys without their secrets, the latest first')
    .option('--user <name>', 'Only keys of this user')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server key list', 'recollect server key list --user ada --json'))
    .action(({ user, json }: Options) =>
      withServer(async (database, app) => {
        const { listKeys } = await import('../../server/store/keys.ts')
        const keys = await listKeys(database, user)
        if (json) return terminal.json(keys)
        if (keys.length === 0) return terminal.say('No keys. To create one: recollect server key create --user <name>')
        const { zone } = app
        const rows = keys.map((one) => [
          one.id,
          one.user,
          one.name,
          one.role,
          zone.day(one.createdAt),
          one.usedAt ? zone.day(one.usedAt) : 'never',
          validityText(one, app),
        ])
        const columns = ['key', 'user', 'name', 'role', 'created', 'used', 'valid'].map((title) => ({
          title,
          isFlexible: title === 'name',
          isWhole: title === 'key',
          ...(title === 'created' && { rank: 1 }),
        }))
        terminal.print(table(columns, rows, terminal.columns))
      }),
    )
}

function addRevoke(key: Command, { terminal }: CommandContext): void {
  key
    .command('revoke')
    .description('Revoke a key')
    .argument('<id>', 'Id of the key, as "key list" shows it')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server key revoke 4f7kq02xm9ab'))
    .action((given: string, options: Options) =>
      withServer(async (database) => {
        const { parseKey: readKey, revokeKey } = await import('../../server/store/keys.ts')
        // The whole key is accepted as well; it is never printed.
        const id = readKey(given)?.id ?? given
        const noted = { action: 'key revoke', detail: { key: id } }
        if (!(await withWriteAccess(database, noted, (queries) => revokeKey(queries, id))))
          throw notFound('No such key', 'To list keys: recollect server key list')
        if (options.json) return terminal.json({ id, isRevoked: true })
        terminal.print(`${id} is revoked.`)
      }),
    )
}

function validityText({ revokedAt, expiresAt }: ServerKey, { clock, zone }: App): string {
  if (revokedAt) return `revoked ${zone.day(revokedAt)}`
  if (!expiresAt) return 'forever'
  return `${Date.parse(expiresAt) <= clock.nowMs() ? 'expired' : 'until'} ${zone.day(expiresAt)}`
}

/** A span is relative to now. */
function expiryOf(value: string | undefined, { clock, zone }: App): string | null {
  if (value === undefined) return null
  const nowMs = clock.nowMs()
  const given = parseSince(value, { nowMs, zone })
  const at = /^\d+\s*[hdwm]$/.test(value) ? 2 * nowMs - given : given
  if (at > nowMs && at < 8.64e15) return isoTime(at)
  throw new UserError(
    `--expires takes a future date or a span, not "${value}"`,
    'For example: --expires 90d or --expires 2027-01-01',
  )
}
