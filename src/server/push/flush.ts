// Writes what a push has decided: numbers in the order of the changes, items, rules of sharing.
import type { ItemDocument } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'
import { type Head, readDocuments } from '../store/heads.ts'
import { deleteRules, type Rule, writeRules } from '../store/shares.ts'
import { type WrittenItem, writeItems, writeSeqs } from '../store/write-items.ts'
import type { Held, Pending } from './held.ts'

/** What is going to be written, with its numbers and documents. */
export async function numbered(queries: Queries, held: Held): Promise<WrittenItem[]> {
  const pending = [...held.pending.values()]
  const documentOf = await missingDocuments(queries, pending)
  const seqs = new Map(held.spaces.map(({ id, seq }) => [id, seq]))
  return pending.map(({ head, document, indexed }): WrittenItem => {
    const seq = seqs.get(head.spaceId)! + 1
    seqs.set(head.spaceId, seq)
    return { head, seq, document: document === undefined ? documentOf(head) : document, indexed }
  })
}

export async function flush(
  queries: Queries,
  { rules }: Held,
  { items, at, userId }: { items: readonly WrittenItem[]; at: string; userId: number },
): Promise<void> {
  if (items.length === 0) return
  const seqs = new Map(items.map(({ head, seq }) => [head.spaceId, seq]))
  await Promise.all([
    writeItems(queries, items, at),
    writeSeqs(queries, seqs),
    writeShares(queries, rules, { items, userId }),
  ])
}

/** Sharing brings memories along that this push has not named: their documents lie in the space that they are shared from. */
async function missingDocuments(queries: Queries, pending: readonly Pending[]): Promise<(head: Head) => ItemDocument> {
  const missing = pending.filter(({ document }) => document === undefined).map(({ head }) => head)
  const found = new Map<string, Map<string, ItemDocument>>()
  for (const [sourceId, heads] of Map.groupBy(missing, (head) => head.sourceId!)) {
    const ids = heads.map(({ id }) => id)
    found.set(sourceId, await readDocuments(queries, sourceId, ids))
  }
  return ({ sourceId, id }) => found.get(sourceId!)!.get(id)!
}

async function writeShares(
  queries: Queries,
  rules: readonly Rule[],
  { items, userId }: { items: readonly WrittenItem[]; userId: number },
): Promise<void> {
  const shares = items.map(({ head }) => head).filter(({ kind }) => kind === 'share')
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
