import { type Command, Option } from 'commander'
import { UserError } from '../../core/errors.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { plural } from '../../core/units.ts'
import { type AccessRole, roles } from '../../sync/protocol.ts'
import { type CommandContext, examples } from '../command.ts'
import { askForConsent, exitCodeOf } from '../prompts.ts'
import { table } from '../terminal.ts'
import { noTeam, notFound, noUser, renewSharesOf, withServer, withWriteAccess } from './database.ts'

interface Options {
  json?: boolean
  yes?: boolean
  role: AccessRole
  project?: string[]
}

export function addServerTeams(server: Command, cli: CommandContext): void {
  const team = server
    .command('team')
    .description('Manage teams and their members')
    .addHelpText('after', examples('recollect server team add core', 'recollect server team member core ada'))
  addAdd(team, cli)
  addList(team, cli)
  addRename(team, cli)
  addRemove(team, cli)
  addMember(team, cli)
  addUnmember(team, cli)
}

function addAdd(team: Command, { terminal }: CommandContext): void {
  team
    .command('add')
    .description('Add a team')
    .argument('<name>', 'Lowercase letters, digits and hyphens')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server team add core', 'recollect server team member core ada'))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { createTeam } = await import('../../server/store/teams.ts')
        const noted = { action: 'team add', detail: { team: name }, team: name }
        if (
          !(await withWriteAccess(database, noted, async (queries) => (await createTeam(queries, name)) !== undefined))
        )
          throw new UserError(
            `Team ${name} already exists`,
            `To list its members: ${ownCommand('server', 'team', 'list', name)}`,
            1,
          )
        if (options.json) return terminal.json({ team: name })
        terminal.print(`Added team ${name}.`)
        terminal.say(`To add a member: ${ownCommand('server', 'team', 'member', name)} <user>`)
      }),
    )
}

function addList(team: Command, { terminal }: CommandContext): void {
  team
    .command('list')
    .description('List teams, or the members of a team')
    .argument('[team]', 'Team whose members to list')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server team list', 'recollect server team list core --json'))
    .action((name: string | undefined, options: Options) =>
      withServer(async (database, { zone }) => {
        const { listMembers, listTeams } = await import('../../server/store/teams.ts')
        if (name === undefined) {
          const teams = await listTeams(database)
          if (options.json) return terminal.json(teams)
          if (teams.length === 0) return terminal.say('No teams. To add one: recollect server team add <name>')
          const rows = teams.map((one) => [one.name, String(one.members), String(one.items), zone.day(one.createdAt)])
          return terminal.print(table(teamColumns, rows, terminal.columns))
        }
        const members = await listMembers(database, name)
        if (members === undefined) throw noTeam(name)
        if (options.json) return terminal.json(members)
        if (members.length === 0)
          return terminal.say(`No members. To add one: ${ownCommand('server', 'team', 'member', name)} <user>`)
        const rows = members.map(({ user, role, projects, since }) => [
          user,
          role,
          projects?.join(', ') ?? 'all',
          zone.day(since),
        ])
        terminal.print(table(memberColumns, rows, terminal.columns))
      }),
    )
}

const teamColumns = [
  { title: 'team' },
  { title: 'members', align: 'right' as const },
  { title: 'items', align: 'right' as const },
  { title: 'added' },
]
const memberColumns = [
  { title: 'user' },
  { title: 'role' },
  { title: 'projects', isFlexible: true },
  { title: 'since' },
]

function addRename(team: Command, { terminal }: CommandContext): void {
  team
    .command('rename')
    .description('Rename a team')
    .argument('<name>', 'Current name')
    .argument('<to>', 'New name')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server team rename core platform'))
    .action((name: string, to: string, options: Options) =>
      withServer(async (database) => {
        const { renameTeam } = await import('../../server/store/teams.ts')
        const noted = { action: 'team rename', detail: { team: name, to }, team: name }
        await withWriteAccess(database, noted, async (queries) => {
          const result = await renameTeam(queries, name, to)
          if (result === 'unknown') throw noTeam(name)
          if (result === 'taken') throw new UserError(`Team ${to} already exists`, 'Choose another name.', 1)
          return true
        })
        if (options.json) return terminal.json({ team: to, was: name })
        terminal.print(`Renamed ${name} to ${to}.`)
      }),
    )
}

function addRemove(team: Command, { terminal, exit }: CommandContext): void {
  team
    .command('remove')
    .description('Delete a team and everything in its space; cannot be undone')
    .argument('<name>', 'Name of the team')
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server team remove core', 'recollect server team remove core --yes'))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { deleteTeam, listTeams } = await import('../../server/store/teams.ts')
        const found = (await listTeams(database)).find((one) => one.name === name)
        if (!found) throw noTeam(name)
        const what = `${name} with ${plural(found.members, 'member')} and ${plural(found.items, 'item')}`
        terminal.say(`This deletes ${what}, for all its members.`)
        const consent = await askForConsent(terminal, options)
        if (consent !== 'given') return exit(exitCodeOf(consent))
        const detail = { team: name, members: found.members, items: found.items }
        const noted = { action: 'team remove', detail, team: name }
        if (!(await withWriteAccess(database, noted, (queries) => deleteTeam(queries, name)))) throw noTeam(name)
        if (options.json) return terminal.json(detail)
        terminal.print(`Deleted ${what}.`)
      }),
    )
}

function addMember(team: Command, { terminal }: CommandContext): void {
  team
    .command('member')
    .description('Add a user to a team, or change their role')
    .argument('<team>', 'Name of the team')
    .argument('<user>', 'Name of the user')
    .addOption(new Option('--role <role>', 'Role in the team').choices(roles).default('writer'))
    .option('--project <name...>', 'Only these projects and items without project (default: all)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect server team member core ada',
        'recollect server team member core bo --role reader',
        'recollect server team member core bo --project github.com/dev/app',
      ),
    )
    .action((name: string, user: string, { role, project, json }: Options) =>
      withServer(async (database, app) => {
        const { setMember } = await import('../../server/store/teams.ts')
        const membership = { team: name, user, role, projects: project ?? null }
        const noted = { action: 'team member', detail: membership, team: name }
        await withWriteAccess(database, noted, async (queries) => {
          const result = await setMember(queries, membership)
          if (result === 'unknown team') throw noTeam(name)
          if (result === 'unknown user') throw noUser(user)
          return true
        })
        await renewSharesOf(database, app, user)
        if (json) return terminal.json(membership)
        terminal.print(`${user} is ${role} in ${name}${project ? `, in ${project.join(', ')}` : ''}.`)
      }),
    )
}

function addUnmember(team: Command, { terminal }: CommandContext): void {
  team
    .command('unmember')
    .description('Remove a user from a team')
    .argument('<team>', 'Name of the team')
    .argument('<user>', 'Name of the user')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect server team unmember core bo'))
    .action((name: string, user: string, options: Options) =>
      withServer(async (database, app) => {
        const { removeMember } = await import('../../server/store/teams.ts')
        const noted = { action: 'team unmember', detail: { team: name, user }, team: name }
        const isRemoved = await withWriteAccess(database, noted, (queries) => removeMember(queries, name, user))
        // Also if the user is no longer a member: an earlier run may have been interrupted here.
        await renewSharesOf(database, app, user)
        if (!isRemoved)
          throw notFound(
            `${user} is not a member of ${name}`,
            `To list members: ${ownCommand('server', 'team', 'list', name)}`,
          )
        if (options.json) return terminal.json({ team: name, user })
        terminal.print(`Removed ${user} from ${name}.`)
      }),
    )
}
