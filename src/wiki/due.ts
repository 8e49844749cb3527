// Decides whether a sweep should build the wiki, without reading the vault and without loading the
// build code.
import type { Clock } from '../core/clock.ts'
import { deleteValue, isObject, readChecked, readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastChangeId } from '../store/memories/files.ts'
import { lastJournalTime } from '../store/wiki/projects-to-compile.ts'

/** The last memory change that is in the wiki, and the time of the build. */
interface CompiledState {
  change: number
  at: number
}

/** Articles of an earlier version are compiled again or removed. */
const compilerVersion = 2

const compiledKey = 'wiki compiled'

export function lastCompiled(ledger: Ledger): CompiledState | undefined {
  const state = readChecked<CompiledState & { version?: number }>(
    ledger,
    compiledKey,
    (value) => isObject(value) && Number.isInteger(value.change) && Number.isFinite(value.at),
  )
  return state?.version === compilerVersion ? state : undefined
}

export function saveCompiled(ledger: Ledger, { change, at }: CompiledState): void {
  writeValue(ledger, compiledKey, { version: compilerVersion, change, at })
}

/** Makes the next build compile every project. */
export function forgetCompiled(ledger: Ledger): void {
  deleteValue(ledger, compiledKey)
}

/** Makes the next sweep build, however long ago the last build was. */
export function makeWikiDue(ledger: Ledger): void {
  const last = lastCompiled(ledger)
  if (last) saveCompiled(ledger, { ...last, at: 0 })
}

const indexDueKey = 'wiki index is due'

/** Call it in the transaction that saves the articles. */
export function markIndexDue(ledger: Ledger): void {
  writeValue(ledger, indexDueKey, true)
}

export function isIndexDue(ledger: Ledger): boolean {
  return readValue(ledger, indexDueKey) !== undefined
}

export function forgetIndexDue(ledger: Ledger): void {
  deleteValue(ledger, indexDueKey)
}

/** Minimum time between two builds of sweeps. */
const minIntervalMs = 3_600_000

export function isWikiDue({ ledger, clock }: { ledger: Ledger; clock: Clock }): boolean {
  const last = lastCompiled(ledger)
  // A time in the future means that the clock was wrong.
  const passed = last ? clock.nowMs() - last.at : minIntervalMs
  if (passed >= 0 && passed < minIntervalMs) return false
  const journaled = lastJournalTime(ledger)
  return lastChangeId(ledger) > (last?.change ?? 0) || Date.parse(journaled ?? '') > (last?.at ?? 0)
}
