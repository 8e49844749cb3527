// Decides whether a sweep has to purge deleted sessions, without loading the code that does it.
import { existsSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import type { Deletion } from '../store/deletion/deletions.ts'
import { listDeletions } from '../store/deletion/deletions.ts'
import type { Ledger } from '../store/ledger.ts'

/** How long a deletion can be undone. */
export const undoMs = 24 * 3600 * 1000

export function isPurgeDue({ atMs }: Pick<Deletion, 'atMs'>, nowMs: number): boolean {
  return nowMs >= atMs + undoMs
}

/** An archive without a deletion is of a run that was killed. */
export function areDeletionsDue({ ledger, clock }: { ledger: Ledger; clock: Clock }): boolean {
  const open = listDeletions(ledger, ['held', 'purging'])
  if (open.some((one) => one.state === 'purging' || isPurgeDue(one, clock.nowMs()))) return true
  return open.length === 0 && existsSync(ledger.layout.deleted)
}

export function hasUnfinishedDeletions(ledger: Ledger): boolean {
  return listDeletions(ledger, ['deleting', 'restoring']).length > 0
}
