// The one place that asks the search: memories first, then what sessions said and commits tell.

import * as z from 'zod'
import { UserError } from '../../core/errors.ts'
import { evidenceNotice, wrapEvidence } from '../../core/injected-text.ts'
import type { Zone } from '../../core/units.ts'
import { type Memory, memoryKinds } from '../../memory/memory.ts'
import { filtersOf } from '../../search/filters.ts'
import { isEmptyQuery, parseQuery } from '../../search/query.ts'
import { type SearchKind, type SearchOptions, type SearchResult, search } from '../../search/search.ts'
import { questionVector } from '../../search/vectors/question-vector.ts'
import { memoryById } from '../../store/memories/memories.ts'
import { shortLine } from '../../text/truncate.ts'
import { allProjects, requestedProject } from '../client-project.ts'
import { memoryLine } from '../memory-text.ts'
import type { ToolCall } from '../tool-result.ts'

/** What can be looked for: all memories or one kind of them, exchanges and digests of sessions, commits. */
export const searchableKinds = ['memory', ...memoryKinds, 'exchange', 'digest', 'commit'] as const
export type SearchableKind = (typeof searchableKinds)[number]

export interface ToolSearchRequest {
  query: string
  /** As it was named; undefined for the one that the client works in. */
  project: string | undefined
  kind?: SearchableKind | undefined
  limit: number
}

export type Hit = SearchResult

export interface ToolSearchResults {
  /** Where it was looked for; undefined for everywhere. */
  project: string | undefined
  memories: Memory[]
  hits: Hit[]
}

export async function searchAll(call: ToolCall, wanted: ToolSearchRequest): Promise<ToolSearchResults> {
  const { ask, filters } = await prepareSearch(call, wanted.query)
  const project =
    wanted.project === undefined && filters.project ? filters.project : requestedProject(call, wanted.project)
  const kinds = wanted.kind ? kindsOf(wanted.kind) : filters.kinds
  const among = (own: readonly SearchKind[], limit: number) => {
    const asked = kinds === undefined ? own : own.filter((kind) => kinds.includes(kind))
    return asked.length === 0 ? [] : ask({ project, kinds: asked, limit })
  }
  const { kind, limit } = wanted
  // One kind of memory is picked from all of them, so more are looked at.
  const memories = among(['memory'], isMemoryKind(kind) ? limit * 10 : limit)
    .flatMap(({ id }) => memoryById(call.ledger, id) ?? [])
    .filter((memory) => !isMemoryKind(kind) || memory.kind === kind)
  const hits = among(['exchange', 'digest', 'commit'], limit)
  const shown = memories.slice(0, Math.max(limit - hits.length, Math.ceil(limit / 2)))
  return { project, memories: shown, hits: hits.slice(0, limit - shown.length) }
}

/** Of every project where none is named. */
export async function searchInSessions(call: ToolCall, { query, project, limit }: ToolSearchRequest): Promise<Hit[]> {
  const { ask, filters } = await prepareSearch(call, query)
  const named = project === undefined ? filters.project : requestedProject(call, project)
  return ask({ project: named, kinds: ['exchange', 'digest'], limit })
}

async function prepareSearch({ app, ledger }: ToolCall, typed: string) {
  const query = parseQuery(typed)
  if (isEmptyQuery(query) || !/[\p{L}\p{N}]/u.test(typed))
    throw new UserError('There is no word to look for', 'Ask with words, names or a path.')
  const nowMs = app.clock.nowMs()
  const agents = app.agents.map(({ id }) => id)
  const filters = filtersOf(query, { ledger, rules: app.config.projects, agents, zone: app.zone, nowMs })
  const vector = await questionVector(app, ledger, query.text)
  const ask = (options: Pick<SearchOptions, 'project' | 'kinds' | 'limit'>) =>
    search(ledger, query, { ...filters, ...options, nowMs, vector, isDistinct: true })
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
  limit: z.int().min(1).max(50).default(10).describe('how many passages'),
  project: z.string().min(1).optional().describe('only this project: its identity, its name or a folder in it'),
})

export async function sessionSearch(
  call: ToolCall,
  { query, limit, project }: z.infer<typeof sessionSearchInput>,
): Promise<string> {
  const hits = await searchInSessions(call, { query, limit, project })
  if (hits.length === 0) return 'Nothing was found. Try other words, or without the project.'
  return [evidenceNotice, ...hits.map(passage), 'session_get with a session and its from reads on.'].join('\n\n')
}

function passage({ session, seq, ts, role, project, title, snippet }: Hit): string {
  return wrapEvidence({ session, from: seq, date: ts, by: speaker(role), project, title }, snippet)
}

/** Output of a tool is nobody's word. */
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
  project: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `a project by its name, identity or folder; "${allProjects}" for every one (default: the project you work in)`,
    ),
  limit: z.int().min(1).max(50).default(10).describe('how many lines'),
})

export async function memorySearch(call: ToolCall, input: z.infer<typeof memorySearchInput>): Promise<string> {
  const { app } = call
  const { project, memories, hits } = await searchAll(call, { ...input, project: input.project })
  if (memories.length + hits.length === 0) return nothingFoundText(project)
  const lines = [...memories.map((memory) => memoryLine(memory, app)), ...hits.map((hit) => hitLine(hit, app.zone))]
  return [
    evidenceNotice,
    wrapEvidence({ query: input.query, project: project ?? 'every project' }, lines.join('\n')),
    'memory_expand with an id shows what is around it, memory_get with ids the full text.',
  ].join('\n\n')
}

function nothingFoundText(project: string | undefined): string {
  if (project === undefined) return 'Nothing was found. Try other words.'
  return `Nothing was found in ${shortLine(project, 200)}. Try other words, or project "${allProjects}".`
}

function hitLine({ id, kind, role, ts, session, project, title, snippet }: Hit, zone: Zone): string {
  const marks = [
    kind,
    role && speaker(role),
    ts && zone.day(ts),
    session?.slice(0, session.indexOf(':')),
    project?.split(/[\\/]/).at(-1),
  ]
  const text = kind === 'commit' && title && !snippet.startsWith(title) ? `${title}: ${snippet}` : snippet
  return `[${id}] ${marks.filter(Boolean).join(', ')}: ${shortLine(text, 200)}`
}
