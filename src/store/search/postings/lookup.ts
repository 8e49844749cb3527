// Looks up terms in the index: in all segments, and among the postings of the current transaction.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { advanceAll, cursorsFrom, withLeastTerm } from './cursors.ts'
import { readDeletions } from './deletions.ts'
import { pendingRuns, pendingTerms, pendingTotals } from './pending.ts'
import { forEachRun, keepPlaces, type PostingRun } from './posting-list.ts'
import { entriesOf, listOf, type SegmentSpace, segmentSpaces } from './segments.ts'
import { compareTerms, termAtCursor } from './term-block.ts'

/** Number of passages that contain a term. Deleted ones count until they are removed by a merge. */
export function documentFrequency(ledger: SqliteDatabase, term: string): number {
  return documentFrequencies(ledger, [term]).get(term)!
}

export function documentFrequencies(ledger: SqliteDatabase, terms: readonly string[]): Map<string, number> {
  const stored = entriesOf(ledger, terms, segmentSpaces)
  return new Map(
    terms.map((term) => [
      term,
      stored.get(term)!.reduce((sum, { count }) => sum + count, pendingRuns(ledger, term, segmentSpaces).length),
    ]),
  )
}

export interface TermCount {
  term: string
  count: number
}

/** Indexed terms with a prefix, in alphabetical order. */
export function termsWithPrefix(ledger: SqliteDatabase, beginning: string, limit: number): TermCount[] {
  const pending = pendingTerms(ledger, beginning)
  const stored = storedWithPrefix(ledger, beginning, limit)
  if (pending.length === 0) return stored
  const counts = new Map<string, number>()
  for (const { term, count } of [...stored, ...pending]) counts.set(term, (counts.get(term) ?? 0) + count)
  return [...counts]
    .map(([term, count]) => ({ term, count }))
    .sort((a, b) => compareTerms(a.term, b.term))
    .slice(0, limit)
}

function storedWithPrefix(ledger: SqliteDatabase, beginning: string, limit: number): TermCount[] {
  const found: TermCount[] = []
  let cursors = cursorsFrom(ledger, beginning)
  while (cursors.length > 0 && found.length < limit) {
    const least = withLeastTerm(cursors)
    const term = termAtCursor(least[0]!.entry)
    if (!term.startsWith(beginning)) break
    found.push({ term, count: least.reduce((sum, { entry }) => sum + entry.count, 0) })
    cursors = advanceAll(cursors, least)
  }
  return found
}

export interface IndexedTerm {
  term: string
  count: number
  forEachRun(visit: (run: PostingRun) => void): void
}

/** Which passages are wanted. */
export interface PlaceTest {
  /** The parts of the index that have such passages. */
  spaces: readonly SegmentSpace[]
  /** Whether all passages of a group are wanted, none, or those at places that pass a test. */
  inGroup(group: number): boolean | ((place: number) => boolean)
}

/** The postings of wanted passages, without those of deleted ones. */
export function postingsOf(ledger: SqliteDatabase, terms: readonly string[], test: PlaceTest): IndexedTerm[] {
  const deletions = readDeletions(ledger)
  const stored = entriesOf(ledger, terms, test.spaces)
  return terms.map((term) => {
    const entries = stored.get(term)!
    const pending = pendingRuns(ledger, term, test.spaces)
    return {
      term,
      count: entries.reduce((sum, { count }) => sum + count, pending.length),
      forEachRun(visit) {
        const visitWanted = (run: PostingRun) => {
          const isWanted = test.inGroup(run.group)
          if (isWanted === false) return
          if (isWanted !== true) keepPlaces(run, isWanted)
          visit(run)
        }
        for (const entry of entries)
          forEachRun(listOf(ledger, entry.segment, entry), (run) => {
            deletions.apply(run, entry.segment)
            visitWanted(run)
          })
        for (const run of pending) visitWanted({ ...run })
      },
    }
  })
}

export interface IndexSize {
  passages: number
  /** Average number of terms per passage. */
  terms: number
}

export function indexSize(ledger: SqliteDatabase): IndexSize {
  const stored = ledger.sql('SELECT passages, terms FROM passage_totals').get()!
  const pending = pendingTotals(ledger)
  // Less than none until the index of an older version is built again and rows are deleted before.
  const passages = Math.max(0, Number(stored.passages) + pending.passages)
  const terms = Math.max(0, Number(stored.terms) + pending.terms)
  return { passages, terms: passages === 0 ? 0 : terms / passages }
}
