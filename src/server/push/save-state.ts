// Saves the state of a push: sequence numbers, items, share rules and the audit log.
import type { ItemDocument, PushResult } from '../../sync/protocol.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import type { AuditRecord } from '../store/audit.ts'
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
  { items, at }: { items: readonly NumberedWrite[]; at: string },
): Promise<void> {
  if (items.length === 0) return
  const seqs = new Map(items.map(({ header, seq }) => [header.spaceId, seq]))
  await Promise.all([
    upsertInBatches(queries, items, at),
    updateSeqs(queries, seqs),
    saveShareRules(queries, rules, items),
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
  items: readonly NumberedWrite[],
): Promise<void> {
  const shares = items.map(({ header }) => header).filter(({ kind }) => kind === 'share')
  const [first] = shares
  if (!first) return
  const live = new Set(shares.filter(({ isLive }) => isLive).map(({ id }) => id))
  const gone = shares.filter(({ isLive }) => !isLive).map(({ id }) => id)
  await writeRules(
    queries,
    first.authorId,
    rules.filter(({ spaceId, id }) => spaceId === first.spaceId && live.has(id)),
  )
  await deleteRules(queries, first.spaceId, gone)
}

/** What a push did: a record for its space, and one for each space that it shared into. */
export function pushAuditOf(
  access: SpaceAccess,
  { statuses, writes }: { statuses: readonly PushResult['status'][]; writes: readonly PendingWrite[] },
): AuditRecord[] {
  const { spaceId } = access
  const counts = Object.fromEntries(
    [...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]),
  )
  const own = writes.filter(({ header }) => header.spaceId === spaceId)
  const shared = writes.filter(({ header }) => header.spaceId !== spaceId)
  return [
    { spaceId, caller: access, action: 'push', detail: { counts, ...idsOf(own) } },
    ...shareAuditOf(access, shared),
  ]
}

/** Projected writes are recorded in the audit log of their target space. */
export function shareAuditOf(caller: AuditRecord['caller'], writes: readonly PendingWrite[]): AuditRecord[] {
  return [...Map.groupBy(writes, ({ header }) => header.spaceId)].map(([spaceId, items]) => ({
    spaceId,
    caller,
    action: 'share',
    detail: idsOf(items),
  }))
}

/** Each id once: the last write of an item decides. */
function idsOf(writes: readonly PendingWrite[]): { written: string[]; deleted: string[] } {
  const last = new Map<string, PendingWrite>()
  for (const pending of writes) {
    last.delete(pending.header.id)
    last.set(pending.header.id, pending)
  }
  const of = (isWanted: (pending: PendingWrite) => boolean) =>
    [...last.values()].filter(isWanted).map(({ header }) => header.id)
  return { written: of(({ document }) => document !== null), deleted: of(({ document }) => document === null) }
}
