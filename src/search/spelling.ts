// The words that were probably meant by one that nobody ever used.

import type { SqliteDatabase } from '../core/sqlite.ts'
import { type TermCount, termsWithPrefix } from '../store/search/passage-search.ts'
import { editDistance } from '../text/nearest.ts'

/** Known terms with the same first letters and few differences, the most frequent of the nearest first. */
export function spellings(ledger: SqliteDatabase, term: string): TermCount[] {
  if (!/^\p{L}{4,}$/u.test(term)) return []
  const max = term.length < 8 ? 1 : 2
  const near = [...beginningsOf(term)]
    .flatMap((beginning) => termsWithPrefix(ledger, beginning, maxCompared))
    .filter((each) => Math.abs(each.term.length - term.length) <= max)
    .map((each) => ({ ...each, distance: editDistance(term, each.term) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || b.count - a.count)
  return near.filter(({ distance }) => distance === near[0]!.distance).slice(0, 3)
}

const maxCompared = 5000

/** As it begins, and with its second and third letter mistaken. */
function beginningsOf(term: string): Set<string> {
  return new Set([term.slice(0, 2), term[0]! + term[2]!, term[1]! + term[0]!])
}
