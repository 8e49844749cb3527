import type { Command } from 'commander'
import { UserError } from '../../core/errors.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { type CommandContext, examples } from '../command.ts'
import { table } from '../terminal.ts'
import { noUser, withServer, withWriteAccess } from './database.ts'

interface Options {
  json?: boolean
}

export function addServerUsers(server: Command, cli: CommandContext): void {
  const user = server
    .command('user')
    .description('Manage users')
    .addHelpText('after', examples('recollect server user add ada', 'recollect server user list'))
  addAdd(user, cli)
  addList(user, cli)
  addSwitch(user, cli, 'disable', 'Disable a user: reject their keys, keep their data')
  addSwitch(user, cli, 'enable', 'Enable a disabled user')
}

function addAdd(user: Command, { terminal }: CommandContext): void {
  user
    .command('add')
    .description('Add a user')
    .argument('<name>', 'Lowercase letters, digits and hyphens')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server user add ada', 'recollect server key create --user ada'))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { createUser } = await import('../../server/store/users.ts')
        const noted = { action: 'user add', detail: { user: name } }
        if (
          !(await withWriteAccess(database, noted, async (queries) => (await createUser(queries, name)) !== undefined))
        )
          throw new UserError(
            `User ${name} already exists`,
            `To create a key: ${ownCommand('server', 'key', 'create', '--user', name)}`,
            1,
          )
        if (options.json) return terminal.json({ user: name })
        terminal.print(`Added user ${name}.`)
        terminal.say(`To create a key: ${ownCommand('server', 'key', 'create', '--user', name)}`)
      }),
    )
}

function addList(user: Command, { terminal }: CommandContext): void {
  user
    .command('list')
    .description('List users')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server user list', 'recollect server user list --json'))
    .action((options: Options) =>
      withServer(async (database, { zone }) => {
        const { listUsers } = await import('../../server/store/users.ts')
        const users = await listUsers(database)
        if (options.json) return terminal.json(users)
        if (users.length === 0) return terminal.say('No users. To add one: recollect server user add <name>')
        const rows = users.map(({ name, createdAt, disabledAt, teams, keys }) => [
          name,
          teams.join(', '),
          String(keys),
          zone.day(createdAt),
          disabledAt ? `since ${zone.day(disabledAt)}` : '',
        ])
        const columns = [
          { title: 'user' },
          { title: 'teams', isFlexible: true },
          { title: 'keys', align: 'right' as const },
          { title: 'added' },
          { title: 'disabled' },
        ]
        terminal.print(table(columns, rows, terminal.columns))
      }),
    )
}

function addSwitch(user: Command, { terminal }: CommandContext, word: 'disable' | 'enable', description: string): void {
  user
    .command(word)
    .description(description)
    .argument('<name>', 'Name of the user')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples(`recollect server user ${word} ada`))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { disableUser, enableUser } = await import('../../server/store/users.ts')
        const change = word === 'disable' ? disableUser : enableUser
        const noted = { action: `user ${word}`, detail: { user: name } }
        if (!(await withWriteAccess(database, noted, (queries) => change(queries, name)))) throw noUser(name)
        if (options.json) return terminal.json({ user: name, isDisabled: word === 'disable' })
        terminal.print(`${name} is ${word}d.`)
      }),
    )
}
