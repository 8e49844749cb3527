// People, teams and keys of a server: on its database itself, so whoever can reach that needs no key.
import type { Command } from 'commander'
import type { Door } from './command.ts'
import { addServerKeys } from './server-keys.ts'
import { addServerTeams } from './server-teams.ts'
import { addServerUsers } from './server-users.ts'

export function addServerAdmin(server: Command, door: Door): void {
  addServerUsers(server, door)
  addServerTeams(server, door)
  addServerKeys(server, door)
}
