// Rows of events (place, kind, time, key) and event summaries. The same key again, from any file or
// session, is the same event.
import { hash } from 'node:crypto'
import { gitReports } from '../../core/git-output.ts'
import { type Event, type EventKind, eventKinds, type Json } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { isOkResult } from '../search/indexed-text.ts'

/** A row id encodes session and place, so that one number leads from a search hit to the text. */
export const seqSpan = 2 ** 24

/** Largest place of an event; the place after it stands for the digest in the index. */
export const maxEventSeq = seqSpan - 2

export function eventRowId(session: number, seq: number): number {
  return session * seqSpan + seq
}

export function parseEventRowId(rowId: number): { session: number; seq: number } {
  return { session: Math.floor(rowId / seqSpan), seq: rowId % seqSpan }
}

export type EventInsertion = { kind: 'new' } | { kind: 'known'; session: number }

/** `key` comes from `hashKey`. */
export function insertEvent(
  ledger: Ledger,
  session: number,
  seq: number,
  event: EventSummary,
  key: string,
): EventInsertion {
  const bytes = Buffer.from(key, 'base64')
  const ts = event.ts === null ? null : Date.parse(event.ts)
  const { changes } = ledger
    .sql('INSERT INTO events (id, kind, ts, key) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO NOTHING')
    .run(eventRowId(session, seq), eventKinds.indexOf(event.kind), ts, bytes)
  if (changes === 1) return { kind: 'new' }
  return { kind: 'known', session: placeOfEvent(ledger, key)!.session }
}

export function placeOfEvent(ledger: Ledger, key: string): { session: number; seq: number } | undefined {
  const row = ledger.sql('SELECT id FROM events WHERE key = ?').get(Buffer.from(key, 'base64'))
  return row && parseEventRowId(Number(row.id))
}

export function hasEventKey(ledger: Ledger, key: string): boolean {
  return ledger.sql('SELECT 1 FROM events WHERE key = ?').get(Buffer.from(key, 'base64')) !== undefined
}

/** Twelve bytes in base64: enough for a billion events without a collision. */
export function hashKey(agent: string, key: string): string {
  return hash('sha1', `${agent}\n${key}`, 'base64').slice(0, 16)
}

/**
 * Kind of the last event of a session that a user, agent or tool caused; context and lifecycle
 * events do not count.
 */
export function lastMessageKind(ledger: Ledger, uid: string): EventKind | undefined {
  const words: EventKind[] = ['prompt', 'command', 'shell', 'reply', 'tool_call', 'tool_result', 'error', 'interrupt']
  const row = ledger
    .sql(
      `SELECT e.kind FROM sessions s JOIN events e ON e.id BETWEEN s.id * ${seqSpan} AND (s.id + 1) * ${seqSpan} - 1
       WHERE s.uid = ? AND e.kind IN (${words.map((kind) => eventKinds.indexOf(kind)).join(', ')})
       ORDER BY e.id DESC LIMIT 1`,
    )
    .get(uid)
  return row ? eventKinds[Number(row.kind)] : undefined
}

export interface EventPlace {
  seq: number
  kind: EventKind
  tsMs: number | null
}

/** Kinds and times of the events of a session, without their text, which is in the body. */
export function* eventPlaces(
  ledger: Ledger,
  session: number,
  { fromSeq = 0, kinds = eventKinds }: { fromSeq?: number; kinds?: readonly EventKind[] } = {},
): Generator<EventPlace> {
  const rows = ledger
    .sql(
      `SELECT id, kind, ts FROM events WHERE id BETWEEN ? AND ?
         AND kind IN (${kinds.map((kind) => eventKinds.indexOf(kind)).join(', ')}) ORDER BY id`,
    )
    .iterate(eventRowId(session, fromSeq), eventRowId(session, maxEventSeq))
  for (const { id, kind, ts } of rows)
    yield {
      seq: parseEventRowId(Number(id)).seq,
      kind: eventKinds[Number(kind)]!,
      tsMs: ts === null ? null : Number(ts),
    }
}

