// Segments: parts of the index that are written once and later merged into larger ones. Passages of
// sessions and standalone passages have segments of their own, so that a search for memories does
// not read what is said in sessions.
import type { SqliteDatabase } from '../../../core/sqlite.ts'
import { createBlockWriter, findInBlock, type TermEntry } from './term-block.ts'

export const segmentSpaces = ['sessions', 'standalone'] as const
export type SegmentSpace = (typeof segmentSpaces)[number]

export interface Segment {
  /** Later segments have higher numbers; a number is never used again. */
  number: number
  /** Number of merges that it went through. */
  level: number
}

export interface TermPostings {
  /** In UTF-8. */
  term: Uint8Array
  count: number
  list: Uint8Array
}

/** Blocks of a segment have the ids from its number times this. */
const idsPerSegment = 2 ** 24

/** Terms must be in order. Call inside a transaction. */
export function writeSegment(
  ledger: SqliteDatabase,
  space: SegmentSpace,
  level: number,
  entries: Iterable<TermPostings>,
): void {
  const { segments } = ledger.sql('UPDATE passage_totals SET segments = segments + 1 RETURNING segments').get()!
  const number = Number(segments)
  let block = 0
  const insert = (term: string | null, data: Uint8Array) => {
    ledger
      .sql('INSERT INTO passage_blocks (id, segment, term, data) VALUES (?, ?, ?, ?)')
      .run(number * idsPerSegment + block, number, term, data)
    return block++
  }
  const writer = createBlockWriter(insert, (list) => insert(null, list))
  for (const { term, count, list } of entries) writer.add(term, count, list)
  writer.finish()
  if (block > 0)
    ledger
      .sql('INSERT INTO passage_segments (number, space, level) VALUES (?, ?, ?)')
      .run(number, segmentSpaces.indexOf(space), level)
}

export function deleteSegment(ledger: SqliteDatabase, number: number): void {
  ledger
    .sql('DELETE FROM passage_blocks WHERE id >= ? AND id < ?')
    .run(number * idsPerSegment, (number + 1) * idsPerSegment)
  ledger.sql('DELETE FROM passage_segments WHERE number = ?').run(number)
}

export function segmentsIn(ledger: SqliteDatabase, space: SegmentSpace): Segment[] {
  return ledger
    .sql('SELECT number, level FROM passage_segments WHERE space = ? ORDER BY number')
    .all(segmentSpaces.indexOf(space))
    .map(({ number, level }) => ({ number: Number(number), level: Number(level) }))
}

export function lastSegment(ledger: SqliteDatabase): number {
  return Number(ledger.sql('SELECT segments FROM passage_totals').get()!.segments)
}

export interface SegmentEntry extends TermEntry {
  segment: number
}

/** The entries of each term, one for each segment that has it. */
export function entriesOf(
  ledger: SqliteDatabase,
  terms: readonly string[],
  spaces: readonly SegmentSpace[],
): Map<string, SegmentEntry[]> {
  const found = new Map<string, SegmentEntry[]>(terms.map((term) => [term, []]))
  if (spaces.length === 0) return found
  // One statement for all terms: running one costs more than reading a block.
  const statement = ledger.sql(
    `SELECT t.key, s.number, (
       SELECT data FROM passage_blocks WHERE segment = s.number AND term <= t.value ORDER BY term DESC LIMIT 1
     ) FROM json_each(?) t CROSS JOIN passage_segments s WHERE s.space IN (?, ?)`,
  )
  statement.setReturnArrays(true)
  const [first = 0, second = first] = spaces.map((space) => segmentSpaces.indexOf(space))
  const rows = statement.all(JSON.stringify(terms), first, second) as unknown as [number, number, Uint8Array | null][]
  for (const [index, segment, block] of rows) {
    const entry = block && findInBlock(block, terms[index]!)
    if (entry) found.get(terms[index]!)!.push({ segment, ...entry })
  }
  return found
}

const maxBlocksAtOnce = 32

/** The blocks of a segment behind an id, or all of them, in the order of their terms. */
export function* blocksOf(
  ledger: SqliteDatabase,
  segment: number,
  after = segment * idsPerSegment - 1,
): Generator<Uint8Array> {
  const statement = ledger.sql(
    'SELECT id, data FROM passage_blocks WHERE id > ? AND id < ? AND term IS NOT NULL ORDER BY id LIMIT ?',
  )
  let last = after
  // Often the first one is enough.
  for (let limit = 1; ; limit = Math.min(limit * 2, maxBlocksAtOnce)) {
    const rows = statement.all(last, (segment + 1) * idsPerSegment, limit)
    for (const row of rows) yield row.data as Uint8Array
    if (rows.length < limit) return
    last = Number(rows.at(-1)!.id)
  }
}

export function listOf(ledger: SqliteDatabase, segment: number, { list }: TermEntry): Uint8Array {
  if (typeof list !== 'number') return list
  return ledger.sql('SELECT data FROM passage_blocks WHERE id = ?').get(segment * idsPerSegment + list)!
    .data as Uint8Array
}
