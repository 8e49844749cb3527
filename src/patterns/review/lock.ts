// One process at a time has the files of practices: another one's half-done writing would look like the edit of a person.
import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import { tryLock, waitForLock } from '../../core/lock.ts'
import type { Zone } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'

export interface ReviewContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
}

const name = 'practices'
const patienceMs = 10_000

export async function holdingPractices<T>({ ledger, clock }: ReviewContext, use: () => Promise<T>): Promise<T> {
  const release = await waitForLock(fileIn(ledger), name, clock, () => {}, patienceMs)
  try {
    return await use()
  } finally {
    release()
  }
}

/** Gives the files back; undefined where another process has them. */
export function takePractices({ ledger, clock }: ReviewContext): (() => void) | undefined {
  const locking = tryLock(fileIn(ledger), name, clock)
  return locking.kind === 'held' ? locking.release : undefined
}

function fileIn(ledger: Ledger): string {
  return join(ledger.layout.run, `${name}.lock`)
}
