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
  position: ThreadPosition
}

export type ReadThreadMessage = { kind: 'result'; result: ReadResult } | { kind: 'done' }

/** Below this size a second thread costs more time than it saves. */
const minThreadBytes = 16_000_000

export function isWorthThread(changed: readonly DiscoveredTranscript[]): boolean {
  return changed.reduce((sum, { size }) => sum + size, 0) > minThreadBytes
}

/**
 * Where a thread is: the index of the transcript that it reads, and the byte offset in it. It is in
 * shared memory, so that it is known after the thread has died.
 */
export type ThreadPosition = Float64Array

export function newThreadPosition(): ThreadPosition {
  return new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT)).fill(-1)
}

/** Throws if the thread ends before it has read everything. */
export async function* readInThread(
  { machine, config }: CaptureSources,
  { changed, cursors, maxLength, isolated = 0 }: ReadJob,
  { maxHeapMb, position }: { maxHeapMb: number; position: ThreadPosition },
): AsyncGenerator<ReadResult> {
  const threadJob: ReadThreadJob = {
    machine: { ...machine, env: { ...machine.env } },
    config,
    changed: changed.map(({ transcript, stamp }) => ({ path: transcript.path, stamp })),
    cursors: new Map(cursors),
    maxLength,
    isolated,
    position,
  }
  const queue = createQueue<ReadThreadMessage>()
  const thread = startThread<ReadThreadMessage>(threadMain(import.meta.url, 'read-thread-main'), {
    name: 'reading',
    data: threadJob,
    onMessage: queue.put,
    onEnd: queue.fail,
    maxHeapMb,
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
