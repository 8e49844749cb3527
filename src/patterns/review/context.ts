// Context of the review and the lock around the practice files. One process writes them at a time:
// a half-written file would look like an edit by a person.
import type { Clock } from '../../core/clock.ts'
import { tryWithLock, withLock } from '../../core/lock.ts'
import type { Zone } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'

export interface ReviewContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
}

const name = 'practices'
const maxWaitMs = 10_000

export function withPracticesLock<T>({ ledger, clock }: ReviewContext, work: () => Promise<T>): Promise<T> {
  return withLock(ledger.layout, name, { clock, maxWaitMs }, work)
}

/** Undefined if another process holds the lock, or the store cannot be written. */
export function tryWithPracticesLock<T>(
  { ledger, clock }: Pick<ReviewContext, 'ledger' | 'clock'>,
  work: () => T,
): T | undefined {
  return ledger.isReadOnly ? undefined : tryWithLock(ledger.layout, name, { clock }, work)
}
