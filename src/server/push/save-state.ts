// Saves the state of a push: sequence numbers, items, share rules and the audit log.
import type { ItemDocument, PushResult } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { type AuditRecord, writeAudit } from '../store/audit.ts'
import { type ItemHeader, type ItemUpsert, readDocuments, updateSeqs, upsertItems } from '../store/item-headers.ts'
import { deleteRules, type ShareRule, writeRules } from '../store/shares.ts'
import type { PendingWrite, PushState } from './state.ts'

/** A pending write with its sequence number. */
interface NumberedWrite extends PendingWrite {
  seq: number
}

export function numberWrites(state: PushState): NumberedWrite[] {
  const seqs = new Map(state.spaces.map(({ id, seq }) => [id, seq]))
  return [...state.pending.values()].map((pending): NumberedWrite => {
    const seq = seqs.get(pending.header.spaceId)! + 1
    seqs.set(pending.header.spaceId, seq)
    return { ...pending, seq }
  })
}

/** Sharing a tag can write thousands of documents; only so many are in memory at once. */
const maxDocumentsInMemory = 250

export async function saveState(
  queries: Queries,
  { rules }: PushState,
  { items, at, userId }: { items: readonly NumberedWrite[]; at: string; userId: number },
): Promise<void> {
  if (items.length === 0) return
  const seqs = new Map(items.map(({ header, seq }) => [header.spaceId, seq]))
  await Promise.all([
    upsertInBatches(queries, items, at),
    updateSeqs(queries, seqs),
    saveShareRules(queries, rules, { items, userId }),
  ])
}

async function upsertInBatches(queries: Queries, items: readonly NumberedWrite[], at: string): Promise<void> {
  for (let from = 0; from < items.length; from += maxDocumentsInMemory) {
    const part = items.slice(from, from + maxDocumentsInMemory)
    await upsertItems(queries, await withDocuments(queries, part), at)
  }
}

/** Projected memories get the document of the space that they are shared from. */
async function withDocuments(queries: Queries, part: readonly NumberedWrite[]): Promise<ItemUpsert[]> {
  const missing = part.filter(({ document }) => document === undefined).map(({ header }) => header)
  const found = new Map<string, Map<string, ItemDocument>>()
  for (const [sourceId, headers] of Map.groupBy(missing, (header) => header.sourceId!)) {
    const ids = headers.map(({ id }) => id)
    found.set(sourceId, await readDocuments(queries, sourceId, ids))
  }
  const documentOf = ({ sourceId, id }: ItemHeader) => found.get(sourceId!)!.get(id)!
  return part.map((item) => ({
    ...item,
    document: item.document === undefined ? documentOf(item.header) : item.document,
  }))
}

async function saveShareRules(
  queries: Queries,
  rules: readonly ShareRule[],
  { items, userId }: { items: readonly NumberedWrite[]; userId: number },
): Promise<void> {
  const shares = items.map(({ header }) => header).filter(({ kind }) => kind === 'share')
  const [first] = shares
  if (!first) return
  const live = new Set(shares.filter(({ isLive }) => isLive).map(({ id }) => id))
  const gone = shares.filter(({ isLive }) => !isLive).map(({ id }) => id)
  await writeRules(
    queries,
    userId,
    rules.filter(({ spaceId, id }) => spaceId === first.spaceId && live.has(id)),
  )
  await deleteRules(queries, first.spaceId, gone)
}

export async function writePushAudit(
  queries: Queries,
  access: SpaceAccess,
  { statuses, items }: { statuses: readonly PushResult['status'][]; items: readonly NumberedWrite[] },
): Promise<void> {
  const { spaceId } = access
  const counts = Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]),
  )
  const own = items.filter(({ header }) => header.spaceId === spaceId)
  await writeAudit(queries, { spaceId, caller: access, action: 'push', detail: { counts, ...idsOf(own) } })
  await writeShareAudit(
    queries,
    access,
    items.filter(({ header }) => header.spaceId !== spaceId),
  )
}

/** Projected writes are recorded in the audit log of their target space. */
export async function writeShareAudit(
  queries: Queries,
  caller: AuditRecord['caller'],
  written: readonly NumberedWrite[],
): Promise<void> {
  for (const [spaceId, items] of Map.groupBy(written, ({ header }) => header.spaceId)) {
    await writeAudit(queries, { spaceId, caller, action: 'share', detail: idsOf(items) })
  }
}

function idsOf(items: readonly NumberedWrite[]): { written: string[]; deleted: string[] } {
  const of = (isWanted: (item: NumberedWrite) => boolean) => items.filter(isWanted).map(({ header }) => header.id)
  return { written: of(({ document }) => document !== null), deleted: of(({ document }) => document === null) }
}
