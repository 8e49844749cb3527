// Reads several segments side by side, in the order of their terms.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { blocksOf } from './segments.ts'
import { readEntries, type TermCursor } from './term-block.ts'

/** The present entry of a segment. */
export interface SegmentCursor {
  segment: number
  entry: TermCursor
  blocks: Iterator<Uint8Array>
}

/** At the first term of these blocks; undefined if there is none. */
export function openCursor(segment: number, blocks: Iterator<Uint8Array>): SegmentCursor | undefined {
  const first = blocks.next()
  if (first.done) return undefined
  const cursor = { segment, entry: readEntries(first.value), blocks }
  return advance(cursor) ? cursor : undefined
}

/** For each segment, at the first term from this one on. */
export function cursorsFrom(ledger: SqliteDatabase, term: string): SegmentCursor[] {
  const statement = ledger.sql(
    `SELECT b.segment, b.id, b.data FROM passage_segments s JOIN passage_blocks b ON b.id = coalesce(
       (SELECT id FROM passage_blocks WHERE segment = s.number AND term <= $term ORDER BY term DESC LIMIT 1),
       (SELECT id FROM passage_blocks WHERE segment = s.number AND term > $term ORDER BY term LIMIT 1)
     )`,
  )
  statement.setReturnArrays(true)
  const rows = statement.all({ term }) as unknown as [number, number, Uint8Array][]
  const first = Buffer.from(term)
  return rows.flatMap(([segment, id, block]) => {
    const cursor = { segment, entry: readEntries(block), blocks: blocksOf(ledger, segment, id) }
    do if (!advance(cursor)) return []
    while (cursor.entry.term.compare(first, 0, first.length, 0, cursor.entry.length) < 0)
    return cursor
  })
}

/** False at the end of the segment. */
export function advance(cursor: SegmentCursor): boolean {
  if (cursor.entry.next()) return true
  const next = cursor.blocks.next()
  if (next.done) return false
  cursor.entry = readEntries(next.value, cursor.entry.term)
  return cursor.entry.next()
}

/** Advances these and returns the cursors that are not at their end. */
export function advanceAll(cursors: SegmentCursor[], some: readonly SegmentCursor[]): SegmentCursor[] {
  const ended = some.filter((cursor) => !advance(cursor))
  return ended.length === 0 ? cursors : cursors.filter((cursor) => !ended.includes(cursor))
}

/** Those whose present term comes first, in the order of the segments. */
export function withLeastTerm(cursors: readonly SegmentCursor[]): SegmentCursor[] {
  let least = [cursors[0]!]
  for (let index = 1; index < cursors.length; index++) {
    const order = compareEntries(cursors[index]!.entry, least[0]!.entry)
    if (order < 0) least = [cursors[index]!]
    else if (order === 0) least.push(cursors[index]!)
  }
  return least
}

function compareEntries(a: TermCursor, b: TermCursor): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = a.term[at]! - b.term[at]!
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
