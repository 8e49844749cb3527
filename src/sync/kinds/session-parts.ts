// Cutting sessions that have changed into parts, and putting those parts into the outbox that the server does not have. A session
// that grows changes its last part and adds new ones; the others stay as they are and are not even read.
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

/** As JSON. A single event may be larger. */
const maxPartBytes = 200_000
/** In one step, so that nobody waits long for the ledger. */
const partsAtOnce = 20

/** Some of what has changed; whether anything had. Inside a step. */
export function enqueueSessions(context: SyncContext, space: string): boolean {
  if (space !== ownSpace) return false
  const { withdraw, cut } = pendingSessions(context.ledger, context.config, partsAtOnce)
  for (const uid of withdraw) withdrawSession(context, uid)
  let room = partsAtOnce
  for (const uid of cut) {
    if (room <= 0) break
    room -= splitSession(context, uid, room)
  }
  return withdraw.length + cut.length > 0
}

/** Copies on other machines stay until a person removes them there. */
function withdrawSession({ ledger }: SyncContext, uid: string): void {
  const sent = sentSession(ledger, { uid })!
  saveSentSession(ledger, { ...sent, isWithdrawn: true })
  for (const { id } of sentParts(ledger, uid)) enqueue(ledger, ownSpace, 'session', id)
  enqueue(ledger, ownSpace, 'session', sent.item)
}

/** Gives back how many parts were made; at least one, for the session itself. */
function splitSession(context: SyncContext, uid: string, max: number): number {
  const { ledger } = context
  const session = sessionToSync(ledger, uid)!
  const before = sentSession(ledger, { uid })
  const sent: SentSession = { uid, item: headId(uid), events: 0, contentHash: session.contentHash, isWithdrawn: false }
  const isRewritten = before?.contentHash !== session.contentHash && session.evictedThrough === 0
  const isTakenOver = receivedSession(ledger, uid) !== undefined
  // Of a document that was written anew, and of what another machine has cut, nothing is known before it was cut again.
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
  /** How many events are in parts now, and how many parts there are. */
  through: number
  count: number
}

function splitEvents(context: SyncContext, session: SessionToSync, max: number): EventParts {
  const { uid, events, evictedThrough } = session
  const last = sentParts(context.ledger, uid).findLast(({ part, hash }) => part === 'events' && isOnServer(hash))
  // The last part goes on, if its text is still here.
  const isOpen = last !== undefined && last.first >= evictedThrough
  const cut: EventParts = {
    parts: [],
    through: isOpen ? last.first : Math.max(last?.next ?? 0, evictedThrough),
    count: isOpen ? last.number : last ? last.number + 1 : 0,
  }
  let held: Event[] = []
  let bytes = 0
  const close = (next: number) => {
    if (held.length === 0) return
    const hash = hashOfDocument(eventsDocument(session, cut.count, held))
    const id = partId(uid, 'events', cut.count)
    cut.parts.push({ id, uid, part: 'events', number: cut.count++, first: cut.through, next, hash })
    cut.through = next
    held = []
    bytes = 0
  }
  try {
    for (const one of outgoingEvents(context, session, { first: cut.through, next: events })) {
      if (bytes + one.bytes > maxPartBytes) close(one.seq)
      if (cut.parts.length >= max) return cut
      held.push(one.event)
      bytes += one.bytes
    }
  } catch {
    // A body that is missing or damaged: what could be read of it is sent, and the rest is not asked for again.
  }
  close(events)
  return { ...cut, through: events }
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

/** Parts that were sent, from here or from another machine, and that the session is too short for now. */
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
