// Searches new events of sessions for fixes and runs of programs. The cursor of a session moves in
// the transaction that writes what was found.
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { isSystemError, messageOf } from '../core/errors.ts'
import { isLedgerFault } from '../core/sqlite.ts'
import { deleteFixes, markSearched, type SessionToSearch, saveFix, sessionsToSearch } from '../store/fixes/fixes.ts'
import { saveProgramRun } from '../store/fixes/program-runs.ts'
import type { Ledger } from '../store/ledger.ts'
import { readableEvents } from '../store/sessions/bodies.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { findInEvents, maxLookBack } from './find-in-events.ts'

interface SearchContext {
  ledger: Ledger
  clock: Clock
}

const sessionsPerTransaction = 50

/** Returns the number of sessions that were searched. */
export function searchSessions({ ledger, clock }: SearchContext): number {
  const todo = sessionsToSearch(ledger)
  for (let at = 0; at < todo.length; at += sessionsPerTransaction) {
    ledger.transaction(() => {
      for (const session of todo.slice(at, at + sessionsPerTransaction)) searchSession({ ledger, clock }, session)
    })
  }
  return todo.length
}

/** A damaged body is reported; the readable part is searched. */
function searchSession({ ledger, clock }: SearchContext, session: SessionToSearch): void {
  const { id, cwd, events, body } = session
  const { bodies } = ledger.layout
  // A session that has fewer events than before was written again.
  const through = session.through > events ? 0 : session.through
  if (body && through === 0) deleteFixes(ledger, id)
  const onDamage = (reason: string) =>
    reportProblem(ledger, {
      ...{ path: join(bodies, body!.file), offset: wholeFileOffset, reason },
      seenAt: isoTime(clock.nowMs()),
    })
  const take = findInEvents(cwd)
  try {
    const fromSeq = Math.max(0, through - maxLookBack)
    for (const event of body ? readableEvents(bodies, body.file, body.bytes, { fromSeq, onDamage }) : []) {
      const { fixes, runs } = take(event)
      if (event.seq < through) continue
      for (const fix of fixes) saveFix(ledger, id, fix)
      for (const run of runs) saveProgramRun(ledger, id, run)
    }
  } catch (error) {
    if (isLedgerFault(error) || isSystemError(error)) throw error
    onDamage(messageOf(error))
  }
  markSearched(ledger, id, events)
}
