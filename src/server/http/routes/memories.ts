// Single memories, their links, and the tags, projects and counts of a space.
import * as z from 'zod'
import { linkTypes } from '../../../memory/links.ts'
import { itemId, itemKinds, itemSchema, problemSchema, type SyncItem, spaceName } from '../../../sync/protocol.ts'
import { addLink, removeLink } from '../../push/link-memories.ts'
import { RequestProblem } from '../../request-problem.ts'
import { linksOf } from '../../store/links.ts'
import { listItems, projectsOf, statsOf, tagsOf } from '../../store/list-items.ts'
import { applyMemoryChanges, memoryChanges, newMemory, newMemoryId, newMemorySchema } from '../memory-input.ts'
import { jsonResponse } from '../responses.ts'
import { defineRoute, itemParams, nameCountSchema, spaceParams, wholeNumber } from '../route.ts'
import { findItem, requireItem, type WriteResult, writeItem } from '../write-item.ts'

export const conflictSchema = z.object({ ...problemSchema.shape, current: itemSchema })

const maxListed = 200

export const memoryRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/memories',
    name: 'listMemories',
    summary: 'List memories, last changed first; pass `next` as `before` for the next page',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    query: z.strictObject({
      project: z.string().min(1).max(1000).optional(),
      tag: z.string().min(1).max(100).optional(),
      limit: wholeNumber(1, maxListed).optional(),
      before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
    }),
    response: z.object({ items: z.array(itemSchema), next: z.int().nullable() }),
    async handle({ services, access, query: { limit = 50, ...query } }) {
      const items = await listItems(services.database, access, { kind: 'memory', limit: limit + 1, ...query })
      const page = items.slice(0, limit)
      return { items: page, next: items.length > limit ? page.at(-1)!.seq : null }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/spaces/{space}/memories',
    name: 'addMemory',
    summary: 'Add a memory; returns the existing one if it says the same (200)',
    access: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: spaceParams,
    body: newMemorySchema,
    response: itemSchema,
    status: 201,
    otherStatuses: [200],
    async handle(input) {
      const document = newMemory(input.body, input.services.clock)
      const written = await writeItem(input, { id: newMemoryId(), kind: 'memory', base: null, document })
      return written.kind === 'duplicate' ? jsonResponse(written.of) : itemOf(written)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'getMemory',
    summary: 'Get a memory',
    access: { kind: 'space', role: 'reader' },
    params: itemParams,
    response: itemSchema,
    handle: (input) => requireItem(input, 'memory', input.params.id),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'changeMemory',
    summary: 'Change the given fields of a memory; with If-Match only if the version matches',
    access: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: itemParams,
    body: memoryChanges,
    response: itemSchema,
    otherStatuses: [409],
    async handle(input) {
      const item = await requireItem(input, 'memory', input.params.id)
      if (!isExpected(input.request, item)) return conflictResponse(item)
      const document = applyMemoryChanges(item.document!, input.body)
      return itemOf(await writeItem(input, { id: item.id, kind: 'memory', base: item, document }))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'deleteMemory',
    summary: 'Delete a memory for all members of the space; succeeds if it is already deleted',
    access: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: itemParams,
    response: z.object({ id: z.string(), isDeleted: z.literal(true) }),
    otherStatuses: [409],
    async handle(input) {
      const item = await findItem(input, 'memory', input.params.id)
      const done = { id: input.params.id, isDeleted: true }
      if (!item?.document) return done
      if (!isExpected(input.request, item)) return conflictResponse(item)
      const written = await writeItem(input, { id: item.id, kind: 'memory', base: item, document: null })
      return written.kind === 'conflict' ? conflictResponse(written.current) : done
    },
  }),
]

function itemOf(written: WriteResult): SyncItem | Response | undefined {
  if (written.kind === 'stored') return written.item
  return conflictResponse(written.kind === 'conflict' ? written.current : written.of)
}

function isExpected(request: Request, { version }: SyncItem): boolean {
  const expected = request.headers.get('if-match')
  if (expected === null || expected === '*') return true
  const number = /^(?:W\/)?"?(\d{1,15})"?$/.exec(expected)?.[1]
  if (number === undefined) throw new RequestProblem(400, 'if_match', 'If-Match takes the version of an item')
  return Number(number) === version
}

/** Also used if another write came between reading and writing. */
function conflictResponse(current: SyncItem): Response {
  const error = {
    code: 'conflict',
    message: 'The item has changed in the meantime',
    hint: 'See `current` for its present state.',
  }
  return jsonResponse({ error, current } satisfies z.infer<typeof conflictSchema>, 409)
}

const linkSchema = z.object({ from: itemId, type: z.enum(linkTypes), to: itemId })

export const linkRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/memories/{id}/links',
    name: 'listLinks',
    summary: 'List links from and to a memory',
    access: { kind: 'space', role: 'reader' },
    params: itemParams,
    response: z.object({ links: z.array(linkSchema) }),
    handle: async ({ services, access, params: { id } }) => ({ links: await linksOf(services.database, access, id) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/spaces/{space}/memories/{id}/links',
    name: 'addLink',
    summary: 'Link a memory to another one of the space',
    access: { kind: 'space', role: 'writer' },
    params: itemParams,
    body: z.strictObject({ type: z.enum(linkTypes), to: itemId }),
    response: linkSchema,
    status: 201,
    otherStatuses: [409],
    async handle({ services, access, params: { id }, body: { type, to } }) {
      await addLink(services, access, { from: id, type, to })
      return { from: id, type, to }
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/spaces/{space}/memories/{id}/links/{type}/{to}',
    name: 'removeLink',
    summary: 'Remove a link',
    access: { kind: 'space', role: 'writer' },
    params: z.object({ space: spaceName, id: itemId, type: z.enum(linkTypes), to: itemId }),
    response: z.object({ isDeleted: z.literal(true) }),
    async handle({ services, access, params: { id, type, to } }) {
      await removeLink(services, access, { from: id, type, to })
      return { isDeleted: true }
    },
  }),
]

export const overviewRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/tags',
    name: 'tags',
    summary: 'List tags of a space, most used first',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    response: z.object({ tags: z.array(nameCountSchema) }),
    handle: async ({ services, access }) => ({ tags: await tagsOf(services.database, access) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/projects',
    name: 'projects',
    summary: 'List projects of a space, most used first',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    response: z.object({ projects: z.array(nameCountSchema) }),
    handle: async ({ services, access }) => ({ projects: await projectsOf(services.database, access) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/spaces/{space}/stats',
    name: 'stats',
    summary: 'Count items of a space by kind',
    access: { kind: 'space', role: 'reader' },
    params: spaceParams,
    response: z.object({
      kinds: z.array(z.object({ kind: z.enum(itemKinds), live: z.int(), deleted: z.int() })),
      lastChangeAt: z.string().nullable(),
    }),
    handle: ({ services, access }) => statsOf(services.database, access),
  }),
]
