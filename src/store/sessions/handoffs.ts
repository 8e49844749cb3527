// Sessions that were handed over to another agent. The transcript that was written contains events
// of the original session, under keys of the other agent: they are registered before it is written,
// so that capture never takes them for new work.
import type { Ledger } from '../ledger.ts'
import { maxEventSeq, seqSpan } from './events.ts'

export interface Handoff {
  /** The session that the other agent continues. */
  session: string
  /** The session that was handed over, and the place behind its last event at that time. */
  origin: string
  throughSeq: number
  path: string
  /** Nothing of the original session is later. */
  at: string
}

/** `keys` come from `hashKey`; `writer` is the process that writes the transcript next. */
export function registerHandoff(ledger: Ledger, handoff: Handoff, keys: Iterable<string>, writer: number): void {
  ledger.transaction(() => {
    ledger
      .sql('INSERT INTO handoffs (uid, origin, through, path, at, writer) VALUES (?, ?, ?, ?, ?, ?)')
      .run(handoff.session, handoff.origin, handoff.throughSeq, handoff.path, handoff.at, writer)
    for (const key of keys)
      ledger
        .sql('INSERT OR IGNORE INTO handed_over (key, uid) VALUES (?, ?)')
        .run(Buffer.from(key, 'base64'), handoff.session)
  })
}

export function markHandoffWritten(ledger: Ledger, session: string): void {
  ledger.sql('UPDATE handoffs SET writer = NULL WHERE uid = ?').run(session)
}

/** Those whose writer has not reported the end: it is still writing, or was killed. */
export function unfinishedHandoffs(ledger: Ledger): { session: string; path: string; writer: number }[] {
  return ledger
    .sql('SELECT uid, path, writer FROM handoffs WHERE writer IS NOT NULL')
    .all()
    .map((row) => ({ session: String(row.uid), path: String(row.path), writer: Number(row.writer) }))
}

export function deleteHandoff(ledger: Ledger, session: string): void {
  ledger.transaction(() => {
    ledger.sql('DELETE FROM handed_over WHERE uid = ?').run(session)
    ledger.sql('DELETE FROM handoffs WHERE uid = ?').run(session)
  })
}

/** Undefined for a session that began with its own agent. */
export function handoffOf(ledger: Ledger, session: string): Handoff | undefined {
  const row = ledger.sql('SELECT * FROM handoffs WHERE uid = ?').get(session)
  if (!row) return undefined
  const { origin, through, path, at } = row
  return { session, origin: String(origin), throughSeq: Number(through), path: String(path), at: String(at) }
}

/**
 * Saves a hand-over that this ledger has not made: it was replaced since, or the transcript comes from
 * another machine. Not if the original session is unknown, because then the copy is all there is.
 */
export function saveFoundHandoff(ledger: Ledger, handoff: Omit<Handoff, 'throughSeq'>): void {
  ledger
    .sql(
      `INSERT OR IGNORE INTO handoffs (uid, origin, through, path, at, is_found)
       SELECT $session, uid, ${maxEventSeq}, $path, $at, 1 FROM sessions WHERE uid = $origin AND uid <> $session`,
    )
    .run({ ...handoff })
}

/** Of these events of a session those that were handed over, with the session that they come from. */
export function handedOverEvents(
  ledger: Ledger,
  session: string,
  events: readonly { key: string; ts: string | null }[],
): Map<string, string> {
  const found = new Map<string, string>()
  if (!ledger.sql('SELECT 1 FROM handoffs LIMIT 1').get()) return found
  const copied = ledger.sql('SELECT origin, at FROM handoffs WHERE uid = ? AND is_found').get(session)
  for (const { key, ts } of events) {
    const row = ledger
      .sql('SELECT h.origin FROM handed_over k JOIN handoffs h ON h.uid = k.uid WHERE k.key = ?')
      .get(Buffer.from(key, 'base64'))
    if (row) found.set(key, String(row.origin))
    else if (copied && ts !== null && ts <= String(copied.at)) found.set(key, String(copied.origin))
  }
  return found
}

/** Places of the events that a fork repeats, in order; the text is in the bodies of their sessions. */
export function inheritedPlaces(ledger: Ledger, session: string): { session: string; seq: number }[] {
  return ledger
    .sql(
      `SELECT o.uid, e.id % ${seqSpan} AS seq FROM sessions s JOIN inherited i ON i.session = s.id
       JOIN events e ON e.key = i.key JOIN sessions o ON o.id = e.id / ${seqSpan} WHERE s.uid = ? ORDER BY e.id`,
    )
    .all(session)
    .map((row) => ({ session: String(row.uid), seq: Number(row.seq) }))
}
