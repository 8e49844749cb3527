// Large sweeps read in a second thread while the first one writes. Nothing else differs: the same code makes the same
// batches in the same order, and at most two of them wait.
import type { Config } from '../core/config.ts'
import type { Machine } from '../core/paths.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { Found, Sources } from './discover.ts'
import type { Job, Produced } from './produce.ts'

/** What the reading thread is told. Transcripts are named by path: it finds them again itself. */
export interface ThreadJob {
  machine: Machine
  config: Config
  changed: { path: string; stamp: string }[]
  cursors: Map<string, Cursor>
  longest: number
}

export type ThreadMessage = { kind: 'produced'; produced: Produced } | { kind: 'done' }

/** The thread has little memory, so that large sweeps take little; what is larger than this is left to the main thread. */
const longest = 20_000_000
const heap = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 128 }

/** A record that grows beyond all measure when it is parsed ends the thread all the same; the rest is read without it. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** Below this a second thread costs more than it brings. */
const worthIt = 16_000_000

export function isLarge(changed: readonly Found[]): boolean {
  return changed.reduce((sum, { size }) => sum + size, 0) > worthIt
}

export async function* produceInThread({ machine, config }: Sources, job: Job): AsyncGenerator<Produced> {
  const threadJob: ThreadJob = {
    machine: { ...machine, env: { ...machine.env } },
    config,
    changed: job.changed.map(({ transcript, stamp }) => ({ path: transcript.path, stamp })),
    cursors: new Map(job.cursors),
    longest,
  }
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(threadEntry(), {
    workerData: threadJob,
    resourceLimits: heap,
  })
  const inbox = newInbox<ThreadMessage>()
  worker.on('message', (message: ThreadMessage) => inbox.put(message))
  worker.on('error', (error) => inbox.fail(error))
  worker.on('exit', (code) => inbox.fail(new Error(`the reading thread ended with ${code}`)))
  try {
    for (;;) {
      const message = await inbox.take()
      if (message.kind === 'done') return
      worker.postMessage('next')
      yield message.produced
    }
  } finally {
    await worker.terminate()
  }
}

/** Run directly from source in development; in the bundle this code may lie in a chunk one folder down. */
function threadEntry(): URL {
  const here = import.meta.url
  const name = here.endsWith('.ts')
    ? './thread-main.ts'
    : here.includes('/chunks/')
      ? '../thread-main.js'
      : './thread-main.js'
  return new URL(name, here)
}

interface Inbox<T> {
  put(item: T): void
  fail(error: Error): void
  take(): Promise<T>
}

function newInbox<T>(): Inbox<T> {
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
