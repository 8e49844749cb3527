// Search queries. Each names its spaces and the projects that the caller can see in each.

import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'

/** A search in one space. */
export interface SpaceSearch {
  access: SpaceAccess
  /** A tsquery for the whole query. */
  match: string
  /** One tsquery per term. */
  terms: readonly string[]
  /** Matches so many items that the latest are scanned instead of the index. */
  isFrequent: boolean
}

export interface ItemFilter {
  project?: string | undefined
  kind?: string | undefined
}

export interface MatchOptions extends ItemFilter {
  /** Whether candidates need their time, which is in the document. */
  hasTimes: boolean
}

export interface ItemCandidate {
  space: string
  id: string
  /** The matched terms as bits: 1 << index. */
  hits: number
  /** Proximity and weight of the matches, from 0 to 1. */
  density: number
  importance: number
  /** Time of the last confirmation, else of the last write. Empty unless the search asks for it. */
  at: string
}

/** Maximum number of candidates per space. */
const maxCandidates = 200
/** Limit of the index scan for words whose items are mostly hidden. */
const maxIndexRows = 5000
/** Number of latest items scanned for frequent words. */
const latestItems = 2000

/** Weights of the tsvector labels D, C, B, A. */
const weights = '{0.1, 0.2, 0.4, 1.0}'

export async function matchTerms(
  queries: Queries,
  asked: readonly SpaceSearch[],
  options: MatchOptions,
): Promise<ItemCandidate[]> {
  const [frequent, rare] = [asked.filter(({ isFrequent }) => isFrequent), asked.filter(({ isFrequent }) => !isFrequent)]
  const found = [
    await matchFrom(indexSource, queries, rare, options),
    await matchFrom(latestSource, queries, frequent, options),
  ]
  return found.flat()
}

const visibleCondition = `(a.projects IS NULL OR project IS NULL OR project = ANY(a.projects))
  AND ($2::text IS NULL OR project = $2) AND ($3::text IS NULL OR kind = $3)`

/**
 * Lexemes contain the space; the negated inequality keeps the planner from using the index of
 * spaces as well.
 */
const indexSource = `SELECT * FROM items
  WHERE search @@ a.match AND NOT space_id <> a.space_id AND ${visibleCondition} LIMIT ${maxIndexRows}`

const latestSource = `SELECT * FROM (
    SELECT * FROM items WHERE space_id = a.space_id ORDER BY seq DESC LIMIT ${latestItems}
  ) items
  WHERE search @@ a.match AND ${visibleCondition}`

async function matchFrom(
  source: string,
  queries: Queries,
  asked: readonly SpaceSearch[],
  options: MatchOptions,
): Promise<ItemCandidate[]> {
  if (asked.length === 0) return []
  const rows = await queries.query<Omit<ItemCandidate, 'space'> & { place: number }>(
    `SELECT a.place, c.id, c.importance, c.hits, ${options.hasTimes ? saidAt : `''`} AS at,
       ts_rank_cd('${weights}', c.search, a.match, 33)::float8 AS density
     FROM ${searchRows(asked.length)} CROSS JOIN LATERAL (
       SELECT f.*, matched.hits FROM (${source}) f CROSS JOIN LATERAL (
         SELECT coalesce(sum(1 << (t.n::int - 1)), 0)::int AS hits
         FROM unnest(a.terms) WITH ORDINALITY t(term, n) WHERE f.search @@ t.term
         OFFSET 0 -- Computed once, not for the order and again for the result.
       ) matched ORDER BY bit_count(matched.hits::bit(32)) DESC, f.seq DESC LIMIT ${maxCandidates}
     ) c
     ORDER BY a.place`,
    searchValues(asked, options),
  )
  return rows.map(({ place, ...row }) => ({ ...row, space: asked[place]!.access.space }))
}

