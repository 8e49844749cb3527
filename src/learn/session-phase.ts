// How far a session is: whether its last turn is complete, and whether it is at rest.
import type { Clock } from '../core/clock.ts'
import type { UnlearnedSession } from '../store/memories/learning.ts'

/** A turn without a hook event counts as over after this pause. */
const quietMs = 5 * 60_000
/** A session without an end event counts as over after this pause. */
export const restMs = 30 * 60_000
/** The hook may run before the transcript has its last line. */
const hookLeadMs = 5000

export interface SessionPhase {
  /** The agent has answered: the last exchange is complete. */
  isOver: boolean
  /** It has ended, is about to be compacted, or nothing has happened for a while. */
  isAtRest: boolean
}

export function phaseOf(clock: Clock, { endedMs, lastHookMs, hasEnded }: UnlearnedSession): SessionPhase {
  const sinceMs = clock.nowMs() - (endedMs ?? 0)
  const hasHookEnded = lastHookMs !== null && lastHookMs + hookLeadMs >= (endedMs ?? 0)
  return { isOver: hasHookEnded || sinceMs > quietMs, isAtRest: hasEnded || sinceMs > restMs }
}

/** Why nobody learns from a session; undefined if somebody may. */
export function teachesNothing({
  activity,
  isProgram,
}: Pick<UnlearnedSession, 'activity' | 'isProgram'>): string | undefined {
  if (isProgram) return 'a program wrote its prompts'
  if (activity === 'empty') return 'it is empty'
  return activity === 'health-check' ? 'it is a health check' : undefined
}
