// Pairs of memories that a person or a model has decided to keep beside each other although they
// contradict.
import { isStrings, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'
import { acceptedContradictions, undoneConsolidations } from './changes.ts'

/** The same key in either order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** Keys of all such pairs. */
export function keptPairs(ledger: Ledger): Set<string> {
  const undone = undoneConsolidations(ledger).flatMap(({ after }) => {
    const other = after.supersededBy ?? after.contradicts
    return other ? pairKey(after.id, other) : []
  })
  return new Set([...acceptedContradictions(ledger).map(([a, b]) => pairKey(a, b)), ...undone, ...standing(ledger)])
}

/** They are not compared again. */
export function saveKeptPairs(ledger: Ledger, pairs: readonly string[]): void {
  if (pairs.length > 0) writeValue(ledger, standingNote, [...standing(ledger), ...pairs].slice(-maxStanding))
}

function standing(ledger: Ledger): string[] {
  return readChecked<string[]>(ledger, standingNote, isStrings) ?? []
}

const standingNote = 'pairs that a model let stand'
const maxStanding = 2000
