// Sessions received from other machines, and which of their parts have been written here.
import type { Ledger } from '../ledger.ts'

/** Head of a session on the server. */
export interface ReceivedSession {
  uid: string
  /** Item id of its head. */
  item: string
  /** Name of the machine, and an id that distinguishes machines of the same name. */
  origin: string
  machine: string
  events: number
}

export function receivedSession(ledger: Ledger, uid: string): ReceivedSession | undefined {
  return ledger.sql('SELECT * FROM received_sessions WHERE uid = ?').get(uid) as ReceivedSession | undefined
}

export function saveReceivedSession(ledger: Ledger, { uid, item, origin, machine, events }: ReceivedSession): void {
  ledger
    .sql('INSERT OR REPLACE INTO received_sessions (uid, item, origin, machine, events) VALUES (?, ?, ?, ?, ?)')
    .run(uid, item, origin, machine, events)
}

/** Marks a session as withdrawn by its machine; its origin stays known. */
export function markWithdrawn(ledger: Ledger, item: string): void {
  ledger.sql('UPDATE received_sessions SET events = 0 WHERE item = ?').run(item)
}

export function deleteReceivedSession(ledger: Ledger, uid: string): void {
  ledger.sql('DELETE FROM received_sessions WHERE uid = ?').run(uid)
}

export interface ReceivedPart {
  id: string
  uid: string
  number: number
  /** Keys from `hashKey`. */
  keys: string[]
  /** Hash of the content of its events. */
  hash: string
  /** The part as JSON while an earlier part is missing. */
  waiting: string | null
  atMs: number
}

export function receivedPart(ledger: Ledger, id: string): ReceivedPart | undefined {
  const row = ledger.sql('SELECT * FROM received_parts WHERE id = ?').get(id)
  return row && partOf(row)
}

/** Ordered by number. */
export function receivedParts(ledger: Ledger, uid: string): ReceivedPart[] {
  return ledger.sql('SELECT * FROM received_parts WHERE uid = ? ORDER BY number').all(uid).map(partOf)
}

/** Parts that have been waiting for an earlier part since before a time. */
export function partsPendingSince(ledger: Ledger, ms: number): ReceivedPart[] {
  return ledger
    .sql('SELECT * FROM received_parts WHERE waiting IS NOT NULL AND at < ? ORDER BY uid, number')
    .all(ms)
    .map(partOf)
}

export function saveReceivedPart(ledger: Ledger, { id, uid, number, keys, hash, waiting, atMs }: ReceivedPart): void {
  ledger
    .sql(
      'INSERT OR REPLACE INTO received_parts (id, uid, number, keys, hash, waiting, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    .run(id, uid, number, Buffer.from(keys.join(''), 'base64'), hash, waiting, atMs)
}

/** Twelve bytes are sixteen characters of base64, without padding. */
const keyLength = 16

function partOf(row: Record<string, unknown>): ReceivedPart {
  const keys = Buffer.from(row.keys as Uint8Array).toString('base64')
  return {
    id: String(row.id),
    uid: String(row.uid),
    number: Number(row.number),
    keys: Array.from({ length: keys.length / keyLength }, (_, at) => keys.slice(at * keyLength, (at + 1) * keyLength)),
    hash: String(row.hash),
    waiting: row.waiting as string | null,
    atMs: Number(row.at),
  }
}

/**
 * Marks received events as learned and counted: memories are synced separately, and the other
 * machine counts their use.
 */
export function skipLearning(ledger: Ledger, session: number, before: { events: number }): void {
  ledger
    .sql(
      `UPDATE sessions SET
         learned_through = CASE WHEN source IS NULL OR learned_through = $before THEN events ELSE learned_through END,
         judged_through = CASE WHEN source IS NULL OR judged_through = $before THEN events ELSE judged_through END,
         counted_through = CASE WHEN source IS NULL OR counted_through = $before THEN events ELSE counted_through END
       WHERE id = $session`,
    )
    .run({ session, before: before.events })
}

/** Records the session that it was forked from; shared events are counted there. */
export function saveFork(ledger: Ledger, session: number, fork: { from: string; inherited: number }): void {
  ledger
    .sql(
      'UPDATE sessions SET forked_from = coalesce(forked_from, $from), inherited = max(inherited, $inherited) WHERE id = $session',
    )
    .run({ session, ...fork })
}
