// Reads the changed transcripts of a sweep. A large sweep is read in a second thread while the main
// thread writes. A transcript of which the thread dies costs that transcript alone.
import { messageOf } from '../core/errors.ts'
import type { Ledger } from '../store/ledger.ts'
import { type Cursor, readCursor } from '../store/sessions/transcripts.ts'
import type { CaptureContext, CaptureSources, DiscoveredTranscript } from './context.ts'
import type { CaptureFailure } from './failure.ts'
import { createIgnoreFilter } from './prepare.ts'
import { type ReadJob, type ReadResult, readBatches } from './read-batches.ts'
import { isWorthThread, newThreadPosition, readInThread } from './read-thread.ts'

/** A transcript that is too large for the thread is read in another thread. */
export type CaptureResult = Exclude<ReadResult, { kind: 'too large' }>

export interface ThreadLimits {
  /** Lines and documents that are longer need a large heap. */
  maxLength?: number
  smallHeapMb?: number
  /** Of a thread that reads one transcript which was too much for the usual one. */
  largeHeapMb?: number
}

export async function* readChanged(
  context: CaptureContext,
  job: Pick<ReadJob, 'changed' | 'cursors'>,
): AsyncGenerator<CaptureResult> {
  if (isWorthThread(job.changed)) return yield* readInThreads(context, job, context.ledger)
  const tools = { ...(await context.loadTools()), isIgnored: createIgnoreFilter(context) }
  for (const result of readBatches(job, tools)) if (result.kind !== 'too large') yield result
}

/**
 * A thread dies if a transcript needs more memory than it has. Which one that was is found by
 * another thread that reads the suspects apart. It is then read with a large heap, and has failed
 * if that thread dies too. All others are read as usual.
 */
export async function* readInThreads(
  sources: CaptureSources,
  { changed, cursors }: Pick<ReadJob, 'changed' | 'cursors'>,
  ledger: Ledger,
  { maxLength = 20_000_000, smallHeapMb = 128, largeHeapMb = 1024 }: ThreadLimits = {},
): AsyncGenerator<CaptureResult> {
  const finished = new Set<string>()
  const begun = new Set<string>()
  const large = new Set<DiscoveredTranscript>()
  const currentCursors = (of: readonly DiscoveredTranscript[]) =>
    new Map([
      ...cursors,
      ...readCursors(
        ledger,
        of.filter(({ transcript }) => begun.has(transcript.path)),
      ),
    ])
  let suspects: readonly DiscoveredTranscript[] = []
  for (;;) {
    const rest = changed.filter((one) => !finished.has(one.transcript.path) && !large.has(one))
    const isolated = rest.filter((one) => suspects.includes(one)).length
    if (rest.length === 0) break
    const position = newThreadPosition()
    const job = { changed: rest, cursors: currentCursors(rest), maxLength, isolated }
    try {
      for await (const result of readInThread(sources, job, { maxHeapMb: smallHeapMb, position })) {
        if (result.kind === 'too large') large.add(rest.find(({ transcript }) => transcript.path === result.path)!)
        else yield result
        for (const path of finishedPaths(result)) finished.add(path)
        for (const path of unfinishedPaths(result)) begun.add(path)
      }
      break
    } catch (error) {
      const index = position[0]!
      const last = rest[index]
      if (!last) throw error // not because of a transcript
      if (index < isolated) large.add(last)
      suspects = rest.slice(0, index + 1)
    }
  }
  for (const one of large) yield* readWithLargeHeap(sources, one, currentCursors([one]), largeHeapMb)
}

async function* readWithLargeHeap(
  sources: CaptureSources,
  one: DiscoveredTranscript,
  cursors: ReadonlyMap<string, Cursor>,
  maxHeapMb: number,
): AsyncGenerator<CaptureResult> {
  const position = newThreadPosition()
  try {
    for await (const result of readInThread(sources, { changed: [one], cursors }, { maxHeapMb, position })) {
      if (result.kind !== 'too large') yield result
    }
  } catch (error) {
    yield { kind: 'failed', failure: deathOf(one, position[1]!, error, maxHeapMb) }
  }
}

function deathOf(
  { transcript }: DiscoveredTranscript,
  offset: number,
  error: unknown,
  maxHeapMb: number,
): CaptureFailure {
  const isOutOfMemory = (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
  const reason = isOutOfMemory ? `reading it takes more than ${maxHeapMb} MB of memory` : messageOf(error)
  return { path: transcript.path, offset, reason, isRetried: false }
}

/** Transcripts that need no second attempt: read to their end, or failed. */
function finishedPaths(result: ReadResult): string[] {
  if (result.kind === 'too large') return []
  if (result.kind === 'failed') return [result.failure.path]
  return result.batch.ends.filter(({ cursor }) => cursor.stamp !== '').map(({ cursor }) => cursor.path)
}

function unfinishedPaths(result: ReadResult): string[] {
  if (result.kind !== 'batch') return []
  return result.batch.ends.filter(({ cursor }) => cursor.stamp === '').map(({ cursor }) => cursor.path)
}

export function readCursors(ledger: Ledger, found: readonly DiscoveredTranscript[]): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>()
  for (const { transcript } of found) {
    const cursor = readCursor(ledger, transcript.path)
    if (cursor) cursors.set(transcript.path, cursor)
  }
  return cursors
}
