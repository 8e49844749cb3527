// Searches new events of sessions for fixes, runs of programs and notes for later sessions. The cursor of a session moves in
// the transaction that writes what was found.
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { isSystemError, messageOf } from '../core/errors.ts'
import { isLedgerFault } from '../core/sqlite.ts'
import { closeTurn, type FoldState, foldEvent, newFold, type SessionItem } from '../session/fold.ts'
import { notesOf } from '../session/notes.ts'
import { deleteFixes, markSearched, type SessionToSearch, saveFix, sessionsToSearch } from '../store/fixes/fixes.ts'
import { saveProgramRun } from '../store/fixes/program-runs.ts'
import { foldStateOf, saveFoldState, saveNote } from '../store/fixes/session-notes.ts'
import type { Ledger } from '../store/ledger.ts'
import { readableEvents, type SessionBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { findInEvents, maxLookBack } from './find-in-events.ts'

interface SearchContext {
  ledger: Ledger
  clock: Clock
}

const sessionsPerTransaction = 50

export interface ReadSession {
  id: number
  body: SessionBody
}

/** Gets all events of a session. */
export type EventsReader = (session: ReadSession, events: readonly StoredEvent[]) => void

/** Texts that are longer are not kept in memory as a whole. */
const maxSharedBytes = 16_000_000

/**
 * Returns the number of sessions that were searched. Most of the time goes into reading a text, so
 * `onRead` gets the events of every session that was read whole from its beginning.
 */
export function searchSessions(context: SearchContext, onRead?: EventsReader): number {
  const { ledger } = context
  const todo = sessionsToSearch(ledger)
  for (let at = 0; at < todo.length; at += sessionsPerTransaction) {
    ledger.transaction(() => {
      for (const session of todo.slice(at, at + sessionsPerTransaction)) searchSession(context, session, onRead)
    })
  }
  return todo.length
}

/** A damaged body is reported; the readable part is searched. */
function searchSession({ ledger, clock }: SearchContext, session: SessionToSearch, onRead?: EventsReader): void {
  const { id, cwd, events, body } = session
  const { bodies } = ledger.layout
  // A session that has fewer events than before was written again.
  const through = session.through > events ? 0 : session.through
  if (body && through === 0) deleteFixes(ledger, id)
  const fromSeq = Math.max(0, through - maxLookBack)
  let shared: StoredEvent[] | undefined = onRead && fromSeq === 0 && body && body.raw <= maxSharedBytes ? [] : undefined
  const onDamage = (reason: string) => {
    shared = undefined
    reportProblem(ledger, {
      ...{ path: join(bodies, body!.file), offset: wholeFileOffset, reason },
      seenAt: isoTime(clock.nowMs()),
    })
  }
  const take = findInEvents(cwd)
  const fold = (through > 0 && foldStateOf<FoldState>(ledger, id, through)) || newFold()
  try {
    for (const event of body ? readableEvents(bodies, body.file, body.bytes, { fromSeq, onDamage }) : []) {
      shared?.push(event)
      const fixes = take(event)
      if (event.seq < through) continue
      for (const fix of fixes) saveFix(ledger, id, fix)
      for (const item of foldEvent(fold, event, cwd)) saveItem(ledger, id, item)
    }
    // The turn may go on; what its last reply has found is known already.
    for (const item of closeTurn({ ...fold })) saveItem(ledger, id, item)
    saveFoldState(ledger, id, events, fold)
  } catch (error) {
    if (isLedgerFault(error) || isSystemError(error)) throw error
    onDamage(messageOf(error))
  }
  markSearched(ledger, id, events)
  if (body && shared) onRead?.({ id, body }, shared)
}

function saveItem(ledger: Ledger, session: number, item: SessionItem): void {
  const atMs = item.at === null ? null : Date.parse(item.at)
  for (const note of notesOf(item)) saveNote(ledger, session, { ...note, atMs })
  if (item.kind !== 'run') return
  // A failed line does not show which of its parts failed.
  const isFailed = item.outcome === 'failed'
  if (isFailed && item.parts.length > 1) return
  const counts = { passed: isFailed ? 0 : 1, failed: isFailed ? 1 : 0, lastSeq: item.seq, atMs }
  for (const { program, text } of item.parts)
    saveProgramRun(ledger, session, { program, command: text, folder: item.folder, ...counts })
}
