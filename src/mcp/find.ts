// The one place that asks the search: memories first, then what sessions said and commits tell.
import { UserError } from '../core/errors.ts'
import { type Memory, memoryKinds } from '../memory/memory.ts'
import { filtersOf } from '../search/filters.ts'
import { isEmptyQuery, parseQuery } from '../search/query.ts'
import { type SearchKind, type SearchOptions, type SearchResult, search } from '../search/search.ts'
import { askedVector } from '../search/vectors/asked.ts'
import { memoryById } from '../store/memories/memories.ts'
import type { Visit } from './answer.ts'
import { projectAsked } from './here.ts'

/** What can be looked for: all memories or one kind of them, exchanges and digests of sessions, commits. */
export const findableKinds = ['memory', ...memoryKinds, 'exchange', 'digest', 'commit'] as const
export type FindableKind = (typeof findableKinds)[number]

export interface Wanted {
  query: string
  /** As it was named; undefined for the one that the client works in. */
  project: string | undefined
  kind?: FindableKind | undefined
  limit: number
}

export type Hit = SearchResult

export interface Found {
  /** Where it was looked for; undefined for everywhere. */
  project: string | undefined
  memories: Memory[]
  hits: Hit[]
}

export async function find(visit: Visit, wanted: Wanted): Promise<Found> {
  const { ask, filters } = await asking(visit, wanted.query)
  const project =
    wanted.project === undefined && filters.project ? filters.project : projectAsked(visit, wanted.project)
  const kinds = wanted.kind ? kindsOf(wanted.kind) : filters.kinds
  const among = (own: readonly SearchKind[], limit: number) => {
    const asked = kinds === undefined ? own : own.filter((kind) => kinds.includes(kind))
    return asked.length === 0 ? [] : ask({ project, kinds: asked, limit })
  }
  const { kind, limit } = wanted
  // One kind of memory is picked from all of them, so more are looked at.
  const memories = among(['memory'], isMemoryKind(kind) ? limit * 10 : limit)
    .flatMap(({ id }) => memoryById(visit.ledger, id) ?? [])
    .filter((memory) => !isMemoryKind(kind) || memory.kind === kind)
  const hits = among(['exchange', 'digest', 'commit'], limit)
  const shown = memories.slice(0, Math.max(limit - hits.length, Math.ceil(limit / 2)))
  return { project, memories: shown, hits: hits.slice(0, limit - shown.length) }
}

/** Of every project where none is named. */
export async function findInSessions(visit: Visit, { query, project, limit }: Wanted): Promise<Hit[]> {
  const { ask, filters } = await asking(visit, query)
  const named = project === undefined ? filters.project : projectAsked(visit, project)
  return ask({ project: named, kinds: ['exchange', 'digest'], limit })
}

async function asking({ app, ledger }: Visit, typed: string) {
  const query = parseQuery(typed)
  if (isEmptyQuery(query) || !/[\p{L}\p{N}]/u.test(typed))
    throw new UserError('There is no word to look for', 'Ask with words, names or a path.')
  const nowMs = app.clock.nowMs()
  const agents = app.agents.map(({ id }) => id)
  const filters = filtersOf(query, { ledger, rules: app.config.projects, agents, zone: app.zone, nowMs })
  const vector = await askedVector(app, ledger, query.text)
  const ask = (options: Pick<SearchOptions, 'project' | 'kinds' | 'limit'>) =>
    search(ledger, query, { ...filters, ...options, nowMs, vector, isDistinct: true })
  return { ask, filters }
}

function kindsOf(kind: FindableKind): SearchKind[] {
  return [isMemoryKind(kind) ? 'memory' : kind]
}

function isMemoryKind(kind: FindableKind | undefined): kind is Memory['kind'] {
  return memoryKinds.some((known) => known === kind)
}
