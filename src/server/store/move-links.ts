// Migration of links that were set before documents held them: writes them into the documents, as a
// new version of the memory that machines read with their next sync.
import { hasLink, type LinkType, withLink } from '../../memory/links.ts'
import { hashOfDocument } from '../../sync/item-hash.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import type { Queries, Row } from '../database/database.ts'
import { type ItemUpsert, readDocuments, readHeaders, updateSeqs, upsertItems } from './item-headers.ts'

interface LinkRow extends Row {
  spaceId: string
  from: string
  type: LinkType
  to: string
  at: string
}

export async function moveLinksIntoDocuments(queries: Queries): Promise<void> {
  // The latest last: of several memories that supersede one, it wins.
  const rows = await queries.query<LinkRow>(
    `SELECT space_id AS "spaceId", from_id AS from, type, to_id AS to,
       to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
     FROM links ORDER BY created_at, from_id, type, to_id`,
  )
  for (const [spaceId, links] of Map.groupBy(rows, (row) => row.spaceId)) await moveInSpace(queries, spaceId, links)
}

async function moveInSpace(queries: Queries, spaceId: string, links: readonly LinkRow[]): Promise<void> {
  const [space] = await queries.query<{ seq: number }>('SELECT seq FROM spaces WHERE id = $1::uuid FOR UPDATE', [
    spaceId,
  ])
  if (!space) return
  const byHolder = Map.groupBy(links, ({ type, from, to }) => (type === 'supersedes' ? to : from))
  const ids = [...byHolder.keys()]
  const headers = await readHeaders(queries, [{ spaceIds: [spaceId], ids, spaceId, textHashes: [] }])
  const documents = await readDocuments(queries, spaceId, ids)
  let { seq } = space
  const upserts = headers.flatMap((header): ItemUpsert[] => {
    const before = documents.get(header.id)
    if (header.kind !== 'memory' || !before) return []
    const document = documentWith(before, byHolder.get(header.id)!)
    seq++
    return [{ header: { ...header, version: header.version + 1, hash: hashOfDocument(document) }, seq, document }]
  })
  if (upserts.length === 0) return
  const [now] = await queries.query<{ at: string }>('SELECT now()::text AS at')
  await upsertItems(queries, upserts, now!.at)
  await updateSeqs(queries, new Map([[spaceId, seq]]))
}

function documentWith(document: ItemDocument, links: readonly LinkRow[]): ItemDocument {
  const { supersededBy, supersededAt } = document as { supersededBy: string | null; supersededAt: string | null }
  let held = { links: [] as string[], supersededBy, supersededAt }
  for (const link of links) if (!hasLink(held, link)) held = { ...held, ...withLink(held, link, link.at) }
  const { links: texts, ...superseding } = held
  return {
    ...document,
    ...superseding,
    ...(texts.length > 0 ? { links: texts } : {}),
    version: Number(document.version) + 1,
  }
}