/** The memory's own time, else that of the server. */
const saidAt = `coalesce(document->>'confirmedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/**
 * The LIMIT tells the planner the number of rows; it assumes a hundred and would compile the query.
 */
function searchRows(count: number): string {
  return `(
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS r(place int, space_id uuid, projects text[], match tsquery, terms tsquery[])
    LIMIT ${count}
  ) a`
}

function searchValues(asked: readonly SpaceSearch[], { project, kind }: ItemFilter): unknown[] {
  const rows = asked.map(({ access, match, terms }, place) => ({
    place,
    space_id: access.spaceId,
    projects: access.projects,
    match,
    terms,
  }))
  return [JSON.stringify(rows), project ?? null, kind ?? null]
}

const sampleSize = 256

/** By space, the share of the latest items with each term. */
export async function termShares(
  queries: Queries,
  asked: readonly Pick<SpaceSearch, 'access' | 'terms'>[],
): Promise<Map<string, number[]>> {
  if (asked.length === 0) return new Map()
  const rows = await queries.query<{ space_id: string; shares: number[] }>(
    `SELECT a.space_id, ARRAY(
       SELECT avg((l.search @@ t.term)::int)::real FROM (
         SELECT search FROM items WHERE space_id = a.space_id ORDER BY seq DESC LIMIT ${sampleSize}
       ) l CROSS JOIN unnest(a.terms) WITH ORDINALITY t(term, n) GROUP BY t.n ORDER BY t.n
     ) AS shares
     FROM ${searchRows(asked.length)}`,
    [JSON.stringify(asked.map(({ access, terms }) => ({ space_id: access.spaceId, terms })))],
  )
  return new Map(rows.map(({ space_id, shares }) => [space_id, shares]))
}

/** Finds text without terms (symbols, emoji) as a substring of the latest items. */
export async function matchText(
  queries: Queries,
  accesses: readonly SpaceAccess[],
  text: string,
  filter: ItemFilter,
): Promise<ItemCandidate[]> {
  const asked = accesses.map((access) => ({ access, match: '', terms: [], isFrequent: true }))
  const rows = await queries.query<Omit<ItemCandidate, 'space' | 'hits' | 'density'> & { place: number }>(
    `SELECT a.place, c.id, c.importance, c.at FROM ${searchRows(asked.length)} CROSS JOIN LATERAL (
       SELECT id, importance, ${saidAt} AS at FROM (
         SELECT * FROM items WHERE space_id = a.space_id ORDER BY seq DESC LIMIT ${latestItems}
       ) items
       WHERE search IS NOT NULL AND ${visibleCondition} AND position($4 IN lower(coalesce(document->>'text', document->>'title'))) > 0
       LIMIT ${maxCandidates}
     ) c`,
    [...searchValues(asked, filter), text.toLowerCase()],
  )
  return rows.map(({ place, ...row }) => ({ ...row, space: asked[place]!.access.space, hits: 0, density: 0 }))
}

/** A reference to an item of one of the caller's spaces. */
export interface ItemRef {
  access: SpaceAccess
  id: string
}

export interface RecallableItem {
  access: SpaceAccess
  id: string
  kind: ItemKind
  version: number
  project: string | null
  document: ItemDocument
  author: string
  /** Time of the last confirmation, else of the last write. */
  at: string
  /** The superseding memory, by a link or else by the document. */
  next: string | null
  /** Memories that resolve it by links, latest first. */
  resolvedBy: string[]
}

const maxResolutionLinks = 10

/** Visible items by `itemRefKey`; without deleted and inbox ones. */
export async function readRecallable(
  queries: Queries,
  places: readonly ItemRef[],
): Promise<Map<string, RecallableItem>> {
  if (places.length === 0) return new Map()
  const rows = await queries.query<Omit<RecallableItem, 'access'> & { place: number }>(
    `SELECT a.place, i.id, i.kind, i.version, i.project, i.document, coalesce(u.name, '') AS author,
       coalesce(i.document->>'confirmedAt', to_char(i.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS at,
       coalesce((
         SELECT l.from_id FROM links l WHERE l.space_id = i.space_id AND l.type = 'supersedes' AND l.to_id = i.id
         ORDER BY l.created_at DESC, l.from_id LIMIT 1
       ), i.document->>'supersededBy') AS next,
       ARRAY(
         SELECT l.to_id FROM links l WHERE l.space_id = i.space_id AND l.from_id = i.id AND l.type = 'resolved-by'
         ORDER BY l.created_at DESC, l.to_id LIMIT ${maxResolutionLinks}
       ) AS "resolvedBy"
     FROM jsonb_to_recordset($1::jsonb) AS a(place int, space_id uuid, id text, projects text[])
     JOIN items i ON i.space_id = a.space_id AND i.id = a.id LEFT JOIN users u ON u.id = i.author_id
     WHERE i.document IS NOT NULL AND i.search IS NOT NULL
       AND (a.projects IS NULL OR i.project IS NULL OR i.project = ANY(a.projects))`,
    [rowsOf(places)],
  )
  const found = rows.map(({ place, ...item }) => ({ ...item, access: places[place]!.access }))
  return new Map(found.map((item) => [itemRefKey(item), item]))
}

export function itemRefKey({ access, id }: ItemRef): string {
  return `${access.spaceId} ${id}`
}

function rowsOf(places: readonly ItemRef[]): string {
  return JSON.stringify(
    places.map(({ access, id }, place) => ({ place, space_id: access.spaceId, id, projects: access.projects })),
  )
}
