// Reads transcripts of a large sweep in other threads while the main thread writes. They share one list,
// of which each takes the next transcript; at most two batches of each are in flight.
import { setImmediate } from 'node:timers/promises'
import type { Config } from '../../core/config/config.ts'
import type { Machine } from '../../core/paths.ts'
import { startThread, threadMain } from '../../core/worker-thread.ts'
import type { Cursor } from '../../store/sessions/transcripts.ts'
import type { CaptureSources, DiscoveredTranscript } from '../context.ts'
import type { ReadJob, ReadResult } from './read-batches.ts'

/** Transcripts are given by path, because readers are functions: the thread finds them itself. */
export interface ReadThreadJob {
  machine: Machine
  config: Config
  changed: { agent: string; path: string; stamp: string; size: number; bornMs: number; changedMs: number }[]
  cursors: Map<string, Cursor>
  maxLength: number | undefined
  partSize: number | undefined
  isolated: number
  /** Place of the next transcript that no thread has taken, in shared memory. */
  next: Int32Array
  position: ThreadPosition
}

export type ReadThreadMessage = { kind: 'result'; result: ReadResult } | { kind: 'done' }

/** Below this size another thread costs more time than it saves. */
const minThreadBytes = 16_000_000
/** The writer is busy with what so many threads read, and each takes up to 150 MB of memory. */
const maxThreads = 4

export function isWorthThread(changed: readonly DiscoveredTranscript[], minBytes = minThreadBytes): boolean {
  return changed.reduce((sum, { size }) => sum + size, 0) > minBytes
}

/** One thread per core: the writer needs less than one. */
export function threadCount(
  changed: readonly DiscoveredTranscript[],
  { cores, minBytes = minThreadBytes }: { cores: number; minBytes?: number | undefined },
): number {
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  return Math.max(1, Math.min(cores, maxThreads, changed.length, Math.floor(bytes / minBytes)))
}

/**
 * Where a thread is: the place of the transcript that it reads, and the byte offset in it. It is in
 * shared memory, so that it is known after the thread has died.
 */
export type ThreadPosition = Float64Array

function newThreadPosition(): ThreadPosition {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)).fill(-1)
}

export interface DeadThread {
  /** Of the transcript that it was reading; -1 if it had not begun. */
  place: number
  offset: number
  error: Error
}

export interface PoolOptions {
  threads: number
  maxHeapMb: number
  onDeath(thread: DeadThread): void
}

/** Gives the results of all threads as they come. A thread that dies does not stop the others. */
export async function* readInThreadPool(
  { machine, config }: CaptureSources,
  { changed, cursors, maxLength, partSize, isolated = 0 }: ReadJob,
  { threads, maxHeapMb, onDeath }: PoolOptions,
): AsyncGenerator<ReadResult> {
  const job: Omit<ReadThreadJob, 'position'> = {
    machine: { ...machine, env: { ...machine.env } },
    config,
    changed: changed.map(({ agent, transcript, ...one }) => ({ ...one, agent: agent.id, path: transcript.path })),
    cursors: new Map(cursors),
    maxLength,
    partSize,
    isolated,
    next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  }
  const queue = createQueue<{ thread: number; message: ReadThreadMessage | { kind: 'died'; error: Error } }>()
  const positions = Array.from({ length: threads }, newThreadPosition)
  const started = positions.map((position, thread) =>
    startThread<ReadThreadMessage>(threadMain(import.meta.url, 'read-thread-main'), {
      name: 'reading',
      data: { ...job, position },
      onMessage: (message) => queue.put({ thread, message }),
      onEnd: (error) => queue.put({ thread, message: { kind: 'died', error } }),
      maxHeapMb,
    }),
  )
  const running = new Set(started.keys())
  try {
    while (running.size > 0) {
      // Node hands over what one thread sends until it pauses, which a thread that reads faster than the
      // writer writes never does; the others would wait until the end with recent transcripts.
      await setImmediate()
      const { thread, message } = await queue.take()
      if (!running.has(thread)) continue
      if (message.kind === 'result') {
        started[thread]!.post('next')
        yield message.result
        continue
      }
      running.delete(thread)
      if (message.kind !== 'died') continue
      const [place, offset] = positions[thread]!
      onDeath({ place: place!, offset: offset!, error: message.error })
    }
  } finally {
    await Promise.all(started.map((thread) => thread.terminate()))
  }
}

interface MessageQueue<T> {
  put(item: T): void
  take(): Promise<T>
}

function createQueue<T>(): MessageQueue<T> {
  const items: T[] = []
  let wake = () => {}
  return {
    put(item) {
      items.push(item)
      wake()
    },
    async take() {
      while (items.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return items.shift()!
    },
  }
}
