// Applies events of sessions from other machines. Parts may arrive in any order; a part that
// arrives early is stored until the parts before it are there, so that the session keeps its order.
import { importEvents, replaceImportedEvents } from '../../capture/import-remote.ts'
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

export function applyEvents(context: SyncContext, id: string, document: SessionEvents): MergeResult {
  const { ledger, clock } = context
  const { uid, number } = document
  const before = receivedPart(ledger, id)
  const events = eventsOf(document)
  const hash = hashOf(events)
  if (before?.waiting === null && before.hash === hash) return 'unchanged'
  if (number === 0 || before?.waiting === null || isWritten(receivedPart(ledger, partId(uid, 'events', number - 1)))) {
    writePart(context, document)
    writeFollowing(context, uid, number)
  } else {
    const keys = events.map(({ key }) => key)
    saveReceivedPart(ledger, { id, uid, number, keys, hash, waiting: JSON.stringify(document), atMs: clock.nowMs() })
  }
  return 'applied'
}

/** A part waits at most this long for the parts before it. */
const maxWaitMs = 24 * 3_600_000

/** Writes parts whose predecessors never arrived. */
export function writeOverdueParts(context: SyncContext): void {
  for (const part of partsPendingSince(context.ledger, context.clock.nowMs() - maxWaitMs)) writeWaiting(context, part)
}

/** Writes the parts that were waiting for this one. */
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
  if (isLast && isGrown) return importEvents(context, { uid, agent }, events)
  // Sessions captured here, or with evicted events, are only appended to.
  const stored =
    session && !session.isCaptured && session.evictedThrough === 0 ? storedEvents(context, session) : undefined
  if (!session || !stored) return importEvents(context, { uid, agent }, events)
  rewriteInOrder(context, session, { stored, fresh: events, gone: written?.keys ?? [] })
}

/** Events by key; undefined if the body cannot be read. */
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

interface EventChanges {
  stored: Map<string, Event>
  fresh: readonly Event[]
  /** Keys of the events that the part had before. */
  gone: readonly string[]
}

/** Rewrites the session in the order of its parts after an earlier part changed or arrived late. */
function rewriteInOrder(context: SyncContext, session: SessionToSync, { stored, fresh, gone }: EventChanges): void {
  const { uid, agent, forkedFrom, inherited } = session
  const order = new Set(receivedParts(context.ledger, uid).flatMap((part) => (isWritten(part) ? part.keys : [])))
  const freshByKey = new Map(fresh.map((event) => [event.key, event]))
  const isGone = new Set(gone)
  const rest = [...stored.keys()].filter((key) => !order.has(key) && !isGone.has(key))
  const events = [...order, ...rest].flatMap((key) => freshByKey.get(key) ?? stored.get(key) ?? [])
  const fork = forkedFrom === null ? null : { from: forkedFrom, inherited }
  replaceImportedEvents(context, { uid, agent }, { about: aboutOf(session), fork }, events)
}

/** The description that a rewrite would lose. */
function aboutOf({ title, titleRank, startedMs, endedMs }: SessionToSync): SessionDetails {
  return {
    ...(title === null ? {} : { title, titleRank }),
    ...(startedMs === null ? {} : { started: isoTime(startedMs) }),
    ...(endedMs === null ? {} : { ended: isoTime(endedMs) }),
  }
}

/** The schema has checked them; its type is only looser. */
function eventsOf({ events }: SessionEvents): Event[] {
  return events as unknown as Event[]
}

function hashOf(events: readonly Event[]): string {
  return hashOfDocument({ events } as unknown as ItemDocument)
}
