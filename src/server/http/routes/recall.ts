import * as z from 'zod'
import { itemDocument, itemId, itemKinds, spaceName } from '../../../sync/protocol.ts'
import { authorise } from '../authorise.ts'
import { recallAndCount } from '../recall.ts'
import { defineRoute } from '../route.ts'

const recalledItem = z.object({
  space: spaceName,
  id: itemId,
  kind: z.enum(itemKinds),
  version: z.int(),
  project: z.string().nullable(),
  title: z.string().nullable(),
  author: z.string(),
  ts: z.string(),
  snippet: z.string(),
  trust: z.string().nullable(),
  supersededBy: z.string().nullable(),
  document: itemDocument,
})

const recallResponseSchema = z.object({
  items: z.array(recalledItem.extend({ score: z.number(), foundBy: itemId.nullable() })),
  resolutions: z.array(recalledItem.extend({ resolves: itemId })),
  meaning: z.enum(['off', 'used', 'failed']),
})

export const recallRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/recall',
    name: 'recall',
    summary: 'Search memories and other items in one space or in all of yours',
    access: { kind: 'key' },
    body: z.strictObject({
      query: z.string().max(10_000),
      space: spaceName.optional(),
      project: z.string().min(1).max(1000).optional(),
      kind: z.enum(itemKinds).optional(),
      limit: z.int().min(1).max(100).default(30),
      sort: z.enum(['relevance', 'importance', 'recency']).default('relevance'),
    }),
    response: recallResponseSchema,
    otherStatuses: [404],
    async handle({ services, state, caller, body: { space, ...question } }) {
      if (space !== undefined) authorise(caller, space, { kind: 'space', role: 'reader' })
      return recallAndCount(
        { services, state, caller },
        { ...question, ...(space === undefined ? {} : { spaces: [space] }) },
      )
    },
  }),
]
