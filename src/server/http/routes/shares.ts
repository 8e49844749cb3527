// What a person shares with others, and what others share with them.
import * as z from 'zod'
import { shareDocument } from '../../../sync/documents.ts'
import { itemId, itemSchema, permissions } from '../../../sync/protocol.ts'
import { listShares } from '../../store/shares.ts'
import { accessOf } from '../authorise.ts'
import { type Input, route } from '../route.ts'
import { type Sharing, share, unshare } from '../share.ts'

export const shareRoutes = [
  route({
    method: 'GET',
    path: '/api/shares',
    name: 'listShares',
    summary: 'What you share, and who shares with you',
    need: { kind: 'key' },
    answer: z.object({
      mine: z.array(z.object({ id: itemId, ...shareDocument.shape, since: z.string() })),
      withMe: z.array(z.object({ user: z.string(), permission: z.enum(permissions), items: z.int() })),
    }),
    work: ({ services, caller }) => listShares(services.database, caller),
  }),
  route({
    method: 'POST',
    path: '/api/shares',
    name: 'share',
    summary: 'Shares a memory of yours, or all with a tag, with a team or a person',
    need: { kind: 'key' },
    body: shareDocument,
    answer: itemSchema,
    status: 201,
    also: [403, 404, 409],
    work: (input) => share(sharingOf(input), input.body),
  }),
  route({
    method: 'DELETE',
    path: '/api/shares/{id}',
    name: 'unshare',
    summary: 'Ends a share; what is gone already stays so',
    need: { kind: 'key' },
    params: z.object({ id: itemId }),
    answer: z.object({ id: z.string(), isDeleted: z.literal(true) }),
    also: [403, 409],
    async work(input) {
      await unshare(sharingOf(input), input.params.id)
      return { id: input.params.id, isDeleted: true }
    },
  }),
]

function sharingOf({ services, state, caller }: Input<unknown, unknown, unknown>): Sharing {
  const access = accessOf(caller, 'me', { kind: 'space', role: 'writer' })
  return { services, state, access, caller }
}
