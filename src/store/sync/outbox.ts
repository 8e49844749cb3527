// What has changed here and the server does not know yet. Nothing leaves it before the server has it.
import type { Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'

/** The name of the space on a server that holds what is one's own. */
export const ownSpace = 'me'

/** Call it in the transaction that changes the item. Where no server was joined, nothing waits for one. */
export function enqueue(ledger: Ledger, space: string, kind: string, id: string): void {
  ledger
    .sql(
      `INSERT INTO outbox (space, id, kind) SELECT $space, $id, $kind WHERE EXISTS (SELECT 1 FROM spaces)
       ON CONFLICT (space, id) DO UPDATE SET generation = generation + 1, refusal = NULL`,
    )
    .run({ space, id, kind })
}

export interface OutboxItem {
  number: number
  space: string
  id: string
  kind: string
  generation: number
}

/** What can be sent to a space, the oldest first, behind a number. */
export function pendingItems(ledger: Ledger, space: string, after: number, limit: number): OutboxItem[] {
  return ledger
    .sql(
      `SELECT number, space, id, kind, generation FROM outbox
       WHERE space = ? AND number > ? AND refusal IS NULL ORDER BY number LIMIT ?`,
    )
    .all(space, after, limit) as unknown as OutboxItem[]
}

export function generationOf(ledger: Ledger, space: string, id: string): number | undefined {
  const row = ledger.sql('SELECT generation FROM outbox WHERE space = ? AND id = ?').get(space, id)
  return row ? Number(row.generation) : undefined
}

/** It waits, as it did if it did: a refusal of the same content stays. */
export function ensureQueued(ledger: Ledger, space: string, kind: string, id: string): void {
  ledger
    .sql('INSERT INTO outbox (space, id, kind) VALUES (?, ?, ?) ON CONFLICT (space, id) DO NOTHING')
    .run(space, id, kind)
}

/** The server has it as it is. */
export function markSynced(ledger: Ledger, space: string, id: string): void {
  ledger.sql('DELETE FROM outbox WHERE space = ? AND id = ?').run(space, id)
}

export interface RefusedItem {
  space: string
  id: string
  kind: string
  refusal: Json
}

/** It waits for a person; whoever changes it sends it again. */
export function markRefused(ledger: Ledger, { space, id, kind, refusal }: RefusedItem): void {
  ledger
    .sql(
      `INSERT INTO outbox (space, id, kind, refusal) VALUES ($space, $id, $kind, $refusal)
       ON CONFLICT (space, id) DO UPDATE SET refusal = excluded.refusal WHERE refusal IS NULL OR NOT (${isDismissed})`,
    )
    .run({ space, id, kind, refusal: JSON.stringify(refusal) })
}

/** A person has seen it: it is neither waiting nor refused any more, until it changes or is tried again. */
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

/** What was refused is tried once more. */
export function retryRefused(ledger: Ledger): number {
  return Number(ledger.sql('UPDATE outbox SET refusal = NULL WHERE refusal IS NOT NULL').run().changes)
}

export function countOutbox(ledger: Ledger): { waiting: number; refused: number } {
  const row = ledger
    .sql(`SELECT coalesce(sum(refusal IS NULL), 0) AS waiting, coalesce(sum(${isRefused}), 0) AS refused FROM outbox`)
    .get()!
  return { waiting: Number(row.waiting), refused: Number(row.refused) }
}

/** By space. */
export function countPending(ledger: Ledger): Map<string, number> {
  const rows = ledger.sql('SELECT space, count(*) AS count FROM outbox WHERE refusal IS NULL GROUP BY space').all()
  return new Map(rows.map((row) => [String(row.space), Number(row.count)]))
}

/** Of one space, or of all. */
export function clearOutbox(ledger: Ledger, space: string | null = null): void {
  ledger.sql('DELETE FROM outbox WHERE $space IS NULL OR space = $space').run({ space })
}
