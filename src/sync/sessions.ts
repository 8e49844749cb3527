// How sessions travel: those of projects that a person has named, through one's own space, from the machine that captured them.
import { ownSpace } from '../store/sync/outbox.ts'
import { receivedSession } from '../store/sync/received-sessions.ts'
import {
  resetSentSessions,
  type SentPart,
  type SentSession,
  type SessionToSync,
  sentIds,
  sentPart,
  sentSession,
  sessionToSync,
} from '../store/sync/sent-sessions.ts'
import { serverItem } from '../store/sync/sync-items.ts'
import { queueSessions } from './cut-session.ts'
import { deletedHash, hashOfDocument } from './identity.ts'
import { writeOverdue } from './receive-events.ts'
import { meetSession } from './receive-session.ts'
import { isChosen } from './session-choice.ts'
import { eventsDocument, headOf, travellingEvents, usagesDocument } from './session-document.ts'
import type { TravelContext, Traveller, Wanted } from './traveller.ts'

export const sessionTraveller: Traveller = {
  kind: 'session',
  *ids({ ledger }, space) {
    if (space !== ownSpace) return
    resetSentSessions(ledger, space)
    for (let after = ''; ; ) {
      const page = sentIds(ledger, after, 500)
      if (page.length === 0) return
      yield* page
      after = page.at(-1)!
    }
  },
  wanted,
  statementOf: hashOfDocument,
  meet: meetSession,
  queueChanged(context, space) {
    if (space === ownSpace) writeOverdue(context)
    return queueSessions(context, space)
  },
}

const theirs: Wanted = { kind: 'theirs' }

function wanted(context: TravelContext, space: string, id: string): Wanted {
  const { ledger, config } = context
  const part = sentPart(ledger, id)
  const sent = sentSession(ledger, part ? { uid: part.uid } : { item: id })
  if (space !== ownSpace || !sent) return theirs
  const session = sessionToSync(ledger, sent.uid)
  if (!isOurs(context, sent, session)) return theirs
  if (!session || sent.isWithdrawn || !isChosen(config, session.project)) return { kind: 'nothing' }
  return part ? wantedPart(context, session, part) : wantedHead(context, session)
}

/** Another machine has sent at least as much of it: then it is left to that one. */
function isOurs({ ledger }: TravelContext, { uid }: SentSession, session: SessionToSync | undefined): boolean {
  const received = receivedSession(ledger, uid)
  return received === undefined || (session?.isCaptured === true && session.events > received.events)
}

/** What has aged out here stays on the server as it is. */
function wantedHead(context: TravelContext, session: SessionToSync): Wanted {
  const isAgedOut = session.body === null && session.events > 0
  return isAgedOut ? theirs : { kind: 'document', document: headOf(context, session) }
}

function wantedPart(context: TravelContext, session: SessionToSync, part: SentPart): Wanted {
  const { id, hash, first, number } = part
  if (hash === null) return theirs
  if (hash === deletedHash) return { kind: 'nothing' }
  // Known to be there: its text need not be read to find that out.
  if (serverItem(context.ledger, ownSpace, id)?.hash === hash) return theirs
  if (part.part === 'usages') {
    const document = usagesDocument(context, session, number)
    return document ? { kind: 'document', document } : theirs
  }
  if (!session.body || first < session.evictedThrough) return theirs
  try {
    const events = Array.from(travellingEvents(context, session, part), ({ event }) => event)
    return events.length > 0 ? { kind: 'document', document: eventsDocument(session, number, events) } : theirs
  } catch {
    // The body is missing or damaged, and `doctor` says so.
    return theirs
  }
}
