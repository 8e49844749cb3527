// Compares rules by their terms (Dice); negations and limits, which reverse a rule, are compared
// apart.
import { termsOf } from '../../text/terms.ts'

/** From 0 to 1: the share of common terms. */
export function ruleSimilarity(one: string, other: string): number {
  const [a, b] = [new Set(termsOf(one)), new Set(termsOf(other))]
  if (a.size === 0 && b.size === 0) return one.trim() === other.trim() ? 1 : 0
  const shared = [...a].filter((term) => b.has(term)).length
  return (2 * shared) / (a.size + b.size)
}

/** One rule forbids, limits or demands what the other does not. */
export function isOpposite(one: string, other: string): boolean {
  return negationsIn(one) !== negationsIn(other)
}

function negationsIn(text: string): string {
  const words = text.toLowerCase().match(/\b(?:not|never|no|none|without|only|always|unless|except|avoid)\b|n['’]t\b/g)
  return (words ?? [])
    .map((word) => (/^n['’]t$/.test(word) ? 'not' : word))
    .toSorted()
    .join(' ')
}
