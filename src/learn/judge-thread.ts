// Judges sessions ahead of admission. Rules do not need the ledger, admission needs nothing else:
// if there is much to judge, most sessions are judged in a second thread while the main thread
// admits their candidates, in the same order.
import { startThread, threadMain } from '../core/worker-thread.ts'
import { type IsMemoryPath, type JudgeJob, judgeSteps, type LearnStep } from './steps.ts'

export interface Judged {
  id: number
  /** What was judged; undefined where rules do not judge this session. */
  job: JudgeJob | undefined
  steps: Iterable<LearnStep>
}

export type JudgeMessage = { id: number; steps: LearnStep[] }

/** Below this many bytes of text a second thread costs more time than it saves. */
const minThreadBytes = 8_000_000
/** Sessions that are queued for the thread before it is their turn. */
const lookAhead = 100
/**
 * The main thread judges every fourth session itself: admission keeps it nearly as busy as judging.
 */
const ownShare = 4

/** What was found in a session by a stage that has read its text before. */
export type JudgedBefore = ReadonlyMap<number, { job: JudgeJob; steps: LearnStep[] }>

export async function* judgeAhead(
  ids: readonly number[],
  toJudge: (id: number) => JudgeJob | undefined,
  isMemoryPath: IsMemoryPath,
  before: JudgedBefore = new Map(),
): AsyncGenerator<Judged> {
  const queue: { id: number; job: JudgeJob | undefined; found: Promise<LearnStep[]> | undefined }[] = []
  let thread: JudgeThread | undefined
  let next = 0
  let bytes = 0
  const look = () => {
    const id = ids[next++]!
    const known = before.get(id)
    if (known) {
      queue.push({ id, job: known.job, found: Promise.resolve(known.steps) })
      return
    }
    const job = toJudge(id)
    bytes += job?.range.body.raw ?? 0
    if (!thread && bytes > minThreadBytes) thread = startJudgeThread()
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
 * A session that was judged ahead may have grown, been rewritten or ended since; then the result is
 * stale and the session is judged again.
 */
function isSame(before: JudgeJob, now: JudgeJob): boolean {
  return JSON.stringify(before) === JSON.stringify(now)
}

interface JudgeThread {
  /** Rejects if the thread has ended; then the main thread judges the session. */
  judge(id: number, job: JudgeJob): Promise<LearnStep[]>
  end(): Promise<unknown>
}

function startJudgeThread(): JudgeThread {
  const waiting = new Map<number, { resolve(steps: LearnStep[]): void; reject(error: Error): void }>()
  let failure: Error | undefined
  const fail = (error: Error) => {
    failure ??= error
    for (const { reject } of waiting.values()) reject(failure)
    waiting.clear()
  }
  const thread = startThread<JudgeMessage>(threadMain(import.meta.url, 'judge-thread-main'), {
    name: 'judging',
    onMessage({ id, steps }) {
      waiting.get(id)?.resolve(steps)
      waiting.delete(id)
    },
    onEnd: fail,
  })
  return {
    judge(id, job) {
      const found = new Promise<LearnStep[]>((resolve, reject) => {
        if (failure) return reject(failure)
        waiting.set(id, { resolve, reject })
        thread.post({ id, job })
      })
      found.catch(() => {}) // handled by the caller that awaits it
      return found
    },
    end: thread.terminate,
  }
}
