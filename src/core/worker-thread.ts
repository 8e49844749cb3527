// Starts worker threads. They get a small heap, so that a large sweep needs little memory, and
// every way in which one can end reaches the caller as one error.
export interface WorkerThread {
  post(message: unknown): void
  terminate(): Promise<unknown>
}

export interface ThreadOptions<Message> {
  /** For error messages: "reading", "judging". */
  name: string
  data?: unknown
  onMessage(message: Message): void
  /** The thread has failed or ended; may be called more than once. */
  onEnd(error: Error): void
  /** Limit of its heap. A thread that needs more ends; the process goes on. */
  maxHeapMb?: number
}

const smallHeapMb = 128
const maxYoungGenerationSizeMb = 48

/** `main` is the URL of the thread's program: see `threadMain`. */
export function startThread<Message>(main: URL, options: ThreadOptions<Message>): WorkerThread {
  const { name, data, onMessage, onEnd, maxHeapMb = smallHeapMb } = options
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const resourceLimits = { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: maxHeapMb }
  const worker = new Worker(main, { workerData: data, resourceLimits })
  worker.on('message', onMessage)
  worker.on('error', onEnd)
  worker.on('exit', (code) => onEnd(new Error(`the ${name} thread ended with ${code}`)))
  return { post: (message) => worker.postMessage(message), terminate: () => worker.terminate() }
}

/**
 * URL of `<name>.ts` beside the calling file. In the bundle the program lies in dist/, while the
 * caller may be in a chunk one folder down.
 */
export function threadMain(callerUrl: string, name: string): URL {
  if (callerUrl.endsWith('.ts')) return new URL(`./${name}.ts`, callerUrl)
  return new URL(`${callerUrl.includes('/chunks/') ? '../' : './'}${name}.js`, callerUrl)
}
