// Shares of the caller, and shares with the caller.
import * as z from 'zod'
import { shareDocument } from '../../../sync/documents.ts'
import { itemId, itemSchema, permissions } from '../../../sync/protocol.ts'
import { listShares } from '../../store/shares.ts'
import { authorise } from '../authorise.ts'
import { defineRoute, type RouteInput } from '../route.ts'
import { deleteShare, type ShareContext, writeShare } from '../write-item.ts'

export const shareRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shares',
    name: 'listShares',
    summary: 'List your shares and the users who share with you',
    access: { kind: 'key' },
    response: z.object({
      mine: z.array(z.object({ id: itemId, ...shareDocument.shape, since: z.string() })),
      withMe: z.array(z.object({ user: z.string(), permission: z.enum(permissions), items: z.int() })),
    }),
    handle: ({ services, caller }) => listShares(services.database, caller),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shares',
    name: 'share',
    summary: 'Share one of your memories, or all with a tag, with a team or a user',
    access: { kind: 'key' },
    body: shareDocument,
    response: itemSchema,
    status: 201,
    otherStatuses: [403, 404, 409],
    handle: (input) => writeShare(sharingOf(input), input.body),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/shares/{id}',
    name: 'unshare',
    summary: 'End a share; succeeds if it has already ended',
    access: { kind: 'key' },
    params: z.object({ id: itemId }),
    response: z.object({ id: z.string(), isDeleted: z.literal(true) }),
    otherStatuses: [403, 409],
    async handle(input) {
      await deleteShare(sharingOf(input), input.params.id)
      return { id: input.params.id, isDeleted: true }
    },
  }),
]

function sharingOf({ services, state, caller }: RouteInput<unknown, unknown, unknown>): ShareContext {
  const access = authorise(caller, 'me', { kind: 'space', role: 'writer' })
  return { services, state, access, caller }
}
