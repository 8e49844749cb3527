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
  maxLength: number
}

export type ReadThreadMessage = { kind: 'result'; result: ReadResult } | { kind: 'done' }

/** The heap of the thread is small: the main thread reads what is larger. */
const maxLengthInThread = 20_000_000

/** Below this size a second thread costs more time than it saves. */
const minThreadBytes = 16_000_000

export function isWorthThread(changed: readonly DiscoveredTranscript[]): boolean {
  return changed.reduce((sum, { size }) => sum + size, 0) > minThreadBytes
}

export async function* readInThread({ machine, config }: CaptureSources, job: ReadJob): AsyncGenerator<ReadResult> {
  const threadJob: ReadThreadJob = {
    machine: { ...machine, env: { ...machine.env } },
    config,
    changed: job.changed.map(({ transcript, stamp }) => ({ path: transcript.path, stamp })),
    cursors: new Map(job.cursors),
    maxLength: maxLengthInThread,
  }
  const queue = createQueue<ReadThreadMessage>()
  const thread = startThread<ReadThreadMessage>(threadMain(import.meta.url, 'read-thread-main'), {
    name: 'reading',
    data: threadJob,
    onMessage: queue.put,
    onEnd: queue.fail,
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
