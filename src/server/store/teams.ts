import type { AccessRole } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'
import { createTeamSpace, emptySpace, teamSpaceId } from './spaces.ts'
import { checkName } from './users.ts'

export interface Team {
  name: string
  createdAt: string
  members: number
  items: number
}

interface Member {
  user: string
  role: AccessRole
  /** Only these projects, and items without a project; null for all. */
  projects: string[] | null
  since: string
}

/** Creates the team with its space; call in a transaction. Undefined if the name is taken. */
export async function createTeam(queries: Queries, name: string): Promise<number | undefined> {
  checkName('team', name)
  const [team] = await queries.query<{ id: number }>(
    'INSERT INTO teams (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id',
    [name],
  )
  if (team) await createTeamSpace(queries, team.id)
  return team?.id
}

export async function listTeams(queries: Queries): Promise<Team[]> {
  return queries.query<Team & Record<string, unknown>>(
    `SELECT team.name, team.created_at AS "createdAt",
       (SELECT count(*) FROM members member WHERE member.team_id = team.id) AS members,
       (SELECT count(*) FROM items item WHERE item.space_id = space.id AND item.document IS NOT NULL) AS items
     FROM teams team JOIN spaces space ON space.team_id = team.id ORDER BY team.name`,
  )
}

/** The space keeps its id, so that machines continue from their cursors. */
export async function renameTeam(queries: Queries, name: string, to: string): Promise<'renamed' | 'unknown' | 'taken'> {
  checkName('team', to)
  const [taken] = await queries.query('SELECT id FROM teams WHERE name = $1', [to])
  if (taken) return 'taken'
  const renamed = await queries.query('UPDATE teams SET name = $2 WHERE name = $1 RETURNING id', [name, to])
  return renamed.length > 0 ? 'renamed' : 'unknown'
}

/** Deletes the team with its space; call in a transaction. False if there is no such team. */
export async function deleteTeam(queries: Queries, name: string): Promise<boolean> {
  const spaceId = await teamSpaceId(queries, name)
  if (spaceId === undefined) return false
  await emptySpace(queries, spaceId)
  await queries.query('DELETE FROM teams WHERE name = $1', [name])
  return true
}

export interface Membership {
  team: string
  user: string
  role: AccessRole
  projects: readonly string[] | null
}

/** Adds a member or changes their role and projects. */
export async function setMember(
  queries: Queries,
  { team, user, role, projects }: Membership,
): Promise<'set' | 'unknown team' | 'unknown user'> {
  const [found] = await queries.query<{ team: number | null; person: number | null }>(
    'SELECT (SELECT id FROM teams WHERE name = $1) AS team, (SELECT id FROM users WHERE name = $2) AS person',
    [team, user],
  )
  if (found!.team === null) return 'unknown team'
  if (found!.person === null) return 'unknown user'
  await queries.query(
    `INSERT INTO members (team_id, user_id, role, projects) VALUES ($1, $2, $3, $4)
     ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role, projects = excluded.projects`,
    [found!.team, found!.person, role, projects],
  )
  return 'set'
}

/** False if the user was no member. */
export async function removeMember(queries: Queries, team: string, user: string): Promise<boolean> {
  const removed = await queries.query(
    `DELETE FROM members WHERE team_id = (SELECT id FROM teams WHERE name = $1)
       AND user_id = (SELECT id FROM users WHERE name = $2) RETURNING user_id`,
    [team, user],
  )
  return removed.length > 0
}

/** Undefined if there is no such team. */
export async function listMembers(queries: Queries, team: string): Promise<Member[] | undefined> {
  const [known] = await queries.query<{ id: number }>('SELECT id FROM teams WHERE name = $1', [team])
  if (!known) return undefined
  return queries.query<Member & Record<string, unknown>>(
    `SELECT person.name AS "user", member.role, member.projects, member.since
     FROM members member JOIN users person ON person.id = member.user_id
     WHERE member.team_id = $1 ORDER BY person.name`,
    [known.id],
  )
}
