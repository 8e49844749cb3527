// memory_search and session_search: memories first, then exchanges, digests and commits.

import * as z from 'zod'
import { withImported } from '../../core/agent-names.ts'
import { UserError } from '../../core/errors.ts'
import { evidenceNotice, tellName, wrapEvidence } from '../../gate/evidence.ts'
import { tellLines } from '../../gate/gate.ts'
import { printedForm } from '../../gate/printed.ts'
import { type Memory, memoryKinds } from '../../memory/memory.ts'
import { searchFilters } from '../../search/filters.ts'
import { isEmptyQuery, parseQuery } from '../../search/query.ts'
import { type SearchKind, type SearchOptions, type SearchResult, search } from '../../search/search.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { shortLine } from '../../text/truncate.ts'
import { allProjects, projectInput, requestedProject } from '../client-project.ts'
import { type MemoryTextContext, memoryLine, textContextOf } from '../memory-text.ts'
import type { ToolCall } from '../tool-result.ts'

/** What a search can be limited to: memories, one kind of memory, exchanges, digests or commits. */
export const searchableKinds = ['memory', ...memoryKinds, 'exchange', 'digest', 'commit'] as const
export type SearchableKind = (typeof searchableKinds)[number]

export interface ToolSearchRequest {
  query: string
  /** As the client named it; undefined for the client's own project. */
  project: string | undefined
  kind?: SearchableKind | undefined
  /** Only memories with this tag; sessions and commits have none. */
  tag?: string | undefined
  /** Order of the memories. */
  sort?: SearchOrder | undefined
  limit: number
}

export const searchOrders = ['relevance', 'importance', 'date'] as const
type SearchOrder = (typeof searchOrders)[number]

export type Hit = SearchResult

export interface ToolSearchResults {
  /** The project that was searched; undefined for all projects. */
  project: string | undefined
  memories: Memory[]
  hits: Hit[]
}

export async function searchAll(call: ToolCall, request: ToolSearchRequest): Promise<ToolSearchResults> {
  const { ask, filters } = await prepareSearch(call, request.query)
  const project =
    request.project === undefined && filters.project ? filters.project : requestedProject(call, request.project)
  const kinds = request.kind ? kindsOf(request.kind) : filters.kinds
  const among = (own: readonly SearchKind[], limit: number) => {
    const asked = kinds === undefined ? own : own.filter((kind) => kinds.includes(kind))
    return asked.length === 0 ? [] : ask({ project, kinds: asked, limit })
  }
  const { kind, tag, sort = 'relevance', limit } = request
  // The search cannot filter by kind of memory or tag, so more are fetched and filtered here.
  const isFiltered = isMemoryKind(kind) || tag !== undefined || sort !== 'relevance'
  const memories = among(['memory'], isFiltered ? limit * 10 : limit)
    .flatMap(({ id }) => memoryById(call.ledger, id) ?? [])
    .filter((memory) => !isMemoryKind(kind) || memory.kind === kind)
    .filter(({ tags }) => tag === undefined || tags.some((one) => one.toLowerCase() === tag.toLowerCase()))
    .sort(orders[sort])
    .sort((a, b) => Number(a.state === 'candidate') - Number(b.state === 'candidate'))
  const hits = tag === undefined ? among(['exchange', 'digest', 'commit'], limit) : []
  const shown = memories.slice(0, Math.max(limit - hits.length, Math.ceil(limit / 2)))
  return { project, memories: shown, hits: hits.slice(0, limit - shown.length) }
}

const orders: Record<SearchOrder, (a: Memory, b: Memory) => number> = {
  relevance: () => 0,
  importance: (a, b) => b.importance - a.importance,
  date: (a, b) => b.confirmedAt.localeCompare(a.confirmedAt),
}

/** Searches all projects unless one is named. */
export async function searchInSessions(call: ToolCall, { query, project, limit }: ToolSearchRequest): Promise<Hit[]> {
  const { ask, filters } = await prepareSearch(call, query)
  const named = project === undefined ? filters.project : requestedProject(call, project)
  return ask({ project: named, kinds: ['exchange', 'digest'], limit })
}

async function prepareSearch({ app, ledger }: ToolCall, typed: string) {
  const query = parseQuery(typed)
  if (isEmptyQuery(query) || !/[\p{L}\p{N}]/u.test(typed))
    throw new UserError('The query has no words', 'Give words, names or a path.')
  const nowMs = app.clock.nowMs()
  const agents = withImported(app.agents)
  const filters = searchFilters(query, { ledger, rules: app.config.projects, agents, zone: app.zone, nowMs })
  const vector = await questionVector(app, ledger, query.text)
  const ask = (options: Pick<SearchOptions, 'project' | 'kinds' | 'limit'>) =>
    search(ledger, query, { ...filters, ...options, nowMs, vector, isDistinct: true }).results
  return { ask, filters }
}

