// Events of a session of another machine. Parts may come in any order; one that comes before its turn is kept until those before it
// are there, so that a session reads here as it does where it comes from.
import { receiveEvents, replaceEvents } from '../../capture/receive.ts'
import { isoTime } from '../../core/clock.ts'
import type { Event, SessionDetails } from '../../core/session.ts'
import { readBody } from '../../store/sessions/bodies.ts'
import {
  partsPendingSince,
  type ReceivedPart,
  receivedPart,
  receivedParts,
  saveReceivedPart,
} from '../../store/sync/received-sessions.ts'
import { eventKeysBetween, type SessionToSync, sessionToSync } from '../../store/sync/sent-sessions.ts'
import { type SessionEvents, sessionEvents } from '../documents.ts'
import { hashOfDocument } from '../item-hash.ts'
import type { MergeResult, SyncContext } from '../item-kind.ts'
import type { ItemDocument } from '../protocol.ts'
import { partId } from './session-document.ts'

/** Inside a step. */
export function applyEvents(context: SyncContext, id: string, document: SessionEvents): MergeResult {
  const { ledger, clock } = context
  const { uid, number } = document
  const before = receivedPart(ledger, id)
  const events = eventsOf(document)
  const hash = hashOf(events)
  if (before?.waiting === null && before.hash === hash) return 'same'
  if (number === 0 || before?.waiting === null || isWritten(receivedPart(ledger, partId(uid, 'events', number - 1)))) {
    writePart(context, document)
    writeFollowing(context, uid, number)
  } else {
    const keys = events.map(({ key }) => key)
    saveReceivedPart(ledger, { id, uid, number, keys, hash, waiting: JSON.stringify(document), atMs: clock.nowMs() })
  }
  return 'taken'
}

/** What never came is not waited for longer than this. */
const maxWaitMs = 24 * 3_600_000

/** Parts whose turn never came. Inside a step. */
export function writeOverdueParts(context: SyncContext): void {
  for (const part of partsPendingSince(context.ledger, context.clock.nowMs() - maxWaitMs)) writeWaiting(context, part)
}

/** What has waited for this part. */
function writeFollowing(context: SyncContext, uid: string, number: number): void {
  for (let next = number + 1; ; next++) {
    const part = receivedPart(context.ledger, partId(uid, 'events', next))
    if (!part?.waiting) return
    writeWaiting(context, part)
  }
}

function writeWaiting(context: SyncContext, { waiting }: ReceivedPart): void {
  writePart(context, sessionEvents.parse(JSON.parse(waiting!)))
}

function isWritten(part: ReceivedPart | undefined): boolean {
  return part?.waiting === null
}

function writePart(context: SyncContext, document: SessionEvents): void {
  const { ledger, clock } = context
  const { uid, agent, number } = document
  const id = partId(uid, 'events', number)
  const events = eventsOf(document)
  const keys = events.map(({ key }) => key)
  const before = receivedPart(ledger, id)
  const written = isWritten(before) ? before : undefined
  saveReceivedPart(ledger, { id, uid, number, keys, hash: hashOf(events), waiting: null, atMs: clock.nowMs() })
  const session = sessionToSync(ledger, uid)
  const isLast = !receivedParts(ledger, uid).some((part) => part.number > number && isWritten(part))
  const isGrown = !written || hashOf(events.slice(0, written.keys.length)) === written.hash
  if (isLast && isGrown) return receiveEvents(context, { uid, agent }, events)
  // What was captured here, or let go, is only added to.
  const held =
    session && !session.isCaptured && session.evictedThrough === 0 ? storedEvents(context, session) : undefined
  if (!session || !held) return receiveEvents(context, { uid, agent }, events)
  rewriteInOrder(context, session, { held, fresh: events, gone: written?.keys ?? [] })
}

/** By key; undefined where they cannot be read. */
function storedEvents({ ledger }: SyncContext, { id, events, body }: SessionToSync): Map<string, Event> | undefined {
  if (!body) return new Map()
  const keys = eventKeysBetween(ledger, id, 0, events)
  try {
    return new Map(
      Array.from(readBody(ledger.layout.bodies, body.file, body.bytes), ({ seq, ...event }) => {
        const key = keys.get(seq) ?? ''
        return [key, { ...event, key }]
      }),
    )
  } catch {
    return undefined
  }
}

interface Events {
  held: Map<string, Event>
  fresh: readonly Event[]
  /** Keys of what the part said before. */
  gone: readonly string[]
}

/** The session anew, in the order of its parts: some of it was changed where it comes from, or came too late. */
function rewriteInOrder(context: SyncContext, session: SessionToSync, { held, fresh, gone }: Events): void {
  const { uid, agent, forkedFrom, inherited } = session
  const order = new Set(receivedParts(context.ledger, uid).flatMap((part) => (isWritten(part) ? part.keys : [])))
  const freshByKey = new Map(fresh.map((event) => [event.key, event]))
  const isGone = new Set(gone)
  const rest = [...held.keys()].filter((key) => !order.has(key) && !isGone.has(key))
  const events = [...order, ...rest].flatMap((key) => freshByKey.get(key) ?? held.get(key) ?? [])
  const fork = forkedFrom === null ? null : { from: forkedFrom, inherited }
  replaceEvents(context, { uid, agent }, { about: aboutOf(session), fork }, events)
}

/** What writing anew would forget. */
function aboutOf({ title, titleRank, startedMs, endedMs }: SessionToSync): SessionDetails {
  return {
    ...(title === null ? {} : { title, titleRank }),
    ...(startedMs === null ? {} : { started: isoTime(startedMs) }),
    ...(endedMs === null ? {} : { ended: isoTime(endedMs) }),
  }
}

/** They were read as JSON and have the form of events. */
function eventsOf({ events }: SessionEvents): Event[] {
  return events as unknown as Event[]
}

function hashOf(events: readonly Event[]): string {
  return hashOfDocument({ events } as unknown as ItemDocument)
}
