// A pattern as it is put before a person: where it stands, the practice that it would become, and what speaks against one more.
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import { type BloatWarning, bloatOf } from './bloat.ts'
import type { ReviewContext } from './context.ts'
import { type Draft, draftOf, practiceFrom } from './draft.ts'
import { reviewQueue, type Standing } from './queue.ts'

export interface Card {
  pattern: Pattern
  standing: Standing
  draft: Draft
  warnings: BloatWarning[]
}

/** Of every pattern, in the order of detection. */
export function reviewCards(context: ReviewContext, practices: readonly Practice[]): Card[] {
  return reviewQueue(context, practices).map(({ pattern, standing }) => {
    const card: Card = { pattern, standing, draft: draftOf(pattern), warnings: [] }
    return standing.kind === 'waiting' ? withWarnings(context, card, practices) : card
  })
}

/** What is approved in the course of a review speaks against what comes after it. */
export function withWarnings({ ledger }: ReviewContext, card: Card, practices: readonly Practice[]): Card {
  const practice = practiceFrom(ledger.layout, card.pattern, card.draft, { day: '', note: '' })
  return { ...card, warnings: bloatOf(practice, practices) }
}
