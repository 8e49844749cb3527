// Whether a sweep should build the wiki: told without looking into the vault, and without loading what builds it.
import type { Clock } from '../core/clock.ts'
import { deleteValue, readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastChangeId } from '../store/memories/files.ts'
import { lastJournalTime } from '../store/wiki/projects-to-compile.ts'

/** The last change of memories that is in the wiki, and when it was built. */
export interface CompiledState {
  change: number
  at: number
}

const compiledKey = 'wiki compiled'

export function lastCompiled(ledger: Ledger): CompiledState | undefined {
  return readValue(ledger, compiledKey) as CompiledState | undefined
}

export function saveCompiled(ledger: Ledger, { change, at }: CompiledState): void {
  writeValue(ledger, compiledKey, { change, at })
}

/** So that the next build compiles every project. */
export function forgetCompiled(ledger: Ledger): void {
  deleteValue(ledger, compiledKey)
}

const indexDueKey = 'wiki index is due'

/** Articles were written that the index does not know yet. Call it in the transaction that says so. */
export function markIndexDue(ledger: Ledger): void {
  writeValue(ledger, indexDueKey, true)
}

export function isIndexDue(ledger: Ledger): boolean {
  return readValue(ledger, indexDueKey) !== undefined
}

export function forgetIndexDue(ledger: Ledger): void {
  deleteValue(ledger, indexDueKey)
}

/** A build is worth its while when an hour has passed since the last; the first one comes at once. */
const minIntervalMs = 3_600_000

export function isWikiDue({ ledger, clock }: { ledger: Ledger; clock: Clock }): boolean {
  const last = lastCompiled(ledger)
  // A time to come is a clock that was wrong.
  const passed = last ? clock.nowMs() - last.at : minIntervalMs
  if (passed >= 0 && passed < minIntervalMs) return false
  const journaled = lastJournalTime(ledger)
  return lastChangeId(ledger) > (last?.change ?? 0) || Date.parse(journaled ?? '') > (last?.at ?? 0)
}
