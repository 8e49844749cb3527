// Adds the lines of a transcript to the body of its session, from which `recollect restore` writes
// the transcript again.
import { repeatsDeleted } from '../../store/deletion/deletions.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  appendBody,
  appendCopies,
  bodyState,
  isFragmented,
  readableEvents,
  repackBody,
} from '../../store/sessions/bodies.ts'
import { encodeLines, isFirst, linesOf } from '../../store/sessions/body-copies.ts'
import { type BodyCopy, eventsOf, type PackedEvent } from '../../store/sessions/body-frames.ts'
import { type EventString, eventString, moveReferences } from '../../store/sessions/copy-text.ts'
import { placeOfEvent } from '../../store/sessions/events.ts'
import { scheduleBodyDeletion } from '../../store/sessions/evictions.ts'
import { bodyHeaderOf, bodyOfSession, saveBodyFile } from '../../store/sessions/session-bodies.ts'
import { type OpenSession, openSession } from '../../store/sessions/sessions.ts'
import { sessionsReadFrom } from '../../store/sessions/transcripts.ts'
import { newBody, repacked } from '../body-files.ts'
import type { SessionWrite } from '../prepare.ts'
import type { PreparedCopy } from './copy-lines.ts'

export interface CopyPlace {
  write: SessionWrite
  /** Place of the first event of the write, if all of them were new. */
  firstSeq: number | undefined
}

/** To be called inside a transaction, after the events were written. */
export function writeCopy(ledger: Ledger, session: OpenSession, copy: PreparedCopy, place: CopyPlace): void {
  const { frames } = copy
  if (frames.length === 0) return
  const base = place.write.events.length === 0 ? 0 : place.firstSeq
  // Read again: lines must not bring back texts that were deleted to save space.
  if (session.evictedThrough > 0 && base === undefined) return
  const keys = place.write.events.map(({ key }) => key)
  if (base === undefined && repeatsDeleted(ledger, session.id, keys)) return
  appendToBody(
    ledger,
    session,
    base === undefined
      ? placedAgain(ledger, session, frames, place.write)
      : frames.map((frame) => ({ ...frame, base })),
  )
}

/** Removes all lines from the body of a session: those of a deleted session are among them. */
export function removeCopies(ledger: Ledger, { id, uid }: { id: number; uid: string }): void {
  const body = bodyOfSession(ledger, uid)
  if (!body) return
  const options = { header: bodyHeaderOf(ledger, id), isTolerant: true, isWithoutCopies: true }
  const packed = repackBody(ledger.layout.bodies, body, newBody(ledger, { uid, body }), options)
  saveBodyFile(ledger, id, packed.bytes === 0 ? null : packed)
  scheduleBodyDeletion(ledger, body.file)
}

/** Lines in which no session is named belong to the session that was read from the transcript. */
export function writeUnnamedCopy(ledger: Ledger, agent: string, copy: PreparedCopy): void {
  const [uid] = sessionsReadFrom(ledger, copy.path)
  if (uid === undefined || copy.frames.length === 0) return
  appendToBody(ledger, openSession(ledger, uid, agent, ''), copy.frames)
}

function appendToBody(ledger: Ledger, session: OpenSession, copies: readonly BodyCopy[]): void {
  const { bodies } = ledger.layout
  const header = bodyHeaderOf(ledger, session.id)
  // The text was deleted to save space: lines alone must not bring a body back.
  if (session.evictedThrough > 0 && session.body === null) return
  if (session.body && bodyState(bodies, session.body.file, session.body.bytes) !== 'whole') return
  const start = session.body ?? appendBody(bodies, newBody(ledger, session), [], 0, header)
  const body = appendCopies(bodies, start, copies)
  // A transcript that was read again from its start replaces what was kept of it.
  const isReread = start.copyBytes > 0 && copies.some(isFirst)
  const kept =
    isReread || isFragmented(body) ? repacked(bodies, body, newBody(ledger, { ...session, body }), header) : body
  saveBodyFile(ledger, session.id, kept)
  if (session.body && session.body.file !== kept.file) scheduleBodyDeletion(ledger, session.body.file)
}

/**
 * Some events were known: the lines refer to where they are in this session, and hold the strings
 * of those that are elsewhere or differ.
 */
function placedAgain(
  ledger: Ledger,
  session: OpenSession,
  frames: readonly BodyCopy[],
  { events, frames: packed }: SessionWrite,
): BodyCopy[] {
  const given = [...eventsOf(packed)]
  const seqs = events.map(({ key }) => {
    const place = placeOfEvent(ledger, key)
    return place?.session === session.id ? place.seq : undefined
  })
  const stored = storedEvents(ledger, session, seqs)
  const place = (index: number, string: EventString): number | string => {
    const wanted = eventString(given[index], string) ?? ''
    const seq = seqs[index]
    const isSame = seq !== undefined && eventString(stored.get(seq), string) === wanted
    return isSame ? seq : wanted
  }
  return frames.map((frame) => {
    const { text, base, ...head } = linesOf(frame)
    return encodeLines(head, [moveReferences(text, { from: base, to: 0 }, place).text])
  })
}

function storedEvents(
  ledger: Ledger,
  { body }: OpenSession,
  seqs: readonly (number | undefined)[],
): Map<number, PackedEvent> {
  const wanted = new Set(seqs.filter((seq) => seq !== undefined))
  const events = new Map<number, PackedEvent>()
  if (!body || wanted.size === 0) return events
  const { bodies } = ledger.layout
  if (bodyState(bodies, body.file, body.bytes) !== 'whole') return events
  for (const { seq, ...event } of readableEvents(bodies, body.file, body.bytes, { fromSeq: Math.min(...wanted) })) {
    if (wanted.delete(seq)) events.set(seq, event)
    if (wanted.size === 0) break
  }
  return events
}
