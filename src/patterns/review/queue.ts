// The review queue: the state of every detected pattern, with the drafted practice and warnings.
import type { Ledger } from '../../store/ledger.ts'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { type Review, reviewsByPattern } from '../../store/patterns/practices.ts'
import type { Pattern, Practice } from '../types.ts'
import { checkApproval, newEvidenceSince, reasonNotToPropose } from './approval-rules.ts'
import { type CatalogueWarning, isSameSubject, warningsFor } from './catalogue-warnings.ts'
import type { ReviewContext } from './context.ts'
import { createDraft, type PracticeDraft, practiceFromDraft } from './draft.ts'

export type PatternState =
  /** `again`: the earlier decision and why the pattern is back. */
  | { kind: 'waiting'; again: { review: Review; because: string } | null }
  | { kind: 'practice'; practice: Practice }
  | { kind: 'decided'; review: Review }
  /** Too little evidence, or nothing to do about it. */
  | { kind: 'not proposed'; reason: string }

export interface QueuedPattern {
  pattern: Pattern
  standing: PatternState
}

/** All detected patterns, in detection order. */
export function reviewQueue({ ledger, clock }: ReviewContext, practices: readonly Practice[]): QueuedPattern[] {
  return patternStates(ledger, detectedPatterns<Pattern>(ledger), practices, clock.nowMs())
}

export function patternStates(
  ledger: Ledger,
  patterns: readonly Pattern[],
  practices: readonly Practice[],
  nowMs: number,
): QueuedPattern[] {
  const reviews = reviewsByPattern(ledger)
  return patterns.map((pattern) => ({
    pattern,
    standing: patternState(pattern, practiceOf(pattern, practices), reviews.get(pattern.id)?.[0], nowMs),
  }))
}

/** The practice that came of the pattern, or of another one of the same subject. */
function practiceOf(pattern: Pattern, practices: readonly Practice[]): Practice | undefined {
  return (
    practices.find(({ id }) => id === pattern.id) ??
    practices.find((practice) => practice.pattern && isSameSubject(practice.pattern, pattern))
  )
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
  const reason = gate.kind === 'closed' ? gate.reason : reasonNotToPropose(pattern)
  return reason === undefined ? { kind: 'waiting', again: null } : { kind: 'not proposed', reason }
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
