import { UserError } from '../../core/errors.ts'
import type { Queries } from '../database/database.ts'
import { createUserSpaces } from './spaces.ts'

export interface User {
  name: string
  createdAt: string
  /** Since then all keys of the user are refused. */
  disabledAt: string | null
  teams: string[]
  keys: number
}

/** Creates the user with their spaces; call in a transaction. Undefined if the name is taken. */
export async function createUser(queries: Queries, name: string): Promise<number | undefined> {
  checkName('user', name)
  const [user] = await queries.query<{ id: number }>(
    'INSERT INTO users (name) VALUES ($1) ON CONFLICT (name) DO NOTHING RETURNING id',
    [name],
  )
  if (user) await createUserSpaces(queries, user.id)
  return user?.id
}

export async function listUsers(queries: Queries): Promise<User[]> {
  return queries.query<User & Record<string, unknown>>(
    `SELECT person.name, person.created_at AS "createdAt", person.disabled_at AS "disabledAt",
       ARRAY(SELECT team.name FROM members member JOIN teams team ON team.id = member.team_id
             WHERE member.user_id = person.id ORDER BY team.name) AS teams,
       (SELECT count(*) FROM keys key WHERE key.user_id = person.id AND key.revoked_at IS NULL) AS keys
     FROM users person ORDER BY person.name`,
  )
}

export async function userIdOf(queries: Queries, name: string): Promise<number | undefined> {
  const [user] = await queries.query<{ id: number }>('SELECT id FROM users WHERE name = $1', [name])
  return user?.id
}

/** All keys stop working at once; items stay. False if there is no such user. */
export async function disableUser(queries: Queries, name: string): Promise<boolean> {
  const disabled = await queries.query(
    'UPDATE users SET disabled_at = coalesce(disabled_at, now()) WHERE name = $1 RETURNING id',
    [name],
  )
  return disabled.length > 0
}

export async function enableUser(queries: Queries, name: string): Promise<boolean> {
  const enabled = await queries.query('UPDATE users SET disabled_at = NULL WHERE name = $1 RETURNING id', [name])
  return enabled.length > 0
}

/** Users in a common team, including the user: names only. */
export async function listTeammates(queries: Queries, userId: number): Promise<{ name: string; teams: string[] }[]> {
  return queries.query(
    `SELECT person.name, array_agg(team.name ORDER BY team.name) AS teams
     FROM members own
     JOIN members other ON other.team_id = own.team_id
     JOIN users person ON person.id = other.user_id
     JOIN teams team ON team.id = own.team_id
     WHERE own.user_id = $1 AND person.disabled_at IS NULL
     GROUP BY person.name ORDER BY person.name`,
    [userId],
  )
}

/** Names appear in URLs and settings: unambiguous letters, digits and hyphens only. */
export function checkName(what: 'user' | 'team', name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(name)) return
  throw new UserError(
    `Invalid name of a ${what}`,
    'Use lower-case letters, digits and hyphens, starting with a letter or digit, at most 63 characters.',
  )
}
