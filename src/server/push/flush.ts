// Writes what a push has decided: numbers in the order of the changes, items, rules of sharing.
import type { ItemDocument } from '../../sync/protocol.ts'
import type { Queries } from '../database/database.ts'
import { type Head, readDocuments } from '../store/heads.ts'
import { deleteRules, type Rule, writeRules } from '../store/shares.ts'
import { type WrittenItem, writeItems, writeSeqs } from '../store/write-items.ts'
import type { Held, Pending } from './held.ts'

/** What is going to be written, with its number. */
export interface Numbered extends Pending {
  seq: number
}

export function numbered(held: Held): Numbered[] {
  const seqs = new Map(held.spaces.map(({ id, seq }) => [id, seq]))
  return [...held.pending.values()].map((pending): Numbered => {
    const seq = seqs.get(pending.head.spaceId)! + 1
    seqs.set(pending.head.spaceId, seq)
    return { ...pending, seq }
  })
}

/** Sharing a tag can write thousands, each with a document of its own: so many are in memory at the same time. */
const maxAtOnce = 250

export async function flush(
  queries: Queries,
  { rules }: Held,
  { items, at, userId }: { items: readonly Numbered[]; at: string; userId: number },
): Promise<void> {
  if (items.length === 0) return
  const seqs = new Map(items.map(({ head, seq }) => [head.spaceId, seq]))
  await Promise.all([
    writeParts(queries, items, at),
    writeSeqs(queries, seqs),
    writeShares(queries, rules, { items, userId }),
  ])
}

async function writeParts(queries: Queries, items: readonly Numbered[], at: string): Promise<void> {
  for (let from = 0; from < items.length; from += maxAtOnce) {
    const part = items.slice(from, from + maxAtOnce)
    await writeItems(queries, await withDocuments(queries, part), at)
  }
}

/** Sharing brings memories along that this push has not named: their documents lie in the space that they are shared from. */
async function withDocuments(queries: Queries, part: readonly Numbered[]): Promise<WrittenItem[]> {
  const missing = part.filter(({ document }) => document === undefined).map(({ head }) => head)
  const found = new Map<string, Map<string, ItemDocument>>()
  for (const [sourceId, heads] of Map.groupBy(missing, (head) => head.sourceId!)) {
    const ids = heads.map(({ id }) => id)
    found.set(sourceId, await readDocuments(queries, sourceId, ids))
  }
  const documentOf = ({ sourceId, id }: Head) => found.get(sourceId!)!.get(id)!
  return part.map((item) => ({
    ...item,
    document: item.document === undefined ? documentOf(item.head) : item.document,
  }))
}

async function writeShares(
  queries: Queries,
  rules: readonly Rule[],
  { items, userId }: { items: readonly Numbered[]; userId: number },
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
