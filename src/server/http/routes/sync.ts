// Sync of machines: pull, push, and the comparison by buckets.
import * as z from 'zod'
import {
  bucketSchema,
  type ItemDocument,
  maxBatchBytes,
  maxItems,
  pullPageSchema,
  pushResponseSchema,
  pushSchema,
  spaceName,
  summarySchema,
} from '../../../sync/protocol.ts'
import { bucketItems, pullItems, summaryOf } from '../../store/pull-items.ts'
import { count } from '../metrics.ts'
import { defineRoute, spaceParams, wholeNumber } from '../route.ts'
import { pushAndCount } from '../write-item.ts'

const anyObject = z
  .custom<ItemDocument>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), 'is no object')
  .meta({ type: 'object' })

/**
 * Only check that `document` is an object. Validating every nested value dominated push latency.
 */
export const pushBodySchema = pushSchema.extend({
  items: z.array(pushSchema.shape.items.element.extend({ document: anyObject.nullable() })).max(maxItems),
})

export const syncRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/pull',
    name: 'pull',
    summary: 'List changes after a cursor, in order',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    query: z.strictObject({
      after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: wholeNumber(1, maxItems).optional(),
    }),
    response: pullPageSchema,
    async handle({ services, state, access, query: { after = 0, limit = maxItems } }) {
      count(state.metrics, 'recollect_pulls_total')
      return pullItems(services.database, access, { after, limit })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/spaces/{space}/push',
    name: 'push',
    summary: 'Write items, each with the version it is based on',
    access: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: spaceParams,
    body: pushBodySchema,
    maxBodyBytes: maxBatchBytes,
    response: pushResponseSchema,
    handle: async ({ state, access, body: { items } }) => ({
      results: await pushAndCount(state, access, items),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/summary',
    name: 'summary',
    summary: 'Get checksums of the 256 buckets of a space, to find those that differ',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    response: summarySchema,
    handle: ({ services, access }) => summaryOf(services.database, access),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/buckets/{bucket}',
    name: 'bucket',
    summary: 'List items of one bucket of a space, including deleted ones',
    access: { kind: 'space', role: 'reader' },
    params: z.object({ space: spaceName, bucket: wholeNumber(0, 255) }),
    response: bucketSchema,
    handle: async ({ services, access, params: { bucket } }) => ({
      items: await bucketItems(services.database, access, bucket),
    }),
  }),
]
