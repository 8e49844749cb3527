// What machines keep each other up to date with.
import * as z from 'zod'
import {
  bucketSchema,
  type ItemDocument,
  maxBatchBytes,
  maxItems,
  pullPageSchema,
  pushAnswerSchema,
  pushSchema,
  spaceName,
  summarySchema,
} from '../../../sync/protocol.ts'
import { pullItems } from '../../store/pull.ts'
import { bucketItems, summaryOf } from '../../store/summary.ts'
import { count } from '../metrics.ts'
import { push } from '../push.ts'
import { route } from '../route.ts'
import { spaceParams, whole } from './schemas.ts'

const anyObject = z
  .custom<ItemDocument>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'is no object')
  .meta({ type: 'object' })

/** What was read as JSON is JSON: to look at every value of every document once more takes longer than all of the rest. */
export const readPush = pushSchema.extend({
  items: z.array(pushSchema.shape.items.element.extend({ document: anyObject.nullable() })).max(maxItems),
})

export const syncRoutes = [
  route({
    method: 'GET',
    path: '/api/spaces/{space}/pull',
    name: 'pull',
    summary: 'What has changed behind a cursor, in its order',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    query: z.strictObject({
      after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: whole(1, maxItems).optional(),
    }),
    answer: pullPageSchema,
    async work({ services, state, access, query: { after = 0, limit = maxItems } }) {
      count(state.metrics, 'recollect_pulls_total')
      return pullItems(services.database, access, { after, limit })
    },
  }),
  route({
    method: 'POST',
    path: '/api/spaces/{space}/push',
    name: 'push',
    summary: 'Items as they are to be, each with what was last seen of it',
    need: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: spaceParams,
    body: readPush,
    maxBodyBytes: maxBatchBytes,
    answer: pushAnswerSchema,
    work: async ({ services, state, access, body: { items } }) => ({
      results: await push(services, state, access, items),
    }),
  }),
  route({
    method: 'GET',
    path: '/api/spaces/{space}/summary',
    name: 'summary',
    summary: 'Sums of the 256 parts of a space, to find out which of them differ',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    answer: summarySchema,
    work: ({ services, access }) => summaryOf(services.database, access),
  }),
  route({
    method: 'GET',
    path: '/api/spaces/{space}/buckets/{bucket}',
    name: 'bucket',
    summary: 'The items of one part of a space, deleted ones too',
    need: { kind: 'space', role: 'reader' },
    params: z.object({ space: spaceName, bucket: whole(0, 255) }),
    answer: bucketSchema,
    work: async ({ services, access, params: { bucket } }) => ({
      items: await bucketItems(services.database, access, bucket),
    }),
  }),
]
