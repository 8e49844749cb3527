import { type Command, Option } from 'commander'
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
  const team = server.command('team').description('teams, and who is in them')
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
    .description('a new team, with a space of its own')
    .argument('<name>', 'small letters, digits and hyphens')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server team add core', 'recollect server team member core ada'))
    .action((name: string, options: Options) =>
      withServer(async (database) => {
        const { createTeam } = await import('../../server/store/teams.ts')
        const noted = { action: 'team add', detail: { team: name }, team: name }
        if (
          !(await withWriteAccess(database, noted, async (queries) => (await createTeam(queries, name)) !== undefined))
        )
          throw notFound(`There is a team ${name} already`, `To see who is in it: recollect server team list ${name}`)
        if (options.json) return terminal.json({ team: name })
        terminal.print(`${name} was added.`)
        terminal.say(`To put somebody into it: recollect server team member ${name} <user>`)
      }),
    )
}

function addList(team: Command, { terminal }: CommandContext): void {
  team
    .command('list')
    .description('all teams, or the members of one')
    .argument('[team]', 'whose members')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server team list', 'recollect server team list core --json'))
    .action((name: string | undefined, options: Options) =>
      withServer(async (database, { zone }) => {
        const { listMembers, listTeams } = await import('../../server/store/teams.ts')
        if (name === undefined) {
          const teams = await listTeams(database)
          if (options.json) return terminal.json(teams)
          if (teams.length === 0) return terminal.say('None yet. To add one: recollect server team add <name>')
          const rows = teams.map((one) => [one.name, String(one.members), String(one.items), zone.day(one.createdAt)])
          return terminal.print(table(teamColumns, rows, terminal.columns))
        }
        const members = await listMembers(database, name)
        if (members === undefined) throw noTeam(name)
        if (options.json) return terminal.json(members)
        if (members.length === 0)
          return terminal.say(`Nobody yet. To add somebody: recollect server team member ${name} <user>`)
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
    .description('another name for a team; machines find its space by the new one')
    .argument('<name>', 'as it is called')
    .argument('<to>', 'as it will be called')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server team rename core platform'))
    .action((name: string, to: string, options: Options) =>
      withServer(async (database) => {
        const { renameTeam } = await import('../../server/store/teams.ts')
        const noted = { action: 'team rename', detail: { team: name, to }, team: name }
        await withWriteAccess(database, noted, async (queries) => {
          const result = await renameTeam(queries, name, to)
          if (result === 'unknown') throw noTeam(name)
          if (result === 'taken') throw notFound(`There is a team ${to} already`, 'Choose another name.')
          return true
        })
        if (options.json) return terminal.json({ team: to, was: name })
        terminal.print(`${name} is now ${to}.`)
      }),
    )
}

function addRemove(team: Command, { terminal, exit }: CommandContext): void {
  team
    .command('remove')
    .description('delete a team and everything in its space; this cannot be taken back')
    .argument('<name>', 'which team')
    .option('--yes', 'do it without asking')
    .option('--json', 'as JSON')
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
    .description('put a user into a team, or change what they may do there')
    .argument('<team>', 'which team')
    .argument('<user>', 'who')
    .addOption(new Option('--role <role>', 'the most they may do').choices(roles).default('writer'))
    .option('--project <name...>', 'only these projects, and what belongs to none (default: all)')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect server team member core ada',
        'recollect server team member core bo --role reader',
        'recollect server team member core bo --project github.com/dev/app github.com/dev/site',
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
    .description('take a user out of a team')
    .argument('<team>', 'which team')
    .argument('<user>', 'who')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect server team unmember core bo'))
    .action((name: string, user: string, options: Options) =>
      withServer(async (database, app) => {
        const { removeMember } = await import('../../server/store/teams.ts')
        const noted = { action: 'team unmember', detail: { team: name, user }, team: name }
        const isRemoved = await withWriteAccess(database, noted, (queries) => removeMember(queries, name, user))
        // Also for who is in it no longer: somebody may have been interrupted here.
        await renewSharesOf(database, app, user)
        if (!isRemoved) throw notFound(`${user} is not in ${name}`, `To see who is: recollect server team list ${name}`)
        if (options.json) return terminal.json({ team: name, user })
        terminal.print(`${user} is no longer in ${name}.`)
      }),
    )
}
