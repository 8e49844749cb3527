// Memories one by one.
import * as z from 'zod'
import { type Item, itemSchema, problemSchema } from '../../../sync/protocol.ts'
import { RequestProblem } from '../../problem.ts'
import { listItems } from '../../store/lists.ts'
import { jsonAnswer } from '../answer.ts'
import { changedMemory, memoryChanges, newMemory, newMemoryId, newMemorySchema } from '../memory.ts'
import { route } from '../route.ts'
import { live, present, type Written, writeItem } from '../write.ts'
import { itemParams, spaceParams, whole } from './schemas.ts'

export const conflictSchema = z.object({ ...problemSchema.shape, current: itemSchema })

const maxListed = 200

export const memoryRoutes = [
  route({
    method: 'GET',
    path: '/api/spaces/{space}/memories',
    name: 'listMemories',
    summary: 'Memories, the last changed first; `next` is the `before` of the page behind',
    need: { kind: 'space', role: 'reader' },
    params: spaceParams,
    query: z.strictObject({
      project: z.string().min(1).max(1000).optional(),
      tag: z.string().min(1).max(100).optional(),
      limit: whole(1, maxListed).optional(),
      before: whole(1, Number.MAX_SAFE_INTEGER).optional(),
    }),
    answer: z.object({ items: z.array(itemSchema), next: z.int().nullable() }),
    async work({ services, access, query: { limit = 50, ...query } }) {
      const items = await listItems(services.database, access, { kind: 'memory', limit: limit + 1, ...query })
      const page = items.slice(0, limit)
      return { items: page, next: items.length > limit ? page.at(-1)!.seq : null }
    },
  }),
  route({
    method: 'POST',
    path: '/api/spaces/{space}/memories',
    name: 'addMemory',
    summary: 'A new memory; the one that is there, where it says the same (200)',
    need: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: spaceParams,
    body: newMemorySchema,
    answer: itemSchema,
    status: 201,
    also: [200],
    async work(input) {
      const document = newMemory(input.body, input.services.clock)
      const written = await writeItem(input, { id: newMemoryId(), kind: 'memory', base: null, document })
      return written.kind === 'duplicate' ? jsonAnswer(written.of) : itemOf(written)
    },
  }),
  route({
    method: 'GET',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'getMemory',
    summary: 'One memory',
    need: { kind: 'space', role: 'reader' },
    params: itemParams,
    answer: itemSchema,
    work: (input) => live(input, 'memory', input.params.id),
  }),
  route({
    method: 'PUT',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'changeMemory',
    summary: 'What is given is changed, the rest stays; with If-Match only if it still has that version',
    need: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: itemParams,
    body: memoryChanges,
    answer: itemSchema,
    also: [409],
    async work(input) {
      const item = await live(input, 'memory', input.params.id)
      if (!isExpected(input.request, item)) return conflict(item)
      const document = changedMemory(item.document!, input.body)
      return itemOf(await writeItem(input, { id: item.id, kind: 'memory', base: item, document }))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/spaces/{space}/memories/{id}',
    name: 'deleteMemory',
    summary: 'Forgets a memory for everybody in the space; what is gone already stays so',
    need: { kind: 'space', role: 'writer', isDecidedByItem: true },
    params: itemParams,
    answer: z.object({ id: z.string(), isDeleted: z.literal(true) }),
    also: [409],
    async work(input) {
      const item = await present(input, 'memory', input.params.id)
      const done = { id: input.params.id, isDeleted: true }
      if (!item?.document) return done
      if (!isExpected(input.request, item)) return conflict(item)
      const written = await writeItem(input, { id: item.id, kind: 'memory', base: item, document: null })
      return written.kind === 'conflict' ? conflict(written.current) : done
    },
  }),
]

function itemOf(written: Written): Item | Response | undefined {
  if (written.kind === 'stored') return written.item
  return conflict(written.kind === 'conflict' ? written.current : written.of)
}

function isExpected(request: Request, { version }: Item): boolean {
  const expected = request.headers.get('if-match')
  if (expected === null || expected === '*') return true
  const number = /^(?:W\/)?"?(\d{1,15})"?$/.exec(expected)?.[1]
  if (number === undefined) throw new RequestProblem(400, 'if_match', 'If-Match takes the version of an item')
  return Number(number) === version
}

/** Also where somebody was faster than the base that was read a moment ago. */
export function conflict(current: Item): Response {
  const error = { code: 'conflict', message: 'It has changed since', hint: 'This is what is there now.' }
  return jsonAnswer({ error, current } satisfies z.infer<typeof conflictSchema>, 409)
}
