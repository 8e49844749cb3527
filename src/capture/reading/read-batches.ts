// Reads changed transcripts and yields batches that are ready to be written. Many small transcripts
// share a batch; a large one makes several, so that memory stays bounded.
import type { DocumentTranscript, LogTranscript } from '../../agents/agent.ts'
import { LineTooLong, parseJsonlLine, readLines } from '../../core/jsonl.ts'
import type { Cursor } from '../../store/sessions/transcripts.ts'
import { createCollector, partSize as usualPartSize } from '../collect.ts'
import type { DiscoveredTranscript, PrepareTools, TranscriptPart } from '../context.ts'
import { createCopyRecorder } from '../copies/copy-lines.ts'
import { type CaptureFailure, failureOf } from '../failure.ts'
import { type PreparedBatch, prepareBatch } from '../prepare.ts'
import { resumePoint } from './resume.ts'

export type ReadResult =
  /** `bytes` of transcripts were read for it. */
  | { kind: 'batch'; batch: PreparedBatch; bytes: number }
  | { kind: 'failed'; failure: CaptureFailure }
  /** For the memory of this thread. */
  | { kind: 'too large'; path: string }

export interface ReadJob {
  changed: readonly DiscoveredTranscript[]
  /** Cursors of the transcripts that were read before, by path. */
  cursors: ReadonlyMap<string, Cursor>
  /** Of a line, and of a whole document. */
  maxLength?: number
  /** Characters of events in a part of a large transcript. */
  partSize?: number | undefined
  /** So many transcripts at the beginning share a batch with no other. */
  isolated?: number
  /** Places in `changed` to read, where several threads share it; all of them by default. */
  places?: Iterable<number>
  /** Called with the byte offset of each line before it is read. */
  onPosition?: OnPosition
}

type OnPosition = (path: string, offset: number) => void

export function* readBatches(job: ReadJob, tools: PrepareTools): Generator<ReadResult> {
  const { changed, cursors, maxLength, partSize = usualPartSize, isolated = 0 } = job
  const bytesAfter = bytesBehindEach(changed)
  let parts: TranscriptPart[] = []
  let size = 0
  let done = 0
  let reported = 0
  const prepare = function* (): Generator<ReadResult> {
    const taken = parts
    const bytes = done - reported
    reported = done
    parts = []
    size = 0
    yield* prepareParts(taken, bytes, tools)
  }
  for (const place of job.places ?? changed.keys()) {
    const one = changed[place]!
    const { path } = one.transcript
    const before = done
    let offset = 0
    const onPosition: OnPosition = (path, at) => {
      offset = at
      job.onPosition?.(path, at)
    }
    onPosition(path, cursors.get(path)?.offset ?? 0)
    try {
      for (const part of readParts(one, cursors.get(path), { maxLength, partSize, onPosition, isDistinct: true })) {
        parts.push(part)
        size += part.data.size
        done = before + part.cursor.offset
        const bytesToEnd = Math.min(done, bytesAfter[place]! + one.size - part.cursor.offset)
        if (size <= batchSize(bytesToEnd, partSize)) continue
        for (const result of prepare()) {
          yield result
          if (result.kind === 'failed' && result.failure.path === path) throw new StopReading()
        }
      }
    } catch (error) {
      if (error instanceof LineTooLong) yield { kind: 'too large', path }
      else if (!(error instanceof StopReading)) yield { kind: 'failed', failure: failureOf(path, offset, error) }
    }
    done = before + one.size
    if (place < isolated && parts.length > 0) yield* prepare()
  }
  if (parts.length > 0) yield* prepare()
}

/** For each transcript, the bytes of those behind it. */
function bytesBehindEach(changed: readonly DiscoveredTranscript[]): number[] {
  let bytes = 0
  return changed
    .map((_, index) => changed[changed.length - 1 - index]!)
    .map(({ size }) => {
      const after = bytes
      bytes += size
      return after
    })
    .reverse()
}

/** A part of this transcript has failed and was reported. */
class StopReading extends Error {}

/** If a batch cannot be prepared, each part is tried alone, so that one does not stop the rest. */
function* prepareParts(parts: TranscriptPart[], bytes: number, tools: PrepareTools): Generator<ReadResult> {
  const prepared = tryPrepare(parts, tools)
  if (prepared.kind === 'prepared') {
    yield { kind: 'batch', batch: prepared.batch, bytes }
    return
  }
  if (parts.length === 1) {
    const { found, from } = parts[0]!
    yield { kind: 'failed', failure: failureOf(found.transcript.path, from, prepared.error) }
    return
  }
  const failed = new Set<string>()
  for (const [index, part] of parts.entries()) {
    if (failed.has(part.found.transcript.path)) continue // its cursor must not pass the failed part
    for (const result of prepareParts([part], index === 0 ? bytes : 0, tools)) {
      if (result.kind === 'failed') failed.add(result.failure.path)
      yield result
    }
  }
}

