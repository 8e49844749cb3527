// The passages that contain a term, as bytes. A list is a sequence of runs, one for each group of
// passages: a session, or all sources of a standalone kind. Runs are complete in themselves, so two
// lists are joined by appending one to the other, and a filter skips whole groups.
//
// run:     group × 2 + 1 and one posting, or group × 2, the number of postings, and these
// posting: distance of the source × 2 + 1 and its part, or distance × 2 if it is the first part;
//          then one byte of how often the term occurs and how long the passage is
import { type ByteBuffer, byteReader, pushByte, pushVarint } from './bytes.ts'

/** Passages of one source: `place` is the source within its group times this, plus the part. */
export const partsPerSource = 32

export interface PostingRun {
  group: number
  count: number
  /** Places within the group, ascending; only the first `count` are of this run. */
  places: number[]
  /** Made by `occurrenceByte`. */
  occurrences: number[]
}

export function appendRun(list: ByteBuffer, { group, count, places, occurrences }: PostingRun): void {
  const zigzag = group >= 0 ? group * 2 : -group * 2 - 1
  pushVarint(list, zigzag * 2 + (count === 1 ? 1 : 0))
  if (count > 1) pushVarint(list, count)
  let last = 0
  for (let index = 0; index < count; index++) {
    const source = Math.floor(places[index]! / partsPerSource)
    const part = places[index]! % partsPerSource
    pushVarint(list, (source - last) * 2 + (part === 0 ? 0 : 1))
    if (part > 0) pushByte(list, part)
    pushByte(list, occurrences[index]!)
    last = source
  }
}

/** Calls `visit` with each run; the arrays of the run are reused. */
export function forEachRun(list: Uint8Array, visit: (run: PostingRun) => void): void {
  const reader = byteReader(list)
  const run: PostingRun = { group: 0, count: 0, places: [], occurrences: [] }
  while (reader.at < list.length) {
    const head = reader.varint()
    const zigzag = Math.floor(head / 2)
    run.group = zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    run.count = head % 2 === 1 ? 1 : reader.varint()
    let source = 0
    for (let index = 0; index < run.count; index++) {
      const step = reader.varint()
      source += Math.floor(step / 2)
      const part = step % 2 === 1 ? list[reader.at++]! : 0
      run.places[index] = source * partsPerSource + part
      run.occurrences[index] = list[reader.at++]!
    }
    visit(run)
  }
}

/** Removes the postings of a run whose place is not wanted. */
export function keepPlaces(run: PostingRun, isWanted: (place: number) => boolean): void {
  let kept = 0
  for (let index = 0; index < run.count; index++) {
    if (!isWanted(run.places[index]!)) continue
    run.places[kept] = run.places[index]!
    run.occurrences[kept++] = run.occurrences[index]!
  }
  run.count = kept
}

/** Classes of the number of occurrences, in halves, because an action counts half. */
const frequencies = [1, 2, 3, 4, 6, 8, 12, 16]
const lengthClasses = 32
const lengthStep = 1.22

/** `halves` is twice the number of occurrences in speech plus that in actions; `length` in terms. */
export function occurrenceByte(halves: number, length: number): number {
  let frequency = 0
  while (frequency < frequencies.length - 1 && frequencies[frequency + 1]! <= halves) frequency++
  return frequency * lengthClasses + classOfLength(length)
}

/** Logarithmic: a tenth more or less does not change a rank that matters. */
export function classOfLength(length: number): number {
  return Math.min(lengthClasses - 1, Math.round(Math.log(Math.max(1, length)) / Math.log(lengthStep)))
}

/** BM25 with the constants of FTS5. */
const saturation = 1.2
const lengthLoss = 0.75

/** What an occurrence contributes by its byte, to be multiplied by the weight of the term. */
export function occurrenceScores(averageLength: number): Float64Array {
  return Float64Array.from({ length: frequencies.length * lengthClasses }, (_, byte) => {
    const frequency = frequencies[Math.floor(byte / lengthClasses)]! / 2
    const length = lengthStep ** (byte % lengthClasses) / (averageLength || 1)
    return (frequency * (saturation + 1)) / (frequency + saturation * (1 - lengthLoss + lengthLoss * length))
  })
}
