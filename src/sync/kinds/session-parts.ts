// Splits changed sessions into parts and enqueues the parts that the server does not have. A
// growing session changes its last part and adds new ones; the others are not read again.
import type { Event } from '../../core/session.ts'
import { enqueue, ensureQueued, ownSpace } from '../../store/sync/outbox.ts'
import { deleteReceivedSession, receivedParts, receivedSession } from '../../store/sync/received-sessions.ts'
import {
  type SentPart,
  type SentSession,
  type SessionToSync,
  saveSentPart,
  saveSentSession,
  sentPart,
  sentParts,
  sentSession,
  sessionToSync,
} from '../../store/sync/sent-sessions.ts'
import { serverItem } from '../../store/sync/spaces.ts'
import { deletedHash, hashOfDocument } from '../item-hash.ts'
import type { SyncContext } from '../item-kind.ts'
import { pendingSessions } from '../privacy.ts'
import { eventsDocument, headId, outgoingEvents, partId, usagesDocument, usagesPerPart } from './session-document.ts'

/** Size of a part as JSON; a single event may be larger. */
const maxPartBytes = 200_000
/** Per transaction, so that the ledger is not locked for long. */
const maxPartsPerStep = 20

/** Enqueues some of the changed sessions. Returns whether there were any. */
export function enqueueSessions(context: SyncContext, space: string): boolean {
  if (space !== ownSpace) return false
  const { withdraw, cut } = pendingSessions(context.ledger, context.config, maxPartsPerStep)
  for (const uid of withdraw) withdrawSession(context, uid)
  let room = maxPartsPerStep
  for (const uid of cut) {
    if (room <= 0) break
    room -= splitSession(context, uid, room)
  }
  return withdraw.length + cut.length > 0
}

/** Copies on other machines stay until the user removes them there. */
function withdrawSession({ ledger }: SyncContext, uid: string): void {
  const sent = sentSession(ledger, { uid })!
  saveSentSession(ledger, { ...sent, isWithdrawn: true })
  for (const { id } of sentParts(ledger, uid)) enqueue(ledger, ownSpace, 'session', id)
  enqueue(ledger, ownSpace, 'session', sent.item)
}

/** Returns the number of items made; at least one, for the head. */
function splitSession(context: SyncContext, uid: string, max: number): number {
  const { ledger } = context
  const session = sessionToSync(ledger, uid)!
  const before = sentSession(ledger, { uid })
  const sent: SentSession = { uid, item: headId(uid), events: 0, contentHash: session.contentHash, isWithdrawn: false }
  const isRewritten = before?.contentHash !== session.contentHash && session.evictedThrough === 0
  const isTakenOver = receivedSession(ledger, uid) !== undefined
  // Rewritten sessions and those taken over from another machine have to be split again.
  if (isRewritten || isTakenOver || before?.isWithdrawn)
    for (const part of sentParts(ledger, uid)) saveSentPart(ledger, { ...part, hash: null })
  deleteReceivedSession(ledger, uid)
  const events = splitEvents(context, session, max)
  saveSentSession(ledger, { ...sent, events: events.through })
  enqueue(ledger, ownSpace, 'session', sent.item)
  for (const part of events.parts) enqueuePart(context, part)
  if (events.through < session.events) return events.parts.length + 1
  const usages = splitUsages(context, session)
  for (const part of usages) enqueuePart(context, part)
  deleteSurplusParts(context, session, { events: events.count, usages: usages.length })
  return events.parts.length + usages.length + 1
}

interface EventParts {
  parts: SentPart[]
  /** The number of events in parts, and the number of parts. */
  through: number
  count: number
}

function splitEvents(context: SyncContext, session: SessionToSync, max: number): EventParts {
  const { uid, events, evictedThrough } = session
  const last = sentParts(context.ledger, uid).findLast(({ part, hash }) => part === 'events' && isOnServer(hash))
  // The last part is extended if its events are still in the body.
  const isOpen = last !== undefined && last.first >= evictedThrough
  const split: EventParts = {
    parts: [],
    through: isOpen ? last.first : Math.max(last?.next ?? 0, evictedThrough),
    count: isOpen ? last.number : last ? last.number + 1 : 0,
  }
  let held: Event[] = []
  let bytes = 0
  const close = (next: number) => {
    if (held.length === 0) return
    const hash = hashOfDocument(eventsDocument(session, split.count, held))
    const id = partId(uid, 'events', split.count)
    split.parts.push({ id, uid, part: 'events', number: split.count++, first: split.through, next, hash })
    split.through = next
    held = []
    bytes = 0
  }
  try {
    for (const one of outgoingEvents(context, session, { first: split.through, next: events })) {
      if (bytes + one.bytes > maxPartBytes) close(one.seq)
      if (split.parts.length >= max) return split
      held.push(one.event)
      bytes += one.bytes
    }
  } catch {
    // The body is missing or damaged: send the readable part and do not try the rest again.
  }
  close(events)
  return { ...split, through: events }
}

function isOnServer(hash: string | null): boolean {
  return hash !== null && hash !== deletedHash
}

function splitUsages(context: SyncContext, session: SessionToSync): SentPart[] {
  const parts: SentPart[] = []
  for (let number = 0; ; number++) {
    const document = usagesDocument(context, session, number)
    if (!document) return parts
    const { uid } = session
    const first = number * usagesPerPart
    const hash = hashOfDocument(document)
    const id = partId(uid, 'usages', number)
    parts.push({ id, uid, part: 'usages', number, first, next: first + usagesPerPart, hash })
  }
}

function enqueuePart({ ledger }: SyncContext, part: SentPart): void {
  const before = sentPart(ledger, part.id)
  saveSentPart(ledger, part)
  if (serverItem(ledger, ownSpace, part.id)?.hash === part.hash) return
  if (before?.hash === part.hash) ensureQueued(ledger, ownSpace, 'session', part.id)
  else enqueue(ledger, ownSpace, 'session', part.id)
}

/** Deletes parts, of this or another machine, beyond the end of a session that became shorter. */
function deleteSurplusParts(
  { ledger }: SyncContext,
  { uid }: SessionToSync,
  counts: Record<SentPart['part'], number>,
): void {
  for (const part of sentParts(ledger, uid)) {
    if (part.number < counts[part.part] || part.hash === deletedHash) continue
    saveSentPart(ledger, { ...part, hash: deletedHash })
    enqueue(ledger, ownSpace, 'session', part.id)
  }
  for (const { id, number } of receivedParts(ledger, uid)) {
    if (number < counts.events || sentPart(ledger, id)) continue
    saveSentPart(ledger, { id, uid, part: 'events', number, first: 0, next: 0, hash: deletedHash })
    enqueue(ledger, ownSpace, 'session', id)
  }
}
