// Reading what was found, and what has taken its place.
import type { ItemDocument, ItemKind } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'

/** An item of one of the caller's spaces. */
export interface Place {
  access: Access
  id: string
}

export interface FoundItem {
  access: Access
  id: string
  kind: ItemKind
  version: number
  project: string | null
  document: ItemDocument
  author: string
  /** When it was last said, else when it came. */
  at: string
  /** What supersedes it: by a link, else by what the memory itself says. */
  next: string | null
  /** What its links say has resolved it, the latest first. */
  resolvedBy: string[]
}

const maxResolutions = 10

/** Those that are there and may be seen, by `keyOf`: neither deleted ones nor the inbox. */
export async function readFound(queries: Queries, places: readonly Place[]): Promise<Map<string, FoundItem>> {
  if (places.length === 0) return new Map()
  const rows = await queries.query<Omit<FoundItem, 'access'> & { place: number }>(
    `SELECT a.place, i.id, i.kind, i.version, i.project, i.document, coalesce(u.name, '') AS author,
       coalesce(i.document->>'confirmedAt', to_char(i.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) AS at,
       coalesce((
         SELECT l.from_id FROM links l WHERE l.space_id = i.space_id AND l.type = 'supersedes' AND l.to_id = i.id
         ORDER BY l.created_at DESC, l.from_id LIMIT 1
       ), i.document->>'supersededBy') AS next,
       ARRAY(
         SELECT l.to_id FROM links l WHERE l.space_id = i.space_id AND l.from_id = i.id AND l.type = 'resolved-by'
         ORDER BY l.created_at DESC, l.to_id LIMIT ${maxResolutions}
       ) AS "resolvedBy"
     FROM jsonb_to_recordset($1::jsonb) AS a(place int, space_id uuid, id text, projects text[])
     JOIN items i ON i.space_id = a.space_id AND i.id = a.id LEFT JOIN users u ON u.id = i.author_id
     WHERE i.document IS NOT NULL AND i.search IS NOT NULL
       AND (a.projects IS NULL OR i.project IS NULL OR i.project = ANY(a.projects))`,
    [rowsOf(places)],
  )
  const found = rows.map(({ place, ...item }) => ({ ...item, access: places[place]!.access }))
  return new Map(found.map((item) => [keyOf(item), item]))
}

export function keyOf({ access, id }: Place): string {
  return `${access.spaceId} ${id}`
}

function rowsOf(places: readonly Place[]): string {
  return JSON.stringify(
    places.map(({ access, id }, place) => ({ place, space_id: access.spaceId, id, projects: access.projects })),
  )
}