type Preparation = { kind: 'prepared'; batch: PreparedBatch } | { kind: 'failed'; error: unknown }

function tryPrepare(parts: TranscriptPart[], tools: PrepareTools): Preparation {
  try {
    return { kind: 'prepared', batch: prepareBatch(parts, tools) }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/**
 * Characters in a batch of several transcripts. At most a third of what a part of a large one may have: the
 * events of many small sessions are short, and take several times their text in memory. The first and last
 * batches are small: the writer waits for the first, the reader is idle after the last.
 */
function batchSize(bytesToEnd: number, partSize: number): number {
  return Math.min(partSize / 3, Math.max(partSize / 8, bytesToEnd / 8))
}

/** Lines of a part are usually two to three times as long as their events. */
const maxCopyRatio = 3

/** Problem of a line that its agent is still writing; it is read with the next sweep. */
export const unfinishedLine = 'the last line is not complete yet'

export interface ReadOptions {
  /** A longer line or document throws LineTooLong. */
  maxLength?: number | undefined
  partSize?: number | undefined
  onPosition?: OnPosition
  /** Keep an event that a log repeats once: the ledger would refuse it, and the writer would pack the rest again. */
  isDistinct?: boolean
}

/** Reads one transcript in parts. */
export function readParts(
  found: DiscoveredTranscript,
  cursor: Cursor | undefined,
  options: ReadOptions = {},
): Iterable<TranscriptPart> {
  if (found.transcript.shape === 'log') return readLog(found, found.transcript, cursor, options)
  if (found.size > (options.maxLength ?? Number.POSITIVE_INFINITY)) throw new LineTooLong()
  return readDocument(found, found.transcript, cursor, options)
}

function* readLog(
  found: DiscoveredTranscript,
  transcript: LogTranscript,
  cursor: Cursor | undefined,
  { maxLength, partSize = usualPartSize, onPosition, isDistinct = false }: ReadOptions,
): Generator<TranscriptPart> {
  const { path } = transcript
  const collector = createCollector({ isDistinct })
  if (cursor?.isIgnored) {
    yield { found, data: collector.take(), cursor: { ...cursor, stamp: found.stamp }, from: Number.MAX_SAFE_INTEGER }
    return
  }
  const { from, state, witness } = resumePoint(cursor, path, found.size, transcript.rewrittenBytes)
  const reader = transcript.open(collector.out, state)
  const copy = createCopyRecorder(from)
  let begun = from
  let next = from
  const part = (stamp: string): TranscriptPart => {
    const at = { path, stamp, offset: next, ...witness.hashes(), state: reader.state(), isIgnored: false }
    const kept = transcript.isIndex ? {} : { copy: copy.take() }
    const data = { ...collector.take(), ...kept }
    const result = { found, data, cursor: at, from: begun }
    begun = next
    return result
  }
  for (const line of readLines(path, from, maxLength === undefined ? {} : { maxHeldBytes: maxLength })) {
    const after = line.offset + line.length + (line.isWhole ? 1 : 0)
    onPosition?.(path, line.offset)
    if (transcript.isNoise?.(line.bytes)) {
      copy.add(line, [], true)
      witness.take(line.bytes, line.isWhole)
      next = after
      continue
    }
    const { records, bad, omitted, text } = parseJsonlLine(line)
    if (bad && !line.isWhole && !line.isTooLong) {
      // Still being written, or torn for good: it is read again when the file grows.
      collector.out.problem(line.offset, unfinishedLine)
      break
    }
    if (bad) collector.out.problem(line.offset + bad.at, bad.reason)
    if (omitted) collector.out.problem(line.offset, omitted)
    for (const record of records) {
      try {
        reader.record(record, line.offset)
      } catch (error) {
        collector.out.problem(line.offset, `not understood (${error instanceof Error ? error.name : 'error'})`)
      }
    }
    copy.add(line, collector.takeEvents(), !bad, text)
    witness.take(line.bytes, line.isWhole)
    next = after
    // An empty stamp until the end is reached: a sweep that is stopped here must find the file
    // changed.
    if (collector.size() > partSize || (!transcript.isIndex && copy.size() > maxCopyRatio * partSize)) yield part('')
  }
  yield part(found.stamp)
}

function* readDocument(
  found: DiscoveredTranscript,
  transcript: DocumentTranscript,
  cursor: Cursor | undefined,
  { partSize = usualPartSize }: ReadOptions,
): Generator<TranscriptPart> {
  const { path } = transcript
  const collector = createCollector({ fullSize: partSize })
  for (let state = cursor?.state, from = 0; ; from = Number.MAX_SAFE_INTEGER) {
    state = transcript.read(collector.out, state)
    const isDone = !collector.wasFull()
    const at = { path, stamp: isDone ? found.stamp : '', offset: 0, head: null, tail: null, state, isIgnored: false }
    yield { found, data: collector.take(), cursor: at, from }
    if (isDone) return
  }
}
