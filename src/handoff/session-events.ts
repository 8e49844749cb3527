// Reads all events of a session, including those of the sessions that it continues: a fork and a
// session that was handed over store only what is new.
import type { Ledger } from '../store/ledger.ts'
import { bodyState, readableEvents, type StoredEvent } from '../store/sessions/bodies.ts'
import { handoffOf, inheritedPlaces } from '../store/sessions/handoffs.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'

/** An event with the session that stores it. */
export interface SourcedEvent extends StoredEvent {
  session: string
}

/** A chain of hand-overs longer than this is a mistake in the data. */
const maxDepth = 20

export function* sessionEvents(ledger: Ledger, session: string, depth = maxDepth): Generator<SourcedEvent> {
  const handoff = handoffOf(ledger, session)
  if (handoff && depth > 0) {
    for (const event of sessionEvents(ledger, handoff.origin, depth - 1)) {
      const isLater = event.seq >= handoff.throughSeq || (event.ts !== null && event.ts > handoff.at)
      if (event.session === handoff.origin && isLater) break
      yield event
    }
  } else yield* inheritedEvents(ledger, session)
  yield* ownEvents(ledger, session)
}

function* inheritedEvents(ledger: Ledger, session: string): Generator<SourcedEvent> {
  for (const [owner, places] of Map.groupBy(inheritedPlaces(ledger, session), (place) => place.session)) {
    const wanted = new Set(places.map(({ seq }) => seq))
    for (const event of ownEvents(ledger, owner)) if (wanted.has(event.seq)) yield event
  }
}

/** Empty if the text was deleted to save space; damaged parts are left out. */
function* ownEvents(ledger: Ledger, session: string): Generator<SourcedEvent> {
  const body = bodyOfSession(ledger, session)
  if (!body || bodyState(ledger.layout.bodies, body.file, body.bytes) === 'missing') return
  for (const { key: _, ...event } of readableEvents(ledger.layout.bodies, body.file, body.bytes))
    yield { ...event, session }
}
