// Reads changed transcripts and yields batches that are ready to be written. Many small transcripts
// share a batch; a large one makes several, so that memory stays bounded.
import type { DocumentTranscript, LogTranscript } from '../agents/agent.ts'
import { messageOf } from '../core/errors.ts'
import { LineTooLong, parseLine, readLines } from '../core/jsonl.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import { createCollector, partSize } from './collect.ts'
import type { DiscoveredTranscript, PrepareTools, TranscriptPart } from './context.ts'
import { type PreparedBatch, prepareBatch } from './prepare.ts'
import { resumePoint } from './resume.ts'

export type ReadResult =
  | { kind: 'batch'; batch: PreparedBatch; bytesDone: number }
  | { kind: 'failed'; path: string; reason: string }
  /** For the memory of this thread; the main thread reads it. */
  | { kind: 'too large'; path: string }

export interface ReadJob {
  changed: readonly DiscoveredTranscript[]
  /** Cursors of the transcripts that were read before, by path. */
  cursors: ReadonlyMap<string, Cursor>
  /** Of a line, and of a whole document. */
  maxLength?: number
}

export function* readBatches({ changed, cursors, maxLength }: ReadJob, tools: PrepareTools): Generator<ReadResult> {
  const bytes = changed.reduce((sum, one) => sum + one.size, 0)
  let parts: TranscriptPart[] = []
  let size = 0
  let bytesDone = 0
  const batch = (done: number): ReadResult => {
    const prepared = prepareBatch(parts, tools)
    parts = []
    size = 0
    return { kind: 'batch', batch: prepared, bytesDone: done }
  }
  for (const one of changed) {
    try {
      for (const part of readParts(one, cursors.get(one.transcript.path), maxLength)) {
        parts.push(part)
        size += part.data.size
        const done = bytesDone + part.cursor.offset
        if (size > batchSize(Math.min(done, bytes - done))) yield batch(done)
      }
    } catch (error) {
      const { path } = one.transcript
      if (error instanceof LineTooLong) yield { kind: 'too large', path }
      else yield { kind: 'failed', path, reason: messageOf(error) }
    }
    bytesDone += one.size
  }
  if (parts.length > 0) yield batch(bytesDone)
}

/**
 * The first and last batches are small: the writer waits for the first, the reader is idle after
 * the last.
 */
function batchSize(bytesToEnd: number): number {
  return Math.min(partSize, Math.max(partSize / 8, bytesToEnd / 8))
}

/** Problem of a line that its agent is still writing; it is read with the next sweep. */
export const unfinishedLine = 'the last line is not complete yet'

/** Reads one transcript in parts. A line or document longer than `maxLength` throws LineTooLong. */
export function readParts(
  found: DiscoveredTranscript,
  cursor: Cursor | undefined,
  maxLength = Number.POSITIVE_INFINITY,
): Iterable<TranscriptPart> {
  if (found.transcript.shape === 'log') return readLog(found, found.transcript, cursor, maxLength)
  if (found.size > maxLength) throw new LineTooLong()
  return readDocument(found, found.transcript, cursor)
}

function* readLog(
  found: DiscoveredTranscript,
  transcript: LogTranscript,
  cursor: Cursor | undefined,
  maxLength: number,
): Generator<TranscriptPart> {
  const { path } = transcript
  const collector = createCollector()
  if (cursor?.isIgnored) {
    yield { found, data: collector.take(), cursor: { ...cursor, stamp: found.stamp }, from: Number.MAX_SAFE_INTEGER }
    return
  }
  const { from, state, witness } = resumePoint(cursor, path, found.size)
  const reader = transcript.open(collector.out, state)
  let begun = from
  let next = from
  const part = (stamp: string): TranscriptPart => {
    const at = { path, stamp, offset: next, ...witness.hashes(), state: reader.state(), isIgnored: false }
    const result = { found, data: collector.take(), cursor: at, from: begun }
    begun = next
    return result
  }
  for (const line of readLines(path, from, maxLength)) {
    const after = line.offset + line.bytes.length + (line.isWhole ? 1 : 0)
    if (transcript.isNoise?.(line.bytes)) {
      witness.take(line.bytes, line.isWhole)
      next = after
      continue
    }
    const { records, bad } = parseLine(line.bytes)
    if (bad && !line.isWhole) {
      // Still being written, or torn for good: it is read again when the file grows.
      collector.out.problem(line.offset, unfinishedLine)
      break
    }
    if (bad) collector.out.problem(line.offset + bad.at, bad.reason)
    for (const record of records) {
      try {
        reader.record(record, line.offset)
      } catch (error) {
        collector.out.problem(line.offset, `not understood (${error instanceof Error ? error.name : 'error'})`)
      }
    }
    witness.take(line.bytes, line.isWhole)
    next = after
    // An empty stamp until the end is reached: a sweep that is stopped here must find the file
    // changed.
    if (collector.size() > partSize) yield part('')
  }
  yield part(found.stamp)
}

function* readDocument(
  found: DiscoveredTranscript,
  transcript: DocumentTranscript,
  cursor: Cursor | undefined,
): Generator<TranscriptPart> {
  const { path } = transcript
  const collector = createCollector()
  for (let state = cursor?.state, from = 0; ; from = Number.MAX_SAFE_INTEGER) {
    state = transcript.read(collector.out, state)
    const isDone = !collector.wasFull()
    const at = { path, stamp: isDone ? found.stamp : '', offset: 0, head: null, tail: null, state, isIgnored: false }
    yield { found, data: collector.take(), cursor: at, from }
    if (isDone) return
  }
}
