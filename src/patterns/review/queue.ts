// Where every detected pattern stands: what waits for a person, and what a person has said.
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { type Review, reviewsByPattern } from '../../store/patterns/practices.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import type { ReviewContext } from './context.ts'
import { approvalGate } from './gates.ts'
import { newsSince } from './news.ts'

export type Standing =
  /** `again` says why it comes back, and what was said before. */
  | { kind: 'waiting'; again: { review: Review; because: string } | null }
  | { kind: 'practice'; practice: Practice }
  | { kind: 'decided'; review: Review }
  | { kind: 'too rare'; reason: string }

export interface QueuedPattern {
  pattern: Pattern
  standing: Standing
}

/** In the order of detection. */
export function reviewQueue({ ledger, clock }: ReviewContext, practices: readonly Practice[]): QueuedPattern[] {
  const reviews = reviewsByPattern(ledger)
  const byId = new Map(practices.map((practice) => [practice.id, practice]))
  return detectedPatterns<Pattern>(ledger).map((pattern) => ({
    pattern,
    standing: standingOf(pattern, byId.get(pattern.id), reviews.get(pattern.id)?.[0], clock.nowMs()),
  }))
}

const laterMs = 14 * 86_400_000

export function standingOf(
  pattern: Pattern,
  practice: Practice | undefined,
  review: Review | undefined,
  nowMs: number,
): Standing {
  if (practice) return { kind: 'practice', practice }
  if (review) {
    const because = newsSince(review.evidence, pattern) ?? elapsed(review, nowMs)
    return because === undefined ? { kind: 'decided', review } : { kind: 'waiting', again: { review, because } }
  }
  const gate = approvalGate(pattern)
  return gate.kind === 'open' ? { kind: 'waiting', again: null } : { kind: 'too rare', reason: gate.reason }
}

function elapsed({ verdict, atMs }: Review, nowMs: number): string | undefined {
  return verdict === 'later' && nowMs - atMs >= laterMs ? '14 days have passed' : undefined
}
