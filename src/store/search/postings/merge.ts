// Merges segments, so that a search has few to look at. Lists are appended to each other without
// decoding them, unless postings of deleted passages have to be removed.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { type ByteBuffer, contentOf, createBuffer, pushBytes } from './bytes.ts'
import { advanceAll, openCursor, withLeastTerm } from './cursors.ts'
import { countDeletions, type Deletions, dropSettledDeletions, readDeletions } from './deletions.ts'
import { appendRun, forEachRun } from './posting-list.ts'
import {
  blocksOf,
  deleteSegment,
  listOf,
  type Segment,
  type SegmentSpace,
  segmentSpaces,
  segmentsIn,
  type TermPostings,
  writeSegment,
} from './segments.ts'

/** So many segments of one level become one of the next. */
const fanIn = 8
/** A search reads all deletions; more of them are removed from the segments at once. */
const maxDeletions = 2000

/** Call after a segment was written, inside the same transaction. */
export function mergeWhereDue(ledger: SqliteDatabase): void {
  if (countDeletions(ledger) > maxDeletions) return compactSegments(ledger)
  for (const space of segmentSpaces) {
    for (let level = 0; ; level++) {
      const segments = segmentsIn(ledger, space)
      if (segments.every((segment) => segment.level < level)) break
      const due = segments.filter((segment) => segment.level === level)
      if (due.length >= fanIn) mergeSegments(ledger, space, due)
    }
  }
}

/** Merges everything and leaves nothing of deleted passages. Call inside a transaction. */
export function compactSegments(ledger: SqliteDatabase): void {
  const hasDeletions = countDeletions(ledger) > 0
  for (const space of segmentSpaces) {
    const segments = segmentsIn(ledger, space)
    if (segments.length > 1 || (segments.length === 1 && hasDeletions)) mergeSegments(ledger, space, segments)
  }
}

function mergeSegments(ledger: SqliteDatabase, space: SegmentSpace, segments: readonly Segment[]): void {
  const level = Math.max(...segments.map((segment) => segment.level)) + 1
  writeSegment(ledger, space, level, mergedEntries(ledger, segments, readDeletions(ledger)))
  for (const { number } of segments) deleteSegment(ledger, number)
  dropSettledDeletions(ledger)
}

function* mergedEntries(
  ledger: SqliteDatabase,
  segments: readonly Segment[],
  deletions: Deletions,
): Generator<TermPostings> {
  const list = createBuffer()
  let cursors = segments.flatMap(({ number }) => openCursor(number, blocksOf(ledger, number)) ?? [])
  while (cursors.length > 0) {
    const least = withLeastTerm(cursors)
    const term = least[0]!.entry.term.slice(0, least[0]!.entry.length)
    let count = 0
    list.length = 0
    for (const { segment, entry } of least) {
      const bytes = listOf(ledger, segment, entry)
      count += deletions.isEmpty ? entry.count : appendKept(list, bytes, deletions, segment)
      if (deletions.isEmpty) pushBytes(list, bytes)
    }
    if (count > 0) yield { term, count, list: contentOf(list) }
    cursors = advanceAll(cursors, least)
  }
}

function appendKept(list: ByteBuffer, bytes: Uint8Array, deletions: Deletions, segment: number): number {
  let count = 0
  forEachRun(bytes, (run) => {
    deletions.apply(run, segment)
    if (run.count > 0) appendRun(list, run)
    count += run.count
  })
  return count
}
