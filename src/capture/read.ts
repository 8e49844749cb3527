// Reading one changed transcript, in parts small enough to hold: each part comes with the cursor that stands behind it.
import type { DocumentTranscript, LogTranscript } from '../agents/agent.ts'
import { LineTooLong, parseLine, readLines } from '../core/jsonl.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { Found } from './discover.ts'
import { gather, type Load, partSize } from './gather.ts'
import { resumePoint } from './resume.ts'

export interface Part {
  one: Found
  load: Load
  cursor: Cursor
  /** What was said about the file from this offset on no longer holds: it has been read again. */
  from: number
}

/** Said of a line that its writer has not ended; it is read with the next sweep. */
export const unfinishedLine = 'the last line is not complete yet'

/** `longest` is what may be held at once: a longer line, or a larger document, throws LineTooLong. */
export function readParts(one: Found, cursor: Cursor | undefined, longest = Number.POSITIVE_INFINITY): Iterable<Part> {
  if (one.transcript.shape === 'log') return readLog(one, one.transcript, cursor, longest)
  if (one.size > longest) throw new LineTooLong()
  return readDocument(one, one.transcript, cursor)
}

function* readLog(one: Found, transcript: LogTranscript, cursor: Cursor | undefined, longest: number): Generator<Part> {
  const { path } = transcript
  const gathering = gather()
  if (cursor?.isIgnored) {
    yield { one, load: gathering.take(), cursor: { ...cursor, stamp: one.stamp }, from: Number.MAX_SAFE_INTEGER }
    return
  }
  const { from, state, witness } = resumePoint(cursor, path, one.size)
  const reader = transcript.open(gathering.out, state)
  let begun = from
  let next = from
  const part = (stamp: string): Part => {
    const at = { path, stamp, offset: next, ...witness.hashes(), state: reader.state(), isIgnored: false }
    const result = { one, load: gathering.take(), cursor: at, from: begun }
    begun = next
    return result
  }
  for (const line of readLines(path, from, longest)) {
    const after = line.offset + line.bytes.length + (line.isWhole ? 1 : 0)
    if (transcript.isNoise?.(line.bytes)) {
      witness.take(line.bytes, line.isWhole)
      next = after
      continue
    }
    const { records, bad } = parseLine(line.bytes)
    if (bad && !line.isWhole) {
      // Still being written, or torn for good: it is read again when the file grows.
      gathering.out.problem(line.offset, unfinishedLine)
      break
    }
    if (bad) gathering.out.problem(line.offset + bad.at, bad.reason)
    for (const record of records) {
      try {
        reader.record(record, line.offset)
      } catch (error) {
        gathering.out.problem(line.offset, `not understood (${error instanceof Error ? error.name : 'error'})`)
      }
    }
    witness.take(line.bytes, line.isWhole)
    next = after
    // Not the file's real stamp yet: if we are stopped here, the next sweep must see that there is more.
    if (gathering.size() > partSize) yield part('')
  }
  yield part(one.stamp)
}

function* readDocument(one: Found, transcript: DocumentTranscript, cursor: Cursor | undefined): Generator<Part> {
  const { path } = transcript
  const gathering = gather()
  for (let state = cursor?.state, from = 0; ; from = Number.MAX_SAFE_INTEGER) {
    state = transcript.read(gathering.out, state)
    const isDone = !gathering.wasFull()
    const at = { path, stamp: isDone ? one.stamp : '', offset: 0, head: null, tail: null, state, isIgnored: false }
    yield { one, load: gathering.take(), cursor: at, from }
    if (isDone) return
  }
}
