// The facts of a captured session, continued from the last turn.
import type { Ledger } from '../store/ledger.ts'
import { readableEvents } from '../store/sessions/bodies.ts'
import type { RunningSession } from '../store/sessions/running-sessions.ts'
import { type FactState, newFactState } from './fact-state.ts'
import { foldFacts } from './facts.ts'
import { factFilesOf, readFactState } from './state-files.ts'

/** Whether its facts are at hand without reading much. */
export function isQuicklyRead(ledger: Ledger, { uid, body }: RunningSession, maxRawBytes: number): boolean {
  const files = factFilesOf(ledger.layout, uid)
  return body.raw <= maxRawBytes || (files !== undefined && readFactState(files) !== undefined)
}

/** Reads only the events that the saved state does not have. */
export function factsOfSession(ledger: Ledger, session: RunningSession): FactState {
  const { uid, agent, cwd, events, body } = session
  const files = factFilesOf(ledger.layout, uid)
  const saved = files && readFactState(files)
  // A transcript that was rewritten may have fewer events than were folded.
  const state = saved && saved.through <= events ? saved : newFactState()
  if (state.through >= events) return state
  for (const event of readableEvents(ledger.layout.bodies, body.file, body.bytes, { fromSeq: state.through }))
    foldFacts(state, event, { agent, cwd })
  return state
}
