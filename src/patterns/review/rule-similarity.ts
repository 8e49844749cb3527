// Compares rules by their terms. Negations and restrictions, which reverse a rule, are compared
// apart.
import { qualifiersIn } from '../../text/negation.ts'
import { jaccard } from '../../text/similarity.ts'
import { termsOf } from '../../text/terms.ts'

/** From 0 to 1: the share of common terms. */
export function ruleSimilarity(one: string, other: string): number {
  const [a, b] = [new Set(termsOf(one)), new Set(termsOf(other))]
  if (a.size === 0 && b.size === 0) return one.trim() === other.trim() ? 1 : 0
  return jaccard(a, b)
}

/** One rule forbids, limits or demands what the other does not. */
export function isOpposite(one: string, other: string): boolean {
  return qualifiersIn(one) !== qualifiersIn(other)
}
