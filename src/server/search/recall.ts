// Recalls items from the spaces that the caller can see, by words and optionally by meaning.
import type { Query } from '../../search/query.ts'
import { snippetOf } from '../../search/snippet.ts'
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import { truncate } from '../../text/truncate.ts'
import type { Caller, Services, SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { type ItemRef, itemRefKey, type RecallableItem, readRecallable } from '../store/search.ts'
import { candidatesByMeaning, candidatesByWords } from './find-candidates.ts'
import { planRecall } from './plan.ts'
import { fuseRankings, type RecallSort, type ScoredCandidate, sortCandidates } from './score.ts'

export interface RecallRequest {
  query: string
  /** Names of spaces; all of the caller by default. Unknown ones are ignored. */
  spaces?: readonly string[] | undefined
  project?: string | undefined
  kind?: ItemKind | undefined
  limit: number
  sort: RecallSort
}

interface RecalledItem {
  space: string
  id: string
  kind: ItemKind
  version: number
  project: string | null
  title: string | null
  author: string
  ts: string
  snippet: string
  /** The attribution of a memory, and its successor if that cannot be shown. */
  trust: string | null
  supersededBy: string | null
  document: ItemDocument
}

interface RecallResponse {
  /** Best first. `foundBy` is the superseded memory that matched. */
  items: (RecalledItem & { score: number; foundBy: string | null })[]
  /** Resolutions of these items, beyond the limit. */
  resolutions: (RecalledItem & { resolves: string })[]
  /** `failed`: the endpoint or the database does not support the search by meaning. */
  meaning: 'off' | 'used' | 'failed'
}

const maxItems = 100
const maxResolutions = 3

export async function recallItems(services: Services, caller: Caller, options: RecallRequest): Promise<RecallResponse> {
  const { database } = services
  const plan = planRecall(options.query)
  const accesses = accessesOf(caller, options.spaces)
  const filter = { project: options.project ?? plan.query.filters.project, kind: options.kind }
  const [words, meaning] = await Promise.all([
    candidatesByWords(database, accesses, plan, options.query, {
      ...filter,
      limit: options.limit,
      hasTimes: options.sort === 'recency',
    }),
    candidatesByMeaning(services, accesses, plan, filter),
  ])
  const ranked = sortCandidates(meaning.kind === 'used' ? fuseRankings(words, meaning.near) : words, options.sort)
  const limit = Math.max(1, Math.min(maxItems, Math.trunc(options.limit) || 1))
  const served = await readRanked(database, accesses, ranked, limit)
  return {
    items: served.map(({ item, score, foundBy }) => ({ ...toRecalledItem(item, plan.query), score, foundBy })),
    resolutions: await readResolutions(database, served, plan.query),
    meaning: meaning.kind,
  }
}

const order: Record<SpaceAccess['kind'], number> = { personal: 0, team: 1, shared: 2 }

/** Own space first: of the same memory in several spaces the first is shown. */
function accessesOf({ spaces }: Caller, names: readonly string[] | undefined): SpaceAccess[] {
  return [...spaces.values()]
    .filter(({ space }) => names === undefined || names.includes(space))
    .sort((a, b) => order[a.kind] - order[b.kind])
}

interface RankedItem {
  item: RecallableItem
  score: number
  foundBy: string | null
}

async function readRanked(
  queries: Queries,
  accesses: readonly SpaceAccess[],
  ranked: readonly ScoredCandidate[],
  limit: number,
): Promise<RankedItem[]> {
  const bySpace = new Map(accesses.map((access) => [access.space, access]))
  const served = new Map<string, RankedItem>()
  for (let at = 0; at < ranked.length && served.size < limit; at += limit) {
    const next = ranked.slice(at, at + limit)
    const items = await latestVersions(
      queries,
      next.map(({ space, id }) => ({ access: bySpace.get(space)!, id })),
    )
    for (const [index, item] of items.entries()) {
      const { id, score } = next[index]!
      if (!item) continue
      // Shows the same memory of several spaces once, but not different texts under one id.
      const key = `${item.id} ${textOf(item.document.text)}`
      if (!served.has(key) && served.size < limit) served.set(key, { item, score, foundBy: item.id === id ? null : id })
    }
  }
  return [...served.values()]
}

async function readResolutions(
  queries: Queries,
  served: readonly RankedItem[],
  query: Query,
): Promise<RecallResponse['resolutions']> {
  const shown = new Set(served.map(({ item }) => item.id))
  const links = served.flatMap(({ item: { access, id, resolvedBy } }) =>
    resolvedBy.map((by) => ({ access, id: by, of: id })),
  )
  const found = await readRecallable(queries, links)
  return links
    .flatMap((link) => {
      const item = found.get(itemRefKey(link))
      return item && !shown.has(item.id) && shown.add(item.id)
        ? [{ ...toRecalledItem(item, query), resolves: link.of }]
        : []
    })
    .slice(0, maxResolutions)
}

function toRecalledItem(
  { access, id, kind, version, project, document, author, at }: RecallableItem,
  query: Query,
): RecalledItem {
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

const maxChainLength = 10

/** For each item the last visible one of its chain of successors, else the item itself. */
async function latestVersions(queries: Queries, places: readonly ItemRef[]): Promise<(RecallableItem | undefined)[]> {
  const known = await readRecallable(queries, places)
  const chains = places.map((place) => {
    const first = known.get(itemRefKey(place))
    return { last: first, seen: new Set(first ? [first.id] : []), next: nextOf(first) }
  })
  for (let depth = 0; depth < maxChainLength; depth++) {
    const missing = chains.flatMap(({ next }) => (next && !known.has(itemRefKey(next)) ? [next] : []))
    for (const [key, item] of await readRecallable(queries, missing)) known.set(key, item)
    for (const chain of chains) {
      const item = chain.next && known.get(itemRefKey(chain.next))
      // Stops at cycles.
      const isNew = item !== undefined && !chain.seen.has(item.id)
      if (isNew) chain.last = item
      if (isNew) chain.seen.add(item.id)
      chain.next = isNew ? nextOf(item) : undefined
    }
  }
  return chains.map(({ last }) => last)
}

function nextOf(item: RecallableItem | undefined): ItemRef | undefined {
  return item?.next ? { access: item.access, id: item.next } : undefined
}
