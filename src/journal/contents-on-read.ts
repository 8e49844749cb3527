// Reads the contents of new sessions while another stage reads their text, so that the journal does not
// read it again. The journal reads everything else itself.
import type { SessionBody, StoredEvent } from '../store/sessions/bodies.ts'
import { sessionsToJournal } from '../store/wiki/journal.ts'
import type { JournalContext } from './context.ts'
import { partsToWrite } from './parts.ts'
import { contentsKey, readContents, type SegmentContents } from './segment-contents.ts'
import { dayFinder } from './segments.ts'

/** Characters of contents that are kept; later sessions are read by the journal. */
const maxKept = 32_000_000

/** Returns a function that takes all events of a session. */
export function contentsOnRead(
  context: JournalContext,
): (session: { id: number; body: SessionBody }, events: readonly StoredEvent[]) => void {
  const { ledger, zone } = context
  const read = new Map<string, SegmentContents>()
  context.readBefore = read
  const due = new Map(sessionsToJournal(ledger).map((session) => [session.id, session]))
  const dayAt = dayFinder(zone)
  let kept = 0
  return ({ id, body }, events) => {
    const session = due.get(id)
    if (!session || kept > maxKept) return
    for (const { segment } of partsToWrite(ledger, session, dayAt)) {
      const from = segment.fromSeq === 0 ? events : events.slice(segment.fromSeq)
      // A copy, because a part of a text keeps the whole of it in memory.
      const json = JSON.stringify(readContents(session.agent, segment, from))
      kept += json.length
      read.set(contentsKey(body, segment), JSON.parse(json) as SegmentContents)
    }
  }
}
