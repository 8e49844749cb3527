// The answer to a question from the spaces that the caller may see: by words, and by meaning where that is set up.

import type { Query } from '../../search/query.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import { truncate } from '../../text/truncate.ts'
import type { Access, Caller } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import type { Services } from '../services.ts'
import { byMeaning } from './by-meaning.ts'
import { byWords } from './by-words.ts'
import { type FoundItem, keyOf, readFound } from './found-items.ts'
import { fuse } from './fuse.ts'
import { planRecall } from './plan.ts'
import { type Scored, type Sort, sorted } from './score.ts'
import { withSuccessors } from './successors.ts'

export interface RecallOptions {
  query: string
  /** Names of spaces; all that the caller has, where none are given. Others are left out. */
  spaces?: readonly string[] | undefined
  project?: string | undefined
  kind?: ItemKind | undefined
  limit: number
  sort: Sort
}

export interface RecalledItem {
  space: string
  id: string
  kind: ItemKind
  version: number
  project: string | null
  title: string | null
  author: string
  ts: string
  snippet: string
  /** Of a memory: whose word it is, and what took its place where that cannot be shown. */
  trust: string | null
  supersededBy: string | null
  document: ItemDocument
}

export interface Recalled {
  /** The best first. `foundBy` is the earlier memory whose words were found, where this one has taken its place. */
  items: (RecalledItem & { score: number; foundBy: string | null })[]
  /** What has resolved some of them, beyond the limit. */
  resolutions: (RecalledItem & { resolves: string })[]
  /** Whether meaning was looked at as well; `failed` is the time to look at the endpoint and the database. */
  meaning: 'off' | 'used' | 'failed'
}

const maxItems = 100
const maxResolutions = 3

export async function recall(services: Services, caller: Caller, options: RecallOptions): Promise<Recalled> {
  const { database } = services
  const plan = planRecall(options.query)
  const accesses = accessesOf(caller, options.spaces)
  const filter = { project: options.project ?? plan.query.filters.project, kind: options.kind }
  const [words, meaning] = await Promise.all([
    byWords(database, accesses, plan, options.query, { ...filter, limit: options.limit }),
    byMeaning(services, accesses, plan, filter),
  ])
  const ranked = sorted(meaning.kind === 'used' ? fuse(words, meaning.near) : words, options.sort)
  const limit = Math.max(1, Math.min(maxItems, Math.trunc(options.limit) || 1))
  const served = await serve(database, accesses, ranked, limit)
  return {
    items: served.map(({ item, score, foundBy }) => ({ ...told(item, plan.query), score, foundBy })),
    resolutions: await resolutions(database, served, plan.query),
    meaning: meaning.kind,
  }
}

const order: Record<Access['kind'], number> = { personal: 0, team: 1, shared: 2 }

/** One's own first: of the same memory in several spaces, the first is shown. */
function accessesOf({ spaces }: Caller, names: readonly string[] | undefined): Access[] {
  return [...spaces.values()]
    .filter(({ space }) => names === undefined || names.includes(space))
    .sort((a, b) => order[a.kind] - order[b.kind])
}

interface Served {
  item: FoundItem
  score: number
  foundBy: string | null
}

async function serve(
  queries: Queries,
  accesses: readonly Access[],
  ranked: readonly Scored[],
  limit: number,
): Promise<Served[]> {
  const bySpace = new Map(accesses.map((access) => [access.space, access]))
  const served = new Map<string, Served>()
  for (let at = 0; at < ranked.length && served.size < limit; at += limit) {
    const next = ranked.slice(at, at + limit)
    const items = await withSuccessors(
      queries,
      next.map(({ space, id }) => ({ access: bySpace.get(space)!, id })),
    )
    for (const [index, item] of items.entries()) {
      const { id, score } = next[index]!
      if (!item) continue
      // The same memory in several spaces is shown once; who says something else under its id hides nothing.
      const key = `${item.id} ${textOf(item.document.text)}`
      if (!served.has(key) && served.size < limit) served.set(key, { item, score, foundBy: item.id === id ? null : id })
    }
  }
  return [...served.values()]
}

async function resolutions(
  queries: Queries,
  served: readonly Served[],
  query: Query,
): Promise<Recalled['resolutions']> {
  const shown = new Set(served.map(({ item }) => item.id))
  const links = served.flatMap(({ item: { access, id, resolvedBy } }) =>
    resolvedBy.map((by) => ({ access, id: by, of: id })),
  )
  const found = await readFound(queries, links)
  return links
    .flatMap((link) => {
      const item = found.get(keyOf(link))
      return item && !shown.has(item.id) && shown.add(item.id) ? [{ ...told(item, query), resolves: link.of }] : []
    })
    .slice(0, maxResolutions)
}

function told({ access, id, kind, version, project, document, author, at }: FoundItem, query: Query): RecalledItem {
  const { title, text, content, trust, supersededBy } = document
  return {
    space: access.space,
    id,
    kind,
    version,
    project,
    title: textOf(title),
    author,
    ts: at,
    snippet: snippetOf(truncate(textOf(text) ?? textOf(content) ?? textOf(title) ?? '', 20_000), query),
    trust: textOf(trust),
    supersededBy: textOf(supersededBy),
    document,
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
