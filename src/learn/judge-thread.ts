// Judging ahead of admission. Rules need nothing of the ledger, admission nothing but the ledger: where there is much to judge,
// most sessions are read and judged in a second thread while the first one admits what was found, in the same order as ever.
import { type IsMemoryPath, type JudgeJob, judgeSteps, type LearnStep } from './steps.ts'

export interface Judged {
  id: number
  /** What was judged; undefined where rules do not judge this session. */
  job: JudgeJob | undefined
  steps: Iterable<LearnStep>
}

export type JudgeMessage = { id: number; steps: LearnStep[] }

/** Below this many bytes of text a second thread costs more than it brings. */
const minThreadBytes = 8_000_000
/** So many sessions are looked at before it is their turn. */
const lookAhead = 100
/** The thread has little memory, so that large sweeps take little. */
const heap = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 128 }
/** Admission takes nearly as long as judging: only every so many sessions are judged beside it. */
const ownShare = 4

export async function* judgeAhead(
  ids: readonly number[],
  toJudge: (id: number) => JudgeJob | undefined,
  isMemoryPath: IsMemoryPath,
): AsyncGenerator<Judged> {
  const queue: { id: number; job: JudgeJob | undefined; found: Promise<LearnStep[]> | undefined }[] = []
  let thread: Thread | undefined
  let next = 0
  let bytes = 0
  const look = () => {
    const id = ids[next++]!
    const job = toJudge(id)
    bytes += job?.stretch.body.raw ?? 0
    if (!thread && bytes > minThreadBytes) thread = startThread()
    const isOwn = !job || !thread || next % ownShare === 0
    queue.push({ id, job, found: isOwn ? undefined : thread!.judge(id, job) })
  }
  try {
    for (;;) {
      while (next < ids.length && queue.length < lookAhead) look()
      const one = queue.shift()
      if (!one) return
      const job = toJudge(one.id)
      const here = () => (job ? judgeSteps(job, isMemoryPath) : [])
      const isFound = one.found && one.job && job && isSame(one.job, job)
      yield { id: one.id, job, steps: isFound ? await one.found!.catch(here) : here() }
    }
  } finally {
    await thread?.end()
  }
}

/**
 * It was judged ahead of its turn, and may have grown, been written anew or come to its end since: what was found is about nothing
 * but what was asked.
 */
function isSame(before: JudgeJob, now: JudgeJob): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

interface Thread {
  /** Fails where the thread has died; then it is judged here. */
  judge(id: number, job: JudgeJob): Promise<LearnStep[]>
  end(): Promise<unknown>
}

function startThread(): Thread {
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const worker = new Worker(threadEntry(), { resourceLimits: heap })
  const waiting = new Map<number, { resolve(steps: LearnStep[]): void; reject(error: Error): void }>()
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
  worker.on('message', ({ id, steps }: JudgeMessage) => {
    waiting.get(id)?.resolve(steps)
    waiting.delete(id)
  })
  worker.on('error', fail)
  worker.on('exit', (code) => fail(new Error(`the judging thread ended with ${code}`)))
  return {
    judge(id, job) {
      const found = new Promise<LearnStep[]>((resolve, reject) => {
        if (failure) return reject(failure)
        waiting.set(id, { resolve, reject })
        worker.postMessage({ id, job })
      })
      found.catch(() => {}) // whoever takes it looks
      return found
    },
    end: () => worker.terminate(),
  }
}

/** Run directly from source in development; in the bundle this code lies in a chunk one folder down. */
function threadEntry(): URL {
  const here = import.meta.url
  return new URL(here.endsWith('.ts') ? './ahead-main.ts' : '../ahead-main.js', here)
}
