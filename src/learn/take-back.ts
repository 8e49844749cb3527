// A person went back before what they had said: what was learned from it alone no longer holds.

import type { Ledger } from '../store/ledger.ts'
import { changeMemories } from '../store/memories/changes.ts'
import { memoriesOfSession } from '../store/memories/memories.ts'

/** `ids` are the agent's record ids of the prompts that were taken back. */
export function retractLearned(ledger: Ledger, session: string, ids: readonly string[], at: string): void {
  const events = new Set(ids.filter((id) => id !== ''))
  if (events.size === 0) return
  const gone = memoriesOfSession(ledger, session)
    .filter(
      ({ state, space, evidence }) =>
        space === null &&
        state === 'kept' &&
        evidence.every((one) => one.session === session && events.has(one.event ?? '')),
    )
    .map((memory) => ({ ...memory, state: 'forgotten' as const, version: memory.version + 1 }))
  if (gone.length === 0) return
  ledger.transaction(() => changeMemories(ledger, { at, kind: 'taken back', about: `in ${session}` }, gone))
}
