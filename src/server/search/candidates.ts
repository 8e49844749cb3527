// What the database is asked for in a search. Every question names its spaces, and for each the projects that its asker may see.
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'

/** Where to look, and for what. */
export interface Asked {
  access: Access
  /** A tsquery. */
  match: string
  /** A tsquery for each term. */
  terms: readonly string[]
  /** Matches so much that the latest items are looked through instead: their end is near, and the index's is not. */
  isFrequent: boolean
}

export interface Filter {
  project?: string | undefined
  kind?: string | undefined
}

export interface Candidate {
  space: string
  id: string
  /** Which of the terms it has. */
  hits: number[]
  /** How near to each other, and where: of 0 to 1. */
  density: number
  importance: number
  /** When it was last said, else when it came. */
  at: string
}

/** Of one space. More are not weighed. */
const maxCandidates = 200
/** A word that the latest items hide may be in many others: the search ends all the same. */
const maxLooked = 5000
/** How many of the latest items are looked through for what is everywhere. */
const latestItems = 2000

/** Weights of D, C, B, A: where a word stands. */
const weights = '{0.1, 0.2, 0.4, 1.0}'

export async function matching(queries: Queries, asked: readonly Asked[], filter: Filter): Promise<Candidate[]> {
  const [frequent, rare] = [asked.filter(({ isFrequent }) => isFrequent), asked.filter(({ isFrequent }) => !isFrequent)]
  const found = [
    await matchingFrom(byIndex, queries, rare, filter),
    await matchingFrom(latest, queries, frequent, filter),
  ]
  return found.flat()
}

const visible = `(a.projects IS NULL OR project IS NULL OR project = ANY(a.projects))
  AND ($2::text IS NULL OR project = $2) AND ($3::text IS NULL OR kind = $3)`

/** A lexeme names its space: the index of spaces would only be walked in vain, which the sign of inequality prevents. */
const byIndex = `SELECT * FROM items
  WHERE search @@ a.match AND NOT space_id <> a.space_id AND ${visible} LIMIT ${maxLooked}`

const latest = `SELECT * FROM (
    SELECT * FROM items WHERE space_id = a.space_id ORDER BY seq DESC LIMIT ${latestItems}
  ) items
  WHERE search @@ a.match AND ${visible}`

async function matchingFrom(
  source: string,
  queries: Queries,
  asked: readonly Asked[],
  filter: Filter,
): Promise<Candidate[]> {
  if (asked.length === 0) return []
  const rows = await queries.query<Omit<Candidate, 'space'> & { place: number }>(
    `SELECT a.place, c.id, c.importance, c.hits, ${saidAt} AS at,
       ts_rank_cd('${weights}', c.search, a.match, 33)::float8 AS density
     FROM ${askedRows(asked.length)} CROSS JOIN LATERAL (
       SELECT * FROM (
         SELECT f.*, ARRAY(
           SELECT t.n - 1 FROM unnest(a.terms) WITH ORDINALITY t(term, n) WHERE f.search @@ t.term
         ) AS hits
         FROM (${source}) f
       ) h ORDER BY cardinality(h.hits) DESC, h.seq DESC LIMIT ${maxCandidates}
     ) c
     ORDER BY a.place`,
    valuesOf(asked, filter),
  )
  return rows.map(({ place, ...row }) => ({ ...row, space: asked[place]!.access.space }))
}

/** In the words of the one who said it; the server's own time where there are none. */
const saidAt = `coalesce(document->>'confirmedAt', to_char(updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** PostgreSQL takes every list for a hundred rows, and compiles what looks as dear as that; so it is told how many there are. */
function askedRows(count: number): string {
  return `(
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS r(place int, space_id uuid, projects text[], match tsquery, terms tsquery[])
    LIMIT ${count}
  ) a`
}

function valuesOf(asked: readonly Asked[], { project, kind }: Filter): unknown[] {
  const rows = asked.map(({ access, match, terms }, place) => ({
    place,
    space_id: access.spaceId,
    projects: access.projects,
    match,
    terms,
  }))
  return [JSON.stringify(rows), project ?? null, kind ?? null]
}

export interface Size {
  spaceId: string
  /** At least as many as it has items. */
  items: number
  /** The share of its latest items that have each term. */
  shares: number[]
}

const sampled = 256

/** How frequent terms are where there are many items; a sample of the latest tells it without walking the index. */
export async function sizesOf(
  queries: Queries,
  asked: readonly Pick<Asked, 'access' | 'terms'>[],
  many: number,
): Promise<Size[]> {
  const rows = await queries.query<{ space_id: string; items: number; shares: number[] | null }>(
    `SELECT s.id AS space_id, s.seq AS items, CASE WHEN s.seq > $2 THEN ARRAY(
       SELECT avg((l.search @@ t.term)::int)::real FROM (
         SELECT search FROM items WHERE space_id = s.id ORDER BY seq DESC LIMIT ${sampled}
       ) l CROSS JOIN unnest(a.terms) WITH ORDINALITY t(term, n) GROUP BY t.n ORDER BY t.n
     ) END AS shares
     FROM ${askedRows(asked.length)} JOIN spaces s ON s.id = a.space_id`,
    [JSON.stringify(asked.map(({ access, terms }) => ({ space_id: access.spaceId, terms }))), many],
  )
  return rows.map(({ space_id, items, shares }) => ({ spaceId: space_id, items, shares: shares ?? [] }))
}

/** What has no words that tell anything apart (signs, emoji) is looked for as it stands, among the latest. */
export async function containing(
  queries: Queries,
  accesses: readonly Access[],
  text: string,
  filter: Filter,
): Promise<Candidate[]> {
  const asked = accesses.map((access) => ({ access, match: '', terms: [], isFrequent: true }))
  const rows = await queries.query<Omit<Candidate, 'space' | 'hits' | 'density'> & { place: number }>(
    `SELECT a.place, c.id, c.importance, c.at FROM ${askedRows(asked.length)} CROSS JOIN LATERAL (
       SELECT id, importance, ${saidAt} AS at FROM (
         SELECT * FROM items WHERE space_id = a.space_id ORDER BY seq DESC LIMIT ${latestItems}
       ) items
       WHERE search IS NOT NULL AND ${visible} AND position($4 IN lower(coalesce(document->>'text', document->>'title'))) > 0
       LIMIT ${maxCandidates}
     ) c`,
    [...valuesOf(asked, filter), text.toLowerCase()],
  )
  return rows.map(({ place, ...row }) => ({ ...row, space: asked[place]!.access.space, hits: [], density: 0 }))
}
