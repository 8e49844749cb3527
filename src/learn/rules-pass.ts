// Reads the exchanges that rules have not read, judges them ahead of time in a second thread, and
// writes candidates together with the cursor of the session.
import { isoTime } from '../core/clock.ts'
import { isSystemError, messageOf, UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import { type UnlearnedSession, unlearnedSession, unlearnedSessions } from '../store/memories/learning.ts'
import { releasePages } from '../store/search/passages.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { logWorkOnce } from '../store/work-log.ts'
import { type LearnContext, type LearnReport, type RememberedExchange, rulesMayJudge } from './context.ts'
import { judgeAhead } from './judge-thread.ts'
import { createWriter, type MemoryWriter, retractLearned } from './memory-writer.ts'
import { phaseOf, teachesNothing } from './session-phase.ts'
import type { JudgeJob, LearnStep } from './steps.ts'
import { rangeOf } from './windows.ts'

export async function readByRules(
  context: LearnContext,
  report: LearnReport,
  onProgress?: (done: number, of: number) => void,
): Promise<void> {
  const { ledger } = context
  const todo = unlearnedSessions(ledger)
  const writer = createWriter(context, report)
  let done = 0
  const judged = judgeAhead(todo, (id) => jobOf(context, id), context.isMemoryPath, context.judgedBefore)
  for await (const { id, job, steps } of judged) {
    const session = job?.session ?? unlearnedSession(ledger, id)
    try {
      if (session && job) applySteps({ context, session, writer, report, isMoved: false }, job, steps)
      else if (session && isNeverRead(context, session)) writer.add({ session, drafts: [], through: session.events })
    } catch (error) {
      if (isSystemError(error) || error instanceof UserError) throw error
      report.failed.push(`${session?.uid}: ${messageOf(error)}`)
    }
    onProgress?.(++done, todo.length)
  }
  writer.flush()
  context.judgedBefore?.clear()
  if (todo.length > maxSessionsBeforeRelease) releasePages(ledger)
}

/** After this many sessions the index has been merged more than once: free its pages. */
const maxSessionsBeforeRelease = 100

/** The state of one session while it is read. */
interface SessionRun {
  context: LearnContext
  session: UnlearnedSession
  writer: MemoryWriter
  report: LearnReport
  /** The text moved while it was read: the cursor must not pass the last judged window. */
  isMoved: boolean
}

/** Undefined if the session is not read now. */
export function jobOf(context: LearnContext, id: number): JudgeJob | undefined {
  const session = unlearnedSession(context.ledger, id)
  if (!session?.body || session.isSubagent || teachesNothing(session)) return undefined
  return jobFor(context, session, session.learnedThrough)
}

/** The job of reading a session from an event on; the session must have a body. */
export function jobFor(context: LearnContext, session: UnlearnedSession, from: number): JudgeJob {
  const { uid, project, endedMs } = session
  return {
    session,
    range: rangeOf(context.ledger, session, from),
    isOver: phaseOf(context.clock, session).isOver,
    isJudged: rulesMayJudge(context),
    source: { session: uid, project, at: isoTime(endedMs ?? context.clock.nowMs()) },
    memoryFolders: context.memoryFolders(session.agent),
  }
}

/** A session that has no work yet may get some: it is passed over only when it is at rest. */
function isNeverRead({ ledger, clock }: LearnContext, session: UnlearnedSession): boolean {
  if (session.isSubagent || !session.body) return true
  const reason = teachesNothing(session)
  if (!reason || !phaseOf(clock, session).isAtRest) return false
  const detail = `not learned from: ${reason}`
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'skipped', detail })
  return true
}

function applySteps(run: SessionRun, { isOver, isJudged }: JudgeJob, steps: Iterable<LearnStep>): void {
  const { context, session, writer, report } = run
  let through = session.learnedThrough
  let messages = 0
  let found = 0
  for (const step of steps) {
    switch (step.kind) {
      case 'judged':
        through = step.toSeq
        messages += step.messages
        found += step.drafts.length
        // A window in which rules found nothing can be read again.
        if (step.drafts.length > 0) writer.add({ session, drafts: step.drafts, through })
        break
      case 'window':
        through = step.window.toSeq
        break
      case 'causes':
        writer.add({ session, drafts: step.drafts, through })
        break
      case 'retracted':
        writer.flush()
        retractLearned(context.ledger, session.uid, step.ids, isoTime(context.clock.nowMs()))
        break
      case 'left to agent':
        addLeft(report, session, step)
        for (const path of step.paths) logSkipped(run, path)
        break
      case 'damaged':
        if (hasMoved(run)) run.isMoved = true
        else reportDamage(context, step.path, step.reason)
        break
      default:
        step satisfies never
    }
  }
  const end = isOver && !run.isMoved ? Math.max(through, session.events) : through
  const log = messages > 0 && isJudged ? { log: readText(messages, found) } : {}
  if (log.log || end !== session.learnedThrough) writer.add({ session, drafts: [], through: end, ...log })
}

/** Statements that are known already are counted, too: admission decides about them later. */
function readText(messages: number, found: number): string {
  return `${plural(messages, 'message')} read by rules: ${found > 0 ? `${found} proposed` : 'nothing found'}`
}

function addLeft(
  { leftTo }: LearnReport,
  { agent, uid }: UnlearnedSession,
  { said, paths }: Omit<RememberedExchange, 'session'>,
): void {
  leftTo.set(agent, [...(leftTo.get(agent) ?? []), { session: uid, said, paths }])
}

function logSkipped({ context, session }: SessionRun, path: string): void {
  const { ledger, clock } = context
  const detail = `the agent wrote ${path} itself`
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'skipped', detail })
}

/** The text was packed into another file while it was read: the next run reads it there. */
function hasMoved({ context, session }: SessionRun): boolean {
  return unlearnedSession(context.ledger, session.id)?.body?.file !== session.body!.file
}

function reportDamage({ ledger, clock }: LearnContext, path: string, reason: string): void {
  reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
}
