// The parts of sessions that the journal has to write.
import type { Ledger } from '../store/ledger.ts'
import type { JournalSession } from '../store/wiki/journal.ts'
import { type DayFinder, type DaySegment, segmentsOf, segmentsToWrite } from './segments.ts'

export interface SessionPart {
  session: JournalSession
  segment: DaySegment
}

/**
 * The days of a session that are to be written; one that was only opened has none, unless it cost
 * something. A subagent is told of in the entry of its session, if that is known.
 */
export function partsToWrite(ledger: Ledger, session: JournalSession, dayAt: DayFinder): SessionPart[] {
  if (session.lineage === 'subagent' && !session.isOrphan) return []
  const segments = segmentsOf(ledger, session, dayAt).filter(
    ({ spend }) => spend.responses > 0 || session.kind !== 'empty' || session.prompts > 0,
  )
  return segmentsToWrite(segments, session.journaledThrough).map((segment) => ({ session, segment }))
}
