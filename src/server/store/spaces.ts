// Every user has two spaces and every team one: made with them, and gone with them.
import { randomUUID } from 'node:crypto'
import type { Queries } from '../database/database.ts'

export async function createUserSpaces(queries: Queries, userId: number): Promise<void> {
  await queries.query(`INSERT INTO spaces (id, kind, user_id) VALUES ($1, 'personal', $3), ($2, 'shared', $3)`, [
    randomUUID(),
    randomUUID(),
    userId,
  ])
}

export async function createTeamSpace(queries: Queries, teamId: number): Promise<void> {
  await queries.query(`INSERT INTO spaces (id, kind, team_id) VALUES ($1, 'team', $2)`, [randomUUID(), teamId])
}

/** Of the team of that name. */
export async function teamSpaceId(queries: Queries, team: string): Promise<string | undefined> {
  const [space] = await queries.query<{ id: string }>(
    'SELECT space.id FROM spaces space JOIN teams team ON team.id = space.team_id WHERE team.name = $1',
    [team],
  )
  return space?.id
}

/** Of the team whose space it is, as it is called now. */
export async function teamNameOf(queries: Queries, spaceId: string): Promise<string | undefined> {
  const [team] = await queries.query<{ name: string }>(
    'SELECT team.name FROM spaces space JOIN teams team ON team.id = space.team_id WHERE space.id = $1::uuid',
    [spaceId],
  )
  return team?.name
}

/** Whoever else writes to it, or says who may, is waited for. */
export async function lockSpace(queries: Queries, spaceId: string): Promise<void> {
  await queries.query('SELECT seq FROM spaces WHERE id = $1::uuid FOR UPDATE', [spaceId])
}

/** Everything that lies in it, and the rules that share into it. Whoever writes there at this time is waited for. */
export async function emptySpace(queries: Queries, spaceId: string): Promise<void> {
  await lockSpace(queries, spaceId)
  await queries.query('DELETE FROM shares WHERE space_id = $1 OR to_space_id = $1', [spaceId])
  await queries.query('DELETE FROM links WHERE space_id = $1', [spaceId])
  await queries.query('DELETE FROM items WHERE space_id = $1', [spaceId])
}