/** The kind of each event; undefined where the ledger does not know it. */
export function eventKindsAt(
  ledger: Ledger,
  places: readonly { session: number; seq: number }[],
): (EventKind | undefined)[] {
  const ids = places.map(({ session, seq }) => eventRowId(session, seq))
  const rows = ledger
    .sql('SELECT id, kind FROM events WHERE id IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(ids))
  const kinds = new Map(rows.map(({ id, kind }) => [Number(id), eventKinds[Number(kind)]]))
  return ids.map((id) => kinds.get(id))
}

/** Place of the last prompt before `seq`, skipping `back` prompts; 0 when there is none. */
export function promptSeqBefore(ledger: Ledger, session: number, seq: number, back = 0): number {
  return seqBefore(ledger, session, seq, 'prompt', back) ?? 0
}

export function replySeqBefore(ledger: Ledger, session: number, seq: number): number | undefined {
  return seqBefore(ledger, session, seq, 'reply', 0)
}

/**
 * Number of messages of the user and the assistant from `seq` on, as a model counts them: results of
 * tools are messages of the user.
 */
export function countMessagesSince(ledger: Ledger, session: number, seq: number): number {
  const kinds: EventKind[] = ['prompt', 'command', 'shell', 'reply', 'thinking', 'tool_call', 'tool_result', 'test_run']
  const row = ledger
    .sql(
      `SELECT count(*) AS messages FROM events WHERE id >= ? AND id < ?
         AND kind IN (${kinds.map((kind) => eventKinds.indexOf(kind)).join(', ')})`,
    )
    .get(eventRowId(session, seq), eventRowId(session + 1, 0))!
  return Number(row.messages)
}

function seqBefore(
  ledger: Ledger,
  session: number,
  seq: number,
  kind: 'prompt' | 'reply',
  back: number,
): number | undefined {
  const row = ledger
    .sql('SELECT id FROM events WHERE id >= ? AND id < ? AND kind = ? ORDER BY id DESC LIMIT 1 OFFSET ?')
    .get(eventRowId(session, 0), eventRowId(session, seq), eventKinds.indexOf(kind), back)
  return row ? parseEventRowId(Number(row.id)).seq : undefined
}

export function deleteEvents(ledger: Ledger, session: number): void {
  ledger.sql('DELETE FROM events WHERE id BETWEEN ? AND ?').run(...rangeOf(session, seqSpan - 1))
}

function rangeOf(session: number, throughSeq: number): [number, number] {
  return [eventRowId(session, 0), eventRowId(session, throughSeq)]
}

/** Records that a session repeats an event of another one. Returns false if that is known. */
export function saveInherited(ledger: Ledger, session: number, key: string): boolean {
  const { changes } = ledger
    .sql('INSERT INTO inherited (session, key) VALUES (?, ?) ON CONFLICT DO NOTHING')
    .run(session, Buffer.from(key, 'base64'))
  return changes === 1
}

/**
 * An event without its bulk, for search and digest. Successful output, thinking and file contents
 * are nine tenths of a transcript; they are only needed when a session is read.
 */
export type EventSummary = Omit<Event, 'key'>

export function summariseEvent({ key: _, ...event }: Event | (EventSummary & { key?: string })): EventSummary {
  const text = isOkResult(event) ? gitReports(event.text) : event.text.slice(0, maxTextLength(event))
  return event.input === undefined ? { ...event, text } : { ...event, text, input: summariseInput(event.input) }
}

function maxTextLength({ kind }: EventSummary): number {
  switch (kind) {
    case 'prompt':
    case 'command':
    case 'shell':
    case 'reply':
      return 20_000
    case 'tool_result':
    case 'test_run':
      return 8000
    case 'thinking':
      return 0
    default:
      return 2000
  }
}

/** Longer argument strings are file contents. */
const maxArgumentLength = 2000

function summariseInput(input: Json): Json {
  if (typeof input === 'string') return input.slice(0, maxArgumentLength)
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const light: [string, Json][] = []
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'string') light.push([name, value.slice(0, maxArgumentLength)])
    else if (typeof value === 'number' || typeof value === 'boolean') light.push([name, value])
    else if (Array.isArray(value) && value.length < 50 && value.every((item) => typeof item === 'string'))
      light.push([name, value])
  }
  return Object.fromEntries(light)
}
