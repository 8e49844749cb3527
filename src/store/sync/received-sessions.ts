// What other machines have sent of their sessions, and how far it has been written here.
import type { Ledger } from '../ledger.ts'

/** What the head of a session says that is on the server. */
export interface ReceivedSession {
  uid: string
  /** The id of its head there. */
  item: string
  /** The name of the machine, and what tells it from another of the same name. */
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

/** Its machine has taken it back: where it came from is still known. */
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
  /** As `hashKey` gives them. */
  keys: string[]
  /** Of what its events say. */
  hash: string
  /** The part itself, as JSON, while one before it has not come. */
  waiting: string | null
  atMs: number
}

export function receivedPart(ledger: Ledger, id: string): ReceivedPart | undefined {
  const row = ledger.sql('SELECT * FROM received_parts WHERE id = ?').get(id)
  return row && partOf(row)
}

/** In their order. */
export function receivedParts(ledger: Ledger, uid: string): ReceivedPart[] {
  return ledger.sql('SELECT * FROM received_parts WHERE uid = ? ORDER BY number').all(uid).map(partOf)
}

/** Parts that have waited since before a moment. */
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

/** Twelve bytes are sixteen characters, with nothing left over. */
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

/** Its memories travel by themselves: nobody learns from it here, and nobody counts what it was shown elsewhere. */
export function skipLearning(ledger: Ledger, session: number, before: { events: number }): void {
  ledger
    .sql(
      `UPDATE sessions SET
         learned_through = CASE WHEN source IS NULL OR learned_through = $before THEN events ELSE learned_through END,
         counted_through = CASE WHEN source IS NULL OR counted_through = $before THEN events ELSE counted_through END
       WHERE id = $session`,
    )
    .run({ session, before: before.events })
}

/** The session that it begins with the events of is another one: they are counted there. */
export function saveFork(ledger: Ledger, session: number, fork: { from: string; inherited: number }): void {
  ledger
    .sql(
      'UPDATE sessions SET forked_from = coalesce(forked_from, $from), inherited = max(inherited, $inherited) WHERE id = $session',
    )
    .run({ session, ...fork })
}
