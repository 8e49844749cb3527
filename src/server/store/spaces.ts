// Spaces: two per user, one per team, created and deleted with them.
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

export async function teamSpaceId(queries: Queries, team: string): Promise<string | undefined> {
  const [space] = await queries.query<{ id: string }>(
    'SELECT space.id FROM spaces space JOIN teams team ON team.id = space.team_id WHERE team.name = $1',
    [team],
  )
  return space?.id
}

/** The current name of the team. */
export async function teamNameOf(queries: Queries, spaceId: string): Promise<string | undefined> {
  const [team] = await queries.query<{ name: string }>(
    'SELECT team.name FROM spaces space JOIN teams team ON team.id = space.team_id WHERE space.id = $1::uuid',
    [spaceId],
  )
  return team?.name
}

/** Waits for concurrent writers and membership changes. */
export async function lockSpace(queries: Queries, spaceId: string): Promise<void> {
  await queries.query('SELECT seq FROM spaces WHERE id = $1::uuid FOR UPDATE', [spaceId])
}

/** Deletes all items, links and shares from and into the space. Waits for concurrent writers. */
export async function emptySpace(queries: Queries, spaceId: string): Promise<void> {
  await lockSpace(queries, spaceId)
  await queries.query('DELETE FROM shares WHERE space_id = $1 OR to_space_id = $1', [spaceId])
  await queries.query('DELETE FROM links WHERE space_id = $1', [spaceId])
  await queries.query('DELETE FROM items WHERE space_id = $1', [spaceId])
}
