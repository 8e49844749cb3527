// The account of a key: its spaces, teams, teammates and keys.
import * as z from 'zod'
import { accountInfoSchema, roles } from '../../../sync/protocol.ts'
import { hasRole } from '../../context.ts'
import { RequestProblem } from '../../request-problem.ts'
import { writeAudit } from '../../store/audit.ts'
import { listKeys, revokeKey } from '../../store/keys.ts'
import { countPendingShares } from '../../store/shares.ts'
import { listTeammates } from '../../store/users.ts'
import { defineRoute } from '../route.ts'

export const accountRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/me',
    name: 'me',
    summary: 'Get the user, role and spaces of the key',
    access: { kind: 'key' },
    response: accountInfoSchema,
    handle: async ({ services, caller }) => ({
      user: caller.user,
      pendingShares: await countPendingShares(services.database, caller.spaces.get('shared')!.spaceId),
      key: { id: caller.keyId, role: caller.role, expiresAt: caller.keyExpiresAt },
      spaces: [...caller.spaces.values()].map(({ space, spaceId, role, projects, seq }) => ({
        name: space,
        id: spaceId,
        role,
        projects,
        seq,
      })),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/users',
    name: 'users',
    summary: 'List users who share a team with you',
    access: { kind: 'key' },
    response: z.object({ users: z.array(z.object({ name: z.string(), teams: z.array(z.string()) })) }),
    handle: async ({ services, caller }) => ({ users: await listTeammates(services.database, caller.userId) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/teams',
    name: 'teams',
    summary: 'List your teams',
    access: { kind: 'key' },
    response: z.object({
      teams: z.array(z.object({ name: z.string(), role: z.enum(roles), projects: z.array(z.string()).nullable() })),
    }),
    handle: async ({ caller }) => ({
      teams: [...caller.spaces.values()]
        .filter(({ kind }) => kind === 'team')
        .map(({ space, role, projects }) => ({ name: space.slice('team:'.length), role, projects })),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/keys',
    name: 'listKeys',
    summary: 'List your keys, without their secrets',
    access: { kind: 'key' },
    response: z.object({
      keys: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          role: z.enum(roles),
          createdAt: z.string(),
          expiresAt: z.string().nullable(),
          revokedAt: z.string().nullable(),
          usedAt: z.string().nullable(),
        }),
      ),
    }),
    async handle({ services, caller }) {
      const keys = await listKeys(services.database, caller.user)
      return { keys: keys.map(({ user, ...key }) => key) }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/keys/{id}',
    name: 'revokeKey',
    summary: 'Revoke one of your keys permanently; a key can revoke itself, other keys need the role admin',
    access: { kind: 'key' },
    params: z.object({ id: z.string().max(100) }),
    response: z.object({ id: z.string(), isRevoked: z.literal(true) }),
    otherStatuses: [403, 404],
    async handle({ services, caller, params: { id } }) {
      if (id !== caller.keyId && !hasRole(caller.role, 'admin'))
        throw new RequestProblem(403, 'role', 'This needs a key of role admin')
      await services.database.transaction(async (queries) => {
        if (!(await revokeKey(queries, id, caller.user)))
          throw new RequestProblem(404, 'unknown_key', 'There is no such key')
        await writeAudit(queries, { spaceId: null, caller, action: 'key revoke', detail: { key: id } })
      })
      return { id, isRevoked: true }
    },
  }),
]
