// Whether a sweep should build the wiki: told without looking into the vault, and without loading what builds it.
import type { Clock } from '../core/clock.ts'
import { deleteValue, readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastChangeId } from '../store/memories/files.ts'
import { lastJournalTime } from '../store/wiki/projects-to-compile.ts'

/** The last change of memories that is in the wiki, and when it was built. */
export interface Compiled {
  change: number
  at: number
}

const note = 'wiki compiled'

export function lastCompiled(ledger: Ledger): Compiled | undefined {
  return readValue(ledger, note) as Compiled | undefined
}

export function noteCompiled(ledger: Ledger, { change, at }: Compiled): void {
  writeValue(ledger, note, { change, at })
}

/** So that the next build compiles every project. */
export function forgetCompiled(ledger: Ledger): void {
  deleteValue(ledger, note)
}

const indexNote = 'wiki index is due'

/** Articles were written that the index does not know yet. Call it in the transaction that says so. */
export function noteIndexDue(ledger: Ledger): void {
  writeValue(ledger, indexNote, true)
}

export function isIndexDue(ledger: Ledger): boolean {
  return readValue(ledger, indexNote) !== undefined
}

export function forgetIndexDue(ledger: Ledger): void {
  deleteValue(ledger, indexNote)
}

/** A build is worth its while when an hour has passed since the last; the first one comes at once. */
const everyMs = 3_600_000

export function isWikiDue({ ledger, clock }: { ledger: Ledger; clock: Clock }): boolean {
  const last = lastCompiled(ledger)
  // A time to come is a clock that was wrong.
  const passed = last ? clock.nowMs() - last.at : everyMs
  if (passed >= 0 && passed < everyMs) return false
  const journaled = lastJournalTime(ledger)
  return lastChangeId(ledger) > (last?.change ?? 0) || Date.parse(journaled ?? '') > (last?.at ?? 0)
}