function kindsOf(kind: SearchableKind): SearchKind[] {
  return [isMemoryKind(kind) ? 'memory' : kind]
}

function isMemoryKind(kind: SearchableKind | undefined): kind is Memory['kind'] {
  return memoryKinds.some((known) => known === kind)
}

export const sessionSearchInput = z.strictObject({
  query: z.string().min(1).max(4000).describe('a question or words: names, commands, paths and error messages work'),
  limit: z.int().min(1).max(50).default(10).describe('maximum number of passages'),
  project: z.string().min(1).optional().describe('only this project (name, identity or folder)'),
})

export async function sessionSearch(
  call: ToolCall,
  { query, limit, project }: z.infer<typeof sessionSearchInput>,
): Promise<string> {
  const hits = await searchInSessions(call, { query, limit, project })
  if (hits.length === 0) return 'Nothing found. Try other words, or without the project.'
  const groups = Map.groupBy(hits, ({ session }) => session)
  const next = 'To read more: session_get with a session and the number of a passage as from.'
  return [evidenceNotice, ...[...groups.values()].map(passagesOfSession), next].join('\n\n')
}

/** One block for each session, in the order of the best passages. */
function passagesOfSession(hits: Hit[]): string {
  const { session, project, title, ts } = hits[0]!
  const lines = hits.map(
    ({ seq, role, snippet }) =>
      `${seq === null ? '' : `[from ${seq}] `}${speaker(role)}: ${toldSnippet(role, snippet)}`,
  )
  return wrapEvidence({ session, date: ts, project, title }, [...new Set(lines)].join('\n'))
}

/** Of what a program printed only the form. */
export function toldSnippet(role: Hit['role'], snippet: string): string {
  return role === 'tool' ? printedForm(snippet) || '…' : tellLines(snippet, role === 'user' ? 'person' : 'agent')
}

/** Tool output is attributed neither to the user nor to the agent. */
export function speaker(role: Hit['role']): string {
  if (role === null) return 'digest'
  return { user: 'user', assistant: 'agent', tool: 'tool output', system: 'agent' }[role]
}

export const memorySearchInput = z.strictObject({
  query: z.string().min(1).max(4000).describe('a question or words: names, commands, paths and error messages work'),
  kind: z
    .enum(searchableKinds)
    .optional()
    .describe('only memories, memories of one kind, exchanges or digests of sessions, or commits'),
  tag: z.string().min(1).max(100).optional().describe('only memories with this tag'),
  sort: z.enum(searchOrders).default('relevance').describe('order of the memories'),
  project: projectInput,
  limit: z.int().min(1).max(50).default(10).describe('maximum number of lines'),
})

export async function memorySearch(call: ToolCall, input: z.infer<typeof memorySearchInput>): Promise<string> {
  const { project, memories, hits } = await searchAll(call, { ...input, project: input.project })
  if (memories.length + hits.length === 0) return nothingFoundText(project)
  const context = textContextOf(call)
  const lines = [...memories.map((memory) => memoryLine(memory, context)), ...hits.map((hit) => hitLine(hit, context))]
  return [
    evidenceNotice,
    wrapEvidence({ query: input.query, project: project ?? 'every project' }, lines.join('\n')),
    'For context: memory_expand with an id. For the full text: memory_get with ids.',
  ].join('\n\n')
}

function nothingFoundText(project: string | undefined): string {
  if (project === undefined) return 'Nothing found. Try other words.'
  return `Nothing found in ${shortLine(project, 200)}. Try other words, or project "${allProjects}".`
}

function hitLine(
  { id, kind, role, ts, session, project, title, snippet }: Hit,
  { zone, nameOf }: MemoryTextContext,
): string {
  const marks = [
    kind,
    role && speaker(role),
    ts && zone.day(ts),
    session?.slice(0, session.indexOf(':')),
    project && tellName(nameOf(project)),
  ]
  const said = toldSnippet(role, snippet)
  const text = kind === 'commit' && title && !snippet.startsWith(title) ? `${tellLines(title, 'agent')}: ${said}` : said
  return `[${id}] ${marks.filter(Boolean).join(', ')}: ${shortLine(text, 200)}`
}
