// Deletes candidates that nobody has kept for two months after they were found or last said.
import { type Clock, isoTime } from '../core/clock.ts'
import { candidateDays } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { expiredCandidates, removeMemory } from '../store/memories/rows.ts'

interface ExpiryContext {
  ledger: Ledger
  clock: Clock
}

export function hasExpiredCandidates(context: ExpiryContext): boolean {
  return expired(context).length > 0
}

export function deleteExpiredCandidates(context: ExpiryContext): number {
  const ids = expired(context)
  if (ids.length === 0) return 0
  context.ledger.transaction(() => {
    for (const id of ids) removeMemory(context.ledger, id)
  })
  return ids.length
}

function expired({ ledger, clock }: ExpiryContext): string[] {
  return expiredCandidates(ledger, isoTime(clock.nowMs() - candidateDays * 86_400_000))
}
