// What a pattern must show before it becomes a practice, and a practice before agents are told: one bad day is no pattern.
import { plural } from '../../core/units.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'

export type Gate = { kind: 'open' } | { kind: 'closed'; reason: string }

const leastSignals = 2
const leastSessions = 2
const leastPublished = 3

export function approvalGate({ frequency, sessions }: Pick<Pattern, 'frequency' | 'sessions'>): Gate {
  if (frequency >= leastSignals && sessions >= leastSessions) return { kind: 'open' }
  return {
    kind: 'closed',
    reason: `seen ${plural(frequency, 'time')} in ${plural(sessions, 'session')}; a practice needs ${leastSignals} in ${leastSessions}`,
  }
}

/**
 * What a person wrote without a pattern is theirs to publish. `pattern` is the one that was last detected: it may have been seen
 * more often since the practice was approved.
 */
export function publishGate(practice: Practice, pattern?: Pick<Pattern, 'frequency'>): Gate {
  if (practice.status === 'retired') return { kind: 'closed', reason: 'it is retired' }
  if (practice.provenance.frequency === 0) return { kind: 'open' }
  const frequency = Math.max(practice.provenance.frequency, pattern?.frequency ?? 0)
  if (frequency < leastPublished)
    return {
      kind: 'closed',
      reason: `seen ${plural(frequency, 'time')}; agents are told from ${leastPublished} on`,
    }
  return { kind: 'open' }
}
