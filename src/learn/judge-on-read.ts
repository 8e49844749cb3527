// Judges sessions by rules while another stage reads their text, so that learning does not read it
// again. Learning checks that a session is still the same, and judges all others itself.
import type { SessionBody, StoredEvent } from '../store/sessions/bodies.ts'
import type { LearnContext } from './context.ts'
import { jobOf } from './rules-pass.ts'
import { type JudgeJob, judgeSteps, type LearnStep } from './steps.ts'

/** Characters of drafts and messages that are kept; later sessions are judged by learning. */
const maxKept = 8_000_000

/** Returns a function that takes all events of a session. */
export function judgeOnRead(
  context: LearnContext,
): (session: { id: number; body: SessionBody }, events: readonly StoredEvent[]) => void {
  const judged = new Map<number, { job: JudgeJob; steps: LearnStep[] }>()
  context.judgedBefore = judged
  let kept = 0
  return ({ id, body }, events) => {
    if (kept > maxKept || !context.config.learn.isOn) return
    const job = jobOf(context, id)
    if (job?.range.start !== 0 || job.range.body.file !== body.file || job.range.body.bytes !== body.bytes) return
    // A copy, because a part of a text keeps the whole of it in memory.
    const json = JSON.stringify([...judgeSteps(job, context.isMemoryPath, events)])
    kept += json.length
    judged.set(id, { job, steps: JSON.parse(json) as LearnStep[] })
  }
}
