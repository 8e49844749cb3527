import type { Command } from 'commander'
import { type CommandContext, examples } from '../command.ts'
import { table } from '../terminal.ts'
import { notFound, noUser, withServer, withWriteAccess } from './database.ts'

interface Options {
  json?: boolean
}

export function addServerUsers(server: Command, cli: CommandContext): void {
  const user = server.command('user').description('who may use the server')
  addAdd(user, cli)
  addList(user, cli)
  addSwitch(user, cli, 'disable', 'refuse all keys of a user from now on; what they wrote stays')
  addSwitch(user, cli, 'enable', 'take the keys of a user again')
}

function addAdd(user: Command, { terminal }: CommandContext): void {
  user
    .command('add')
    .description('a new user, with a space of their own')
    .argument('<name>', 'small letters, digits and hyphens')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server user add ada', 'recollect server key create --user ada'))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { createUser } = await import('../../server/store/users.ts')
        const noted = { action: 'user add', detail: { user: name } }
        if (
          !(await withWriteAccess(database, noted, async (queries) => (await createUser(queries, name)) !== undefined))
        )
          throw notFound(
            `There is a user ${name} already`,
            `To give them a key: recollect server key create --user ${name}`,
          )
        if (options.json) return terminal.json({ user: name })
        terminal.print(`${name} was added.`)
        terminal.say(`To give them a key: recollect server key create --user ${name}`)
      }),
    )
}

function addList(user: Command, { terminal }: CommandContext): void {
  user
    .command('list')
    .description('all users')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server user list', 'recollect server user list --json'))
    .action((options: Options) =>
      withServer(async (database, { zone }) => {
        const { listUsers } = await import('../../server/store/users.ts')
        const users = await listUsers(database)
        if (options.json) return terminal.json(users)
        if (users.length === 0) return terminal.say('Nobody yet. To add somebody: recollect server user add <name>')
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
    .argument('<name>', 'which user')
    .option('--json', 'as JSON')
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
