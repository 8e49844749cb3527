// Shares of the caller, and shares with the caller.
import * as z from 'zod'
import { receivedSharesSchema, shareAnswerSchema, shareDocument } from '../../../sync/documents.ts'
import { itemId, itemSchema, permissions } from '../../../sync/protocol.ts'
import { answerShare } from '../../push/refresh-shares.ts'
import { RequestProblem } from '../../request-problem.ts'
import { listShares } from '../../store/shares.ts'
import { authorise } from '../authorise.ts'
import { defineRoute, type RouteInput } from '../route.ts'
import { deleteShare, type ShareContext, writeShare } from '../write-item.ts'

export const shareRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/shares',
    name: 'listShares',
    summary: 'List your shares, the users who share with you, and the shares that you received',
    access: { kind: 'key' },
    response: z.object({
      mine: z.array(z.object({ id: itemId, ...shareDocument.shape, isAccepted: z.boolean(), since: z.string() })),
      withMe: z.array(z.object({ user: z.string(), permission: z.enum(permissions), items: z.int() })),
      ...receivedSharesSchema.shape,
    }),
    handle: ({ services, caller }) => listShares(services.database, caller),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shares',
    name: 'share',
    summary:
      'Share one of your memories, or all with a tag, with a team or a user; a user without a common team has to accept',
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
  defineRoute({
    method: 'POST',
    path: '/api/shares/received',
    name: 'answerShare',
    summary: 'Accept or refuse what another user shares with you; possible at any time',
    access: { kind: 'key' },
    body: shareAnswerSchema,
    response: shareAnswerSchema,
    otherStatuses: [403, 404],
    async handle({ services, caller, body }) {
      const access = authorise(caller, 'me', { kind: 'space', role: 'writer' })
      const sharedSpaceId = caller.spaces.get('shared')!.spaceId
      const { from, id, answer } = body
      const isKnown = await answerShare(
        services,
        { access, sharedSpaceId },
        { from, id, isAccepted: answer === 'accept' },
      )
      if (!isKnown)
        throw new RequestProblem(404, 'unknown_share', 'There is no such share', 'List them: GET /api/shares')
      return body
    },
  }),
]

function sharingOf({ services, state, caller }: RouteInput<unknown, unknown, unknown>): ShareContext {
  const access = authorise(caller, 'me', { kind: 'space', role: 'writer' })
  return { services, state, access, caller }
}
