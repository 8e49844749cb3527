// Reads the changed transcripts of a sweep. A large sweep is read in other threads while the main
// thread writes. A transcript of which a thread dies costs that transcript alone.
import { availableParallelism } from 'node:os'
import { messageOf } from '../../core/errors.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type Cursor, readCursor } from '../../store/sessions/transcripts.ts'
import type { CaptureContext, CaptureSources, DiscoveredTranscript } from '../context.ts'
import type { CaptureFailure } from '../failure.ts'
import { createIgnoreFilter } from '../prepare.ts'
import { type ReadJob, type ReadResult, readBatches } from './read-batches.ts'
import { newestFirst } from './read-order.ts'
import { type DeadThread, isWorthThread, readInThreadPool, threadCount } from './read-thread.ts'

/** A transcript that is too large for the thread is read in another thread. */
export type CaptureResult = Exclude<ReadResult, { kind: 'too large' }>

export interface ThreadLimits {
  /** Less is read in the main thread. */
  minBytes?: number
  /** Lines and documents that are longer need a large heap. */
  maxLength?: number
  smallHeapMb?: number
  /** Of a thread that reads one transcript which was too much for the usual one. */
  largeHeapMb?: number
  /** Transcripts that threads get at once: each thread holds a list of them in memory. */
  maxTogether?: number
  /** Characters of events in a part of a large transcript. */
  partSize?: number
  /** Of the machine. */
  cores?: number
}

/** A large sweep is read newest first and by several threads, unless the order matters. */
export async function* readChanged(
  context: CaptureContext,
  job: Pick<ReadJob, 'changed' | 'cursors'>,
  { isInOrder = false, limits = {} }: { isInOrder?: boolean; limits?: ThreadLimits | undefined } = {},
): AsyncGenerator<CaptureResult> {
  if (isWorthThread(job.changed, limits.minBytes)) {
    const { ledger } = context
    if (isInOrder) return yield* readInThreads(context, job, ledger, { ...limits, cores: 1 })
    return yield* readInThreads(context, { ...job, changed: newestFirst(job.changed) }, ledger, limits)
  }
  const tools = { ...(await context.loadTools()), isIgnored: createIgnoreFilter(context) }
  for (const result of readBatches({ ...job, partSize: limits.partSize }, tools))
    if (result.kind !== 'too large') yield result
}

/**
 * A thread dies if a transcript needs more memory than it has. Which one that was is found by
 * reading the suspects apart. It is then read with a large heap, and has failed if that thread dies
 * too. All others are read as usual.
 */
export async function* readInThreads(
  sources: CaptureSources,
  { changed, cursors }: Pick<ReadJob, 'changed' | 'cursors'>,
  ledger: Ledger,
  limits: ThreadLimits = {},
): AsyncGenerator<CaptureResult> {
  const { maxLength = 20_000_000, smallHeapMb = 128, largeHeapMb = 1024 } = limits
  const { maxTogether = 10_000, cores = availableParallelism(), minBytes, partSize } = limits
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
  let suspects = new Set<DiscoveredTranscript>()
  for (;;) {
    const left = changed.filter((one) => !finished.has(one.transcript.path) && !large.has(one))
    const isolated = left.filter((one) => suspects.has(one))
    const rest = [...isolated, ...left.filter((one) => !suspects.has(one))].slice(0, maxTogether)
    if (rest.length === 0) break
    const job = { changed: rest, cursors: currentCursors(rest), maxLength, isolated: isolated.length, partSize }
    const dead: DeadThread[] = []
    const threads = threadCount(rest, { cores, minBytes })
    const options = { threads, maxHeapMb: smallHeapMb, onDeath: (one: DeadThread) => dead.push(one) }
    for await (const result of readInThreadPool(sources, job, options)) {
      if (result.kind === 'too large') large.add(rest.find(({ transcript }) => transcript.path === result.path)!)
      else yield result
      for (const path of finishedPaths(result)) finished.add(path)
      for (const path of unfinishedPaths(result)) begun.add(path)
    }
    // Also those that no thread has found, because they were deleted meanwhile.
    if (dead.length === 0) for (const { transcript } of rest) finished.add(transcript.path)
    for (const { place, error } of dead) {
      if (!rest[place]) throw error // not because of a transcript
      if (place < isolated.length) large.add(rest[place])
    }
    suspects = new Set(rest.slice(0, Math.max(-1, ...dead.map(({ place }) => place)) + 1))
  }
  for (const one of large)
    yield* readWithLargeHeap(sources, { changed: [one], cursors: currentCursors([one]), partSize }, largeHeapMb)
}

async function* readWithLargeHeap(
  sources: CaptureSources,
  job: Pick<ReadJob, 'changed' | 'cursors' | 'partSize'>,
  maxHeapMb: number,
): AsyncGenerator<CaptureResult> {
  const dead: DeadThread[] = []
  const options = { threads: 1, maxHeapMb, onDeath: (thread: DeadThread) => dead.push(thread) }
  for await (const result of readInThreadPool(sources, job, options)) {
    if (result.kind !== 'too large') yield result
  }
  for (const { offset, error } of dead)
    yield { kind: 'failed', failure: deathOf(job.changed[0]!, offset, error, maxHeapMb) }
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
