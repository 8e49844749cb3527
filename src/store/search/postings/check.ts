// Checks that the index can be read and agrees with the rows of passages.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { countPackedTerms } from '../packed-terms.ts'
import { readDeletions } from './deletions.ts'
import { indexSize } from './lookup.ts'
import { forEachRun } from './posting-list.ts'
import { blocksOf, listOf, segmentSpaces, segmentsIn } from './segments.ts'
import { compareTerms, entriesIn } from './term-block.ts'

/** Returns `ok`, or what is wrong with the search index. */
export function checkSearchIndex(ledger: SqliteDatabase): string {
  const { rows } = ledger.sql('SELECT count(*) AS rows FROM passages').get()!
  const { passages } = indexSize(ledger)
  if (passages !== Number(rows)) return `it counts ${passages} passages, there are ${rows}`
  let postings = 0
  for (const { number } of segmentSpaces.flatMap((space) => segmentsIn(ledger, space))) {
    const found = postingsIn(ledger, number)
    if (found === undefined) return `segment ${number} cannot be read`
    postings += found
  }
  let terms = 0
  for (const row of ledger.sql('SELECT terms FROM passages').iterate())
    terms += countPackedTerms(row.terms as Uint8Array)
  return postings <= terms && (postings > 0 || passages === 0) ? 'ok' : `it has ${postings} postings for ${terms} terms`
}

/** Number of postings in a segment without those of deleted passages; undefined if it is damaged. */
function postingsIn(ledger: SqliteDatabase, segment: number): number | undefined {
  const deletions = readDeletions(ledger)
  let postings = 0
  let last = ''
  try {
    for (const block of blocksOf(ledger, segment))
      for (const entry of entriesIn(block)) {
        if (entry.count === 0 || compareTerms(entry.term, last) <= 0) return undefined
        last = entry.term
        let count = 0
        forEachRun(listOf(ledger, segment, entry), (run) => {
          count += run.count
          deletions.apply(run, segment)
          postings += run.count
        })
        if (count !== entry.count) return undefined
      }
  } catch {
    return undefined
  }
  return postings
}
