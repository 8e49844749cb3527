// Reads transcripts of a large sweep in a second thread while the main thread writes. The same code
// makes the same batches in the same order; at most two of them are in flight.
import type { Config } from '../core/config/config.ts'
import type { Machine } from '../core/paths.ts'
import { startThread, threadMain } from '../core/worker-thread.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { CaptureSources, DiscoveredTranscript } from './context.ts'
import type { ReadJob, ReadResult } from './read-batches.ts'

/**
 * Transcripts are given by path, because readers are functions: the thread discovers them itself.
 */
export interface ReadThreadJob {
  machine: Machine
  config: Config
  changed: { path: string; stamp: string }[]
  cursors: Map<string, Cursor>
  maxLength: number | undefined
  isolated: number
  /** Shared memory: index of the transcript that is being read, and byte offset in it. */
  position: Float64Array
}

const noTranscript = -1

export type ReadThreadMessage = { kind: 'result'; result: ReadResult } | { kind: 'done' }

/** Below this size a second thread costs more time than it saves. */
const minThreadBytes = 16_000_000

export function isWorthThread(changed: readonly DiscoveredTranscript[]): boolean {
  return changed.reduce((sum, { size }) => sum + size, 0) > minThreadBytes
}

export interface ThreadPosition {
  /** Transcript that is being read; undefined before the first. */
  transcript(): DiscoveredTranscript | undefined
  offset(): number
}

export interface ReadThreadOptions {
  maxHeapMb?: number
  /** Receives the position of the thread, which can be asked for after the thread has died. */
  onStart?(position: ThreadPosition): void
}

/** Throws if the thread ends before it has read everything. */
export async function* readInThread(
  { machine, config }: CaptureSources,
  { changed, cursors, maxLength, isolated = 0 }: Omit<ReadJob, 'position'>,
  { maxHeapMb, onStart }: ReadThreadOptions = {},
): AsyncGenerator<ReadResult> {
  const shared = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT))
  shared[0] = noTranscript
  onStart?.({ transcript: () => changed[shared[0]!], offset: () => shared[1]! })
  const threadJob: ReadThreadJob = {
    machine: { ...machine, env: { ...machine.env } },
    config,
    changed: changed.map(({ transcript, stamp }) => ({ path: transcript.path, stamp })),
    cursors: new Map(cursors),
    maxLength,
    isolated,
    position: shared,
  }
  const queue = createQueue<ReadThreadMessage>()
  const thread = startThread<ReadThreadMessage>(threadMain(import.meta.url, 'read-thread-main'), {
    name: 'reading',
    data: threadJob,
    onMessage: queue.put,
    onEnd: queue.fail,
    ...(maxHeapMb === undefined ? {} : { maxHeapMb }),
  })
  try {
    for (;;) {
      const message = await queue.take()
      if (message.kind === 'done') return
      thread.post('next')
      yield message.result
    }
  } finally {
    await thread.terminate()
  }
}

interface MessageQueue<T> {
  put(item: T): void
  fail(error: Error): void
  take(): Promise<T>
}

function createQueue<T>(): MessageQueue<T> {
  const items: T[] = []
  let failure: Error | undefined
  let wake = () => {}
  return {
    put(item) {
      items.push(item)
      wake()
    },
    fail(error) {
      failure ??= error
      wake()
    },
    async take() {
      while (items.length === 0) {
        if (failure) throw failure
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return items.shift()!
    },
  }
}
