// Deleted sources whose postings are still in a segment. A deletion applies to segments up to a
// number, because a source may be written again under its id.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { keepPlaces, type PostingRun, partsPerSource } from './posting-list.ts'
import { lastSegment } from './segments.ts'

export interface SourceRange {
  group: number
  first: number
  last: number
}

/** Call inside a transaction, when everything before the deletion is in a segment. */
export function recordDeletion(ledger: SqliteDatabase, { group, first, last }: SourceRange): void {
  ledger
    .sql('INSERT INTO passage_deletions (passages, first, last, segment) VALUES (?, ?, ?, ?)')
    .run(group, first, last, lastSegment(ledger))
}

export function countDeletions(ledger: SqliteDatabase): number {
  return Number(ledger.sql('SELECT count(*) AS count FROM passage_deletions').get()!.count)
}

/** Forgets deletions that no remaining segment needs. */
export function dropSettledDeletions(ledger: SqliteDatabase): void {
  ledger.raw.exec(
    `DELETE FROM passage_deletions
     WHERE segment < coalesce((SELECT min(number) FROM passage_segments), segment + 1)`,
  )
}

export interface Deletions {
  isEmpty: boolean
  /** Removes deleted postings from a run of this segment. */
  apply(run: PostingRun, segment: number): void
}

interface DeletedSources {
  /** The last segment that a deletion applies to, by source. */
  single: Map<number, number>
  ranges: { first: number; last: number; segment: number }[]
}

export function readDeletions(ledger: SqliteDatabase): Deletions {
  const groups = new Map<number, DeletedSources>()
  const statement = ledger.sql('SELECT passages, first, last, segment FROM passage_deletions')
  statement.setReturnArrays(true)
  for (const [group, first, last, segment] of statement.all() as unknown as [number, number, number, number][]) {
    const deleted: DeletedSources = groups.get(group) ?? { single: new Map(), ranges: [] }
    groups.set(group, deleted)
    if (first !== last) deleted.ranges.push({ first, last, segment })
    else if ((deleted.single.get(first) ?? -1) < segment) deleted.single.set(first, segment)
  }
  return {
    isEmpty: groups.size === 0,
    apply(run, segment) {
      const deleted = groups.get(run.group)
      if (deleted) keepPlaces(run, (place) => !isDeleted(deleted, Math.floor(place / partsPerSource), segment))
    },
  }
}

function isDeleted({ single, ranges }: DeletedSources, source: number, segment: number): boolean {
  if ((single.get(source) ?? -1) >= segment) return true
  return ranges.some((range) => range.segment >= segment && range.first <= source && source <= range.last)
}
