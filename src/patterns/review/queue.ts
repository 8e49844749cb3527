// The review queue: the state of every detected pattern, with the drafted practice and warnings.
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { type Review, reviewsByPattern } from '../../store/patterns/practices.ts'
import type { Pattern, Practice } from '../types.ts'
import { checkApproval, newEvidenceSince } from './approval-rules.ts'
import { type CatalogueWarning, warningsFor } from './catalogue-warnings.ts'
import type { ReviewContext } from './context.ts'
import { createDraft, type PracticeDraft, practiceFromDraft } from './draft.ts'

export type PatternState =
  /** `again`: the earlier decision and why the pattern is back. */
  | { kind: 'waiting'; again: { review: Review; because: string } | null }
  | { kind: 'practice'; practice: Practice }
  | { kind: 'decided'; review: Review }
  | { kind: 'too rare'; reason: string }

export interface QueuedPattern {
  pattern: Pattern
  standing: PatternState
}

/** In detection order. */
export function reviewQueue({ ledger, clock }: ReviewContext, practices: readonly Practice[]): QueuedPattern[] {
  const reviews = reviewsByPattern(ledger)
  const byId = new Map(practices.map((practice) => [practice.id, practice]))
  return detectedPatterns<Pattern>(ledger).map((pattern) => ({
    pattern,
    standing: patternState(pattern, byId.get(pattern.id), reviews.get(pattern.id)?.[0], clock.nowMs()),
  }))
}

const deferMs = 14 * 86_400_000

export function patternState(
  pattern: Pattern,
  practice: Practice | undefined,
  review: Review | undefined,
  nowMs: number,
): PatternState {
  if (practice) return { kind: 'practice', practice }
  if (review) {
    const because = newEvidenceSince(review.evidence, pattern) ?? laterReason(review, nowMs)
    return because === undefined ? { kind: 'decided', review } : { kind: 'waiting', again: { review, because } }
  }
  const gate = checkApproval(pattern)
  return gate.kind === 'open' ? { kind: 'waiting', again: null } : { kind: 'too rare', reason: gate.reason }
}

function laterReason({ verdict, atMs }: Review, nowMs: number): string | undefined {
  return verdict === 'later' && nowMs - atMs >= deferMs ? '14 days have passed' : undefined
}

export interface ReviewItem {
  pattern: Pattern
  standing: PatternState
  draft: PracticeDraft
  warnings: CatalogueWarning[]
}

/** Items of all patterns, in detection order. */
export function reviewItems(context: ReviewContext, practices: readonly Practice[]): ReviewItem[] {
  return reviewQueue(context, practices).map(({ pattern, standing }) => {
    const card: ReviewItem = { pattern, standing, draft: createDraft(pattern), warnings: [] }
    return standing.kind === 'waiting' ? withWarnings(context, card, practices) : card
  })
}

/** Warnings are computed again during a review, because approvals change the catalogue. */
export function withWarnings({ ledger }: ReviewContext, card: ReviewItem, practices: readonly Practice[]): ReviewItem {
  const practice = practiceFromDraft(ledger.layout, card.pattern, card.draft, { day: '', note: '' })
  return { ...card, warnings: warningsFor(practice, practices) }
}
