// Rules of approval and publication: minimum evidence, and when new evidence reopens a decision.
import { plural } from '../../core/units.ts'
import type { ReviewedEvidence } from '../../store/patterns/practices.ts'
import { isUnexplained } from '../detect/error-kind.ts'
import type { Pattern, Practice } from '../types.ts'

export type RuleCheck = { kind: 'open' } | { kind: 'closed'; reason: string }

const minSignals = 2
const minSessions = 2
const minPublished = 3

export function checkApproval({ frequency, sessions }: Pick<Pattern, 'frequency' | 'sessions'>): RuleCheck {
  if (frequency >= minSignals && sessions >= minSessions) return { kind: 'open' }
  return {
    kind: 'closed',
    reason: `seen ${plural(frequency, 'time')} in ${plural(sessions, 'session')}; a practice needs ${minSignals} in ${minSessions}`,
  }
}

/** Most errors happen now and then; one that is seen less often could not be published, either. */
const minErrorSessions = 3

/**
 * Why a pattern is not proposed, although it may be approved: there is nothing to do about it, or
 * another pattern says it better. These patterns are only counted by `patterns measure`.
 */
export function reasonNotToPropose({
  type,
  locus,
  sessions,
}: Pick<Pattern, 'type' | 'locus' | 'sessions'>): string | undefined {
  if (type === 'clean pass') return 'it is a measure of success, and needs no rule'
  if (type === 'repeated error') return 'the same error is a recurring error'
  if (type === 'recovery' && locus.endsWith(' → read')) return 'the rule for the error says the same'
  if (type !== 'recurring error') return undefined
  if (isUnexplained(locus)) return 'the output of the command does not say what was wrong'
  return sessions < minErrorSessions ? `errors are proposed from ${minErrorSessions} sessions on` : undefined
}

/**
 * A practice that a person wrote without a pattern may always be published. `pattern` is the latest
 * detection; it may have been seen more often since the approval.
 */
export function checkPublish(practice: Practice, pattern?: Pick<Pattern, 'frequency'>): RuleCheck {
  if (practice.status === 'retired') return { kind: 'closed', reason: 'it is retired' }
  if (practice.provenance.frequency === 0) return { kind: 'open' }
  const frequency = Math.max(practice.provenance.frequency, pattern?.frequency ?? 0)
  if (frequency < minPublished)
    return {
      kind: 'closed',
      reason: `seen ${plural(frequency, 'time')}; published from ${minPublished} on`,
    }
  return { kind: 'open' }
}

export function reviewedEvidence({ evidence, frequency, agents, projects }: Pattern): ReviewedEvidence {
  return { evidence, frequency, agents, projects: projects.length }
}

const minGrowthFactor = 2

/** The reason to review a pattern again; undefined where a little more evidence changes nothing. */
export function newEvidenceSince(
  then: ReviewedEvidence,
  { evidence, frequency, agents, projects }: Pattern,
): string | undefined {
  if (then.evidence === evidence) return undefined
  const fresh = agents.filter((agent) => !then.agents.includes(agent))
  if (fresh.length > 0) return `now also with ${fresh.join(', ')}`
  if (frequency >= minGrowthFactor * then.frequency) return `seen ${frequency} times, ${then.frequency} then`
  if (then.projects !== null && projects.length >= minGrowthFactor * Math.max(1, then.projects))
    return `in ${projects.length} projects, ${then.projects} then`
  return undefined
}
