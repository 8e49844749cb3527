// Team members and the audit log, for admins.
import * as z from 'zod'
import { roles, spaceName } from '../../../sync/protocol.ts'
import type { Services, SpaceAccess } from '../../context.ts'
import type { Queries } from '../../database/database.ts'
import { refreshShares } from '../../push/refresh-shares.ts'
import { RequestProblem } from '../../request-problem.ts'
import { listAudit, writeAudit } from '../../store/audit.ts'
import { checkAccessUnchanged } from '../../store/keys.ts'
import { lockSpace, teamNameOf } from '../../store/spaces.ts'
import { listMembers, removeMember, setMember } from '../../store/teams.ts'
import { userIdOf } from '../../store/users.ts'
import { defineRoute, nameSchema, spaceParams, wholeNumber } from '../route.ts'

const memberParams = z.object({ space: spaceName, user: nameSchema })
const projects = z.array(z.string().min(1).max(1000)).max(1000).nullable()

export const memberRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/members',
    name: 'listMembers',
    summary: 'List members of a team',
    access: { kind: 'space', role: 'admin', isTeamOnly: true },
    params: spaceParams,
    response: z.object({
      members: z.array(z.object({ user: z.string(), role: z.enum(roles), projects, since: z.string() })),
    }),
    async handle({ services: { database }, access }) {
      // The list contains names of projects that a limited admin may not see.
      checkUnlimited(access)
      return { members: (await listMembers(database, await teamOf(database, access))) ?? [] }
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/spaces/{space}/members/{user}',
    name: 'setMember',
    summary: 'Add a member or change their role; `projects` limits them to these projects',
    access: { kind: 'space', role: 'admin', isTeamOnly: true },
    params: memberParams,
    body: z.strictObject({ role: z.enum(roles), projects: projects.default(null) }),
    response: z.object({ user: z.string(), role: z.enum(roles), projects }),
    otherStatuses: [409],
    async handle({ services, access, params: { user }, body: { role, projects } }) {
      checkUnlimited(access)
      await services.database.transaction(async (queries) => {
        const team = await lockTeam(queries, access)
        if (role !== 'admin') await checkNotLastAdmin(queries, team, user)
        const done = await setMember(queries, { team, user, role, projects })
        if (done !== 'set') throw new RequestProblem(404, 'unknown_user', 'There is no such user')
        const detail = { user, role, projects: projects?.length ?? null }
        await writeAudit(queries, { spaceId: access.spaceId, caller: access, action: 'team member', detail })
      })
      await refreshUserShares(services, access, user)
      return { user, role, projects }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/spaces/{space}/members/{user}',
    name: 'removeMember',
    summary: 'Remove a member from a team; succeeds if the user is not a member',
    access: { kind: 'space', role: 'admin', isTeamOnly: true },
    params: memberParams,
    response: z.object({ user: z.string(), isRemoved: z.literal(true) }),
    otherStatuses: [409],
    async handle({ services, access, params: { user } }) {
      checkUnlimited(access)
      await services.database.transaction(async (queries) => {
        const team = await lockTeam(queries, access)
        await checkNotLastAdmin(queries, team, user)
        if (!(await removeMember(queries, team, user))) return
        await writeAudit(queries, {
          spaceId: access.spaceId,
          caller: access,
          action: 'team unmember',
          detail: { user },
        })
      })
      await refreshUserShares(services, access, user)
      return { user, isRemoved: true }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/audit',
    name: 'audit',
    summary: 'List audit log entries, latest first; pass `next` as `before` for the next page',
    access: { kind: 'space', role: 'admin' },
    params: spaceParams,
    query: z.strictObject({
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
      limit: wholeNumber(1, 500).optional(),
    }),
    response: z.object({
      entries: z.array(
        z.object({
          id: z.int(),
          at: z.string(),
          user: z.string().nullable(),
          keyId: z.string().nullable(),
          action: z.string(),
          detail: z.record(z.string(), z.json()),
        }),
      ),
      next: z.int().nullable(),
    }),
    async handle({ services, access, query: { before = null, limit = 100 } }) {
      checkUnlimited(access)
      const entries = await listAudit(services.database, access, { before, limit: limit + 1 })
      const page = entries.slice(0, limit)
      return { entries: page, next: entries.length > limit ? page.at(-1)!.id : null }
    },
  }),
]

/** Looked up by the space, since the team may have been renamed. */
async function teamOf(queries: Queries, { spaceId }: SpaceAccess): Promise<string> {
  const team = await teamNameOf(queries, spaceId)
  if (team === undefined) throw new RequestProblem(404, 'unknown_space', 'There is no such space')
  return team
}

/** Locked, since two admins who remove each other at once would leave none. */
async function lockTeam(queries: Queries, access: SpaceAccess): Promise<string> {
  await lockSpace(queries, access.spaceId)
  await checkAccessUnchanged(queries, access)
  return teamOf(queries, access)
}

/** An admin limited to some projects could otherwise grant themselves the others. */
function checkUnlimited({ projects }: SpaceAccess): void {
  if (projects !== null) throw new RequestProblem(403, 'projects', 'This needs access to all projects of the space')
}

/** Without an admin the team could only be managed on the server's command line. */
async function checkNotLastAdmin(queries: Queries, team: string, user: string): Promise<void> {
  const admins = ((await listMembers(queries, team)) ?? []).filter(({ role }) => role === 'admin')
  if (admins.length === 1 && admins[0]!.user === user)
    throw new RequestProblem(409, 'last_admin', 'A team needs at least one admin', 'Make another member admin first.')
}

/** The shares of a member follow their role in the team. */
async function refreshUserShares(services: Services, access: SpaceAccess, user: string): Promise<void> {
  const userId = await userIdOf(services.database, user)
  if (userId !== undefined) await refreshShares(services, userId, access)
}
