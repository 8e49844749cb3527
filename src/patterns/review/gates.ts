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

export interface PublishGateOptions {
  /** The pattern as it was last detected: it may have been seen more often since the practice was approved. */
  pattern?: Pick<Pattern, 'frequency' | 'agents'> | undefined
  /** Only what was seen with more than one agent. */
  isCrossAgentOnly?: boolean
}

/** What a person wrote without a pattern is theirs to publish. */
export function publishGate(practice: Practice, { pattern, isCrossAgentOnly = false }: PublishGateOptions = {}): Gate {
  if (practice.status === 'retired') return { kind: 'closed', reason: 'it is retired' }
  if (practice.provenance.frequency === 0) return { kind: 'open' }
  const frequency = Math.max(practice.provenance.frequency, pattern?.frequency ?? 0)
  if (frequency < leastPublished)
    return {
      kind: 'closed',
      reason: `seen ${plural(frequency, 'time')}; agents are told from ${leastPublished} on`,
    }
  const agents = new Set([...practice.provenance.agents, ...(pattern?.agents ?? [])])
  if (isCrossAgentOnly && agents.size < 2) return { kind: 'closed', reason: 'it was seen with one agent only' }
  return { kind: 'open' }
}
