import * as z from 'zod'
import { formatCount } from '../../core/units.ts'
import { evidenceNotice, wrapEvidence } from '../../gate/evidence.ts'
import { itemId, spaceName } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import { authorise } from '../http/authorise.ts'
import { recallAndCount } from '../http/recall.ts'
import { RequestProblem } from '../request-problem.ts'
import { itemById } from '../store/items.ts'
import { listItems, statsOf } from '../store/list-items.ts'
import type { McpCall } from './context.ts'
import { type ListedMemory, memoryLine, memoryText } from './memory-text.ts'

const project = z.string().min(1).max(1000).optional().describe('only this project, such as github.com/owner/name')
const space = spaceName.optional().describe('me, shared, or team:<name>')

export const searchInput = z.strictObject({
  query: z.string().min(1).max(4000).describe('a question or words: names, commands, paths and error messages work'),
  project,
  space,
  limit: z.int().min(1).max(50).default(10).describe('maximum number of lines'),
})

export async function searchMemories(call: McpCall, input: z.infer<typeof searchInput>): Promise<string> {
  const { services, caller, state } = call
  const { space, ...question } = input
  if (space !== undefined) authorise(caller, space, { kind: 'space', role: 'reader' })
  const { items, resolutions } = await recallAndCount(
    { services, state, caller },
    {
      ...question,
      kind: 'memory',
      sort: 'relevance',
      ...(space === undefined ? {} : { spaces: [space] }),
    },
  )
  if (items.length === 0) return 'Nothing found. Try other words.'
  const lines = [
    ...items.map((item) => memoryLine(item, services.clock)),
    ...resolutions.map((item) => `${memoryLine(item, services.clock)} (resolves ${item.resolves})`),
  ]
  return [
    evidenceNotice,
    wrapEvidence({ query: input.query, project: input.project ?? 'every project' }, lines.join('\n')),
    'For the full text: memory_get with ids.',
  ].join('\n\n')
}

export const getInput = z.strictObject({
  ids: z.array(itemId).min(1).max(20).describe('ids of memories, from memory_search'),
})

const maxCharacters = 20_000

/** Full texts, as many as fit; always at least one. */
export async function getMemories(call: McpCall, { ids }: z.infer<typeof getInput>): Promise<string> {
  const texts: string[] = []
  const left: string[] = []
  let size = 0
  for (const id of new Set(ids)) {
    const text = memoryText(await findInAnySpace(call, id), call.services.clock)
    if (texts.length > 0 && size + text.length > maxCharacters) left.push(id)
    else texts.push(text)
    size += text.length
  }
  const rest =
    left.length > 0
      ? [`Left out, because the answer would be too long: ${left.join(', ')}. Request these separately.`]
      : []
  return [evidenceNotice, ...texts, ...rest].join('\n\n')
}

async function findInAnySpace({ services, caller }: McpCall, id: string): Promise<ListedMemory> {
  for (const access of spacesInOrder(caller.spaces)) {
    const item = await itemById(services.database, access, id)
    if (item?.kind === 'memory' && item.document) return { space: access.space, ...item }
  }
  throw new RequestProblem(
    404,
    'unknown_item',
    `There is no memory ${id}`,
    'memory_search returns the ids of memories.',
  )
}

const order: Record<SpaceAccess['kind'], number> = { personal: 0, team: 1, shared: 2 }

/** The same order as in recall: team memories before shared ones with the same id. */
function spacesInOrder(spaces: ReadonlyMap<string, SpaceAccess>): SpaceAccess[] {
  return [...spaces.values()].sort((a, b) => order[a.kind] - order[b.kind])
}

export const listInput = z.strictObject({
  space: spaceName.default('me').describe('me (default), shared, or team:<name>'),
  project,
  tag: z.string().min(1).max(100).optional().describe('only memories with this tag'),
  limit: z.int().min(1).max(200).default(20).describe('maximum number of lines'),
  before: z.int().min(1).optional().describe('continue after this number, from the previous page'),
})

export async function listMemories({ services, caller }: McpCall, input: z.infer<typeof listInput>): Promise<string> {
  const { space, limit, ...query } = input
  const access = authorise(caller, space, { kind: 'space', role: 'reader' })
  const items = await listItems(services.database, access, { kind: 'memory', limit: limit + 1, ...query })
  if (items.length === 0) return query.before ? 'No more memories.' : 'No memories yet.'
  const page = items.slice(0, limit)
  const lines = page.map((item) => memoryLine({ space, ...item }, services.clock))
  const rest = items.length > limit ? [`To continue: memory_list with before ${page.at(-1)!.seq}.`] : []
  return [
    evidenceNotice,
    wrapEvidence({ memories: space, project: input.project ?? 'every project' }, lines.join('\n')),
    ...rest,
  ].join('\n\n')
}

export async function countMemories({ services, caller }: McpCall): Promise<string> {
  const lines: string[] = []
  for (const access of spacesInOrder(caller.spaces)) {
    const { kinds, lastChangeAt } = await statsOf(services.database, access)
    const { live = 0, deleted = 0 } = kinds.find(({ kind }) => kind === 'memory') ?? {}
    const changed = lastChangeAt ? `, last changed ${lastChangeAt.slice(0, 16).replace('T', ' ')} UTC` : ''
    lines.push(
      `${access.space} (${access.role}): ${formatCount(live)} kept, ${formatCount(deleted)} forgotten${changed}`,
    )
  }
  return lines.join('\n')
}
