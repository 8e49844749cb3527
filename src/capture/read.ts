// Reading one changed transcript, in parts small enough to hold: each part comes with the cursor that stands behind it.
import type { DocumentTranscript, LogTranscript } from '../agents/agent.ts'
import { parseLine, readLines } from '../core/jsonl.ts'
import type { Json } from '../core/session.ts'
import type { Cursor } from '../store/cursors.ts'
import type { Found } from './discover.ts'
import { gather, type Load, partSize } from './gather.ts'
import { identityOf, resumePoint, witnesses } from './resume.ts'

export interface Part {
  one: Found
  load: Load
  cursor: Cursor
  /** What was said about the file from this offset on no longer holds: it has been read again. */
  from: number
}

/** Said of a line that its writer has not ended; it is read with the next sweep. */
export const unfinishedLine = 'the last line is not complete yet'

export function readParts(one: Found, cursor: Cursor | undefined): Iterable<Part> {
  return one.transcript.shape === 'log'
    ? readLog(one, one.transcript, cursor)
    : readDocument(one, one.transcript, cursor)
}

function* readLog(one: Found, transcript: LogTranscript, cursor: Cursor | undefined): Generator<Part> {
  const { path } = transcript
  const gathering = gather()
  if (cursor?.isIgnored) {
    yield { one, load: gathering.take(), cursor: { ...cursor, stamp: one.stamp }, from: Number.MAX_SAFE_INTEGER }
    return
  }
  const { from, state } = resumePoint(cursor, path, one.size)
  const reader = transcript.open(gathering.out, state)
  const begunAs = identityOf(path)
  let begun = from
  let next = from
  const part = (stamp: string): Part => {
    const at = identityOf(path) === begunAs ? cursorAt(path, stamp, next, reader.state()) : fromTheStart(path)
    const result = { one, load: gathering.take(), cursor: at, from: begun }
    begun = next
    return result
  }
  for (const line of readLines(path, from)) {
    const after = line.offset + line.bytes.length + (line.isWhole ? 1 : 0)
    if (transcript.isNoise?.(line.bytes)) {
      next = after
      continue
    }
    const { records, bad } = parseLine(transcript.trim?.(line.bytes) ?? line.bytes)
    if (bad && !line.isWhole) {
      // Still being written, or torn for good: it is read again when the file grows.
      gathering.out.bad(line.offset, unfinishedLine)
      break
    }
    if (bad) gathering.out.bad(line.offset + bad.at, bad.reason)
    for (const record of records) {
      try {
        reader.record(record, line.offset)
      } catch (error) {
        gathering.out.bad(line.offset, `not understood (${error instanceof Error ? error.name : 'error'})`)
      }
    }
    next = after
    // Not the file's real stamp yet: if we are stopped here, the next sweep must see that there is more.
    if (gathering.size() > partSize) yield part('')
  }
  yield part(one.stamp)
}

function cursorAt(path: string, stamp: string, offset: number, state: Json): Cursor {
  return { path, stamp, offset, ...witnesses(path, offset), state, isIgnored: false }
}

/** The file was replaced or rewritten while it was read: what was read is kept, and the next sweep reads it all again. */
function fromTheStart(path: string): Cursor {
  return { path, stamp: '', offset: 0, head: null, tail: null, state: undefined, isIgnored: false }
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
