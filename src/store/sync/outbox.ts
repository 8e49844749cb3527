// The outbox: items that have changed here and are not on the server yet. A row is deleted only
// after the server has confirmed it.
import type { Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'

/** Name of the user's own space on a server. */
export const ownSpace = 'me'

/**
 * Queues an item for sending. Call in the transaction that changes it. Does nothing when no server
 * is joined.
 */
export function enqueue(ledger: Ledger, space: string, kind: string, id: string): void {
  ledger
    .sql(
      `INSERT INTO outbox (space, id, kind) SELECT $space, $id, $kind WHERE EXISTS (SELECT 1 FROM spaces)
       ON CONFLICT (space, id) DO UPDATE SET generation = generation + 1, refusal = NULL`,
    )
    .run({ space, id, kind })
}

/** Queues an item that stays on this machine, if the server has it or is about to. */
export function enqueueWithdrawal(ledger: Ledger, space: string, kind: string, id: string): void {
  const isThere = ledger
    .sql(
      `SELECT EXISTS (SELECT 1 FROM sync_items WHERE space = $space AND id = $id)
         OR EXISTS (SELECT 1 FROM outbox WHERE space = $space AND id = $id) AS there`,
    )
    .get({ space, id })!.there
  if (isThere) enqueue(ledger, space, kind, id)
}

export interface OutboxItem {
  number: number
  space: string
  id: string
  kind: string
  generation: number
}

/** Items of a space that can be sent, oldest first, after a number. */
export function pendingItems(ledger: Ledger, space: string, after: number, limit: number): OutboxItem[] {
  return ledger
    .sql(
      `SELECT number, space, id, kind, generation FROM outbox
       WHERE space = ? AND number > ? AND refusal IS NULL ORDER BY number LIMIT ?`,
    )
    .all(space, after, limit) as unknown as OutboxItem[]
}

/** The number of the last item of a space that can be sent; 0 if there is none. */
export function lastPending(ledger: Ledger, space: string): number {
  const row = ledger.sql('SELECT max(number) AS last FROM outbox WHERE space = ? AND refusal IS NULL').get(space)
  return Number(row?.last ?? 0)
}

export function generationOf(ledger: Ledger, space: string, id: string): number | undefined {
  const row = ledger.sql('SELECT generation FROM outbox WHERE space = ? AND id = ?').get(space, id)
  return row ? Number(row.generation) : undefined
}

/**
 * Queues the item if it is not queued yet. Keeps an existing refusal, so unchanged content is not
 * resent.
 */
export function ensureQueued(ledger: Ledger, space: string, kind: string, id: string): void {
  ledger
    .sql('INSERT INTO outbox (space, id, kind) VALUES (?, ?, ?) ON CONFLICT (space, id) DO NOTHING')
    .run(space, id, kind)
}

/** Removes the item from the outbox: the server has this version. */
export function markSynced(ledger: Ledger, space: string, id: string): void {
  ledger.sql('DELETE FROM outbox WHERE space = ? AND id = ?').run(space, id)
}

export interface RefusedItem {
  space: string
  id: string
  kind: string
  refusal: Json
}

/** Records that the server refused an item. It is sent again when it changes. */
export function markRefused(ledger: Ledger, { space, id, kind, refusal }: RefusedItem): void {
  ledger
    .sql(
      `INSERT INTO outbox (space, id, kind, refusal) VALUES ($space, $id, $kind, $refusal)
       ON CONFLICT (space, id) DO UPDATE SET refusal = excluded.refusal WHERE refusal IS NULL OR NOT (${isDismissed})`,
    )
    .run({ space, id, kind, refusal: JSON.stringify(refusal) })
}

/**
 * Hides a refusal that the user has seen. The item is neither pending nor listed as refused until
 * it changes or is retried.
 */
export function dismissRefusal(ledger: Ledger, space: string, id: string): void {
  ledger
    .sql(`UPDATE outbox SET refusal = json_set(refusal, '$.isDismissed', json('true')) WHERE space = ? AND id = ?`)
    .run(space, id)
}

const isDismissed = `coalesce(outbox.refusal ->> '$.isDismissed', 0)`
const isRefused = `refusal IS NOT NULL AND NOT (${isDismissed})`

export function refusedItems(ledger: Ledger, limit = -1): RefusedItem[] {
  return ledger
    .sql(`SELECT space, id, kind, refusal FROM outbox WHERE ${isRefused} ORDER BY number LIMIT ?`)
    .all(limit)
    .map((row) => ({
      space: String(row.space),
      id: String(row.id),
      kind: String(row.kind),
      refusal: JSON.parse(String(row.refusal)) as Json,
    }))
}

/** Makes refused items pending again. */
export function retryRefused(ledger: Ledger): number {
  return Number(ledger.sql('UPDATE outbox SET refusal = NULL WHERE refusal IS NOT NULL').run().changes)
}

export function countOutbox(ledger: Ledger): { waiting: number; refused: number } {
  const row = ledger
    .sql(`SELECT coalesce(sum(refusal IS NULL), 0) AS waiting, coalesce(sum(${isRefused}), 0) AS refused FROM outbox`)
    .get()!
  return { waiting: Number(row.waiting), refused: Number(row.refused) }
}

/** Number of pending items by space. */
export function countPending(ledger: Ledger): Map<string, number> {
  const rows = ledger.sql('SELECT space, count(*) AS count FROM outbox WHERE refusal IS NULL GROUP BY space').all()
  return new Map(rows.map((row) => [String(row.space), Number(row.count)]))
}

/** Deletes the queued items of one space, or of all. */
export function clearOutbox(ledger: Ledger, space: string | null = null): void {
  ledger.sql('DELETE FROM outbox WHERE $space IS NULL OR space = $space').run({ space })
}
