// Programs that use the same account at once make each other fail, and two that look at the budget at once would both find it
// sufficient: so there is one lock around looking, calling and booking.
import { join } from 'node:path'
import { waitForLock } from '../core/lock.ts'
import type { ModelContext } from './model.ts'

/** Longer than one call can take, and as nobody holds the lock between two of them, enough for several. */
const patienceMs = 10 * 60_000

export function lockModels(
  { ledger, clock }: Pick<ModelContext, 'ledger' | 'clock'>,
  name: string,
): Promise<() => void> {
  return waitForLock(join(ledger.layout.run, 'model.lock'), `asking ${name}`, clock, () => {}, patienceMs)
}
