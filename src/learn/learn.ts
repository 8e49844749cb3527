// learn: finds what is worth remembering in the exchanges that no judge has seen. Each session is
// read as a list of steps; windows are judged by rules (ahead of time, in a second thread) or by
// models. Memories and the cursor of a session are written in one transaction, so a killed run
// loses and repeats nothing.
import { isoTime } from '../core/clock.ts'
import { isSystemError, messageOf, UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import type { MemoryDraft } from '../memory/draft.ts'
import { deleteDeadLettersWithin, endCooldowns, sessionsWithDeadLetters } from '../store/memories/dead-letters.ts'
import { type UnlearnedSession, unlearnedSession, unlearnedSessions } from '../store/memories/learning.ts'
import { saveCallYield } from '../store/memories/model-calls.ts'
import { releasePages } from '../store/search/passages.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { logWork, logWorkOnce } from '../store/work-log.ts'
import { judgeByModel, type MissedVerdict, type ModelFindings, type ModelVerdict, modelWindow } from './ask-model.ts'
import {
  type LearnContext,
  type LearnReport,
  modelsMayJudge,
  type RememberedExchange,
  rulesMayJudge,
} from './context.ts'
import { keepWindow, retryDeadLetters } from './dead-letters.ts'
import { deleteExpiredCandidates } from './expire-candidates.ts'
import { forkIsAlone, forkPlace, judgeByFork, maxForked } from './fork-judge.ts'
import { judgeAhead } from './judge-thread.ts'
import { admitLearned, createWriter, type MemoryWriter, retractLearned } from './memory-writer.ts'
import { replaceRulesResults } from './replace-rules-results.ts'
import { type JudgeJob, judgeByRules, judgeSteps, type LearnStep, readSteps, type WindowStep } from './steps.ts'
import { deepTurns, type LearnWindow, rangeOf } from './windows.ts'

export async function learn(
  context: LearnContext,
  onProgress?: (done: number, of: number) => void,
): Promise<LearnReport> {
  const report: LearnReport = {
    ...{ learned: 0, proposed: 0, merged: 0, superseded: 0, inbox: 0, dropped: 0, missed: 0 },
    failed: [],
    leftTo: new Map(),
  }
  if (!context.config.learn.isOn) return report
  deleteExpiredCandidates(context)
  await retryDeadLetters(context, (uid, found) => {
    settleFindings({ context, report }, uid, found, () =>
      admitLearned(context, { uid, cwd: null }, replaceRulesResults(context, uid, found.drafts), report),
    )
  })
  const todo = unlearnedSessions(context.ledger)
  const waiting = rulesMayJudge(context) ? new Set<string>() : sessionsWithDeadLetters(context.ledger)
  const writer = createWriter(context, report)
  let done = 0
  for await (const { id, job, steps } of judgeAhead(todo, (id) => rulesJob(context, id), context.isMemoryPath)) {
    const session = job?.session ?? unlearnedSession(context.ledger, id)
    try {
      if (session && job) await learnByRules(startSession(context, session, { writer, report }), job, steps)
      else if (session && !waiting.has(session.uid))
        await learnSession(startSession(context, session, { writer, report }))
    } catch (error) {
      if (isSystemError(error) || error instanceof UserError) throw error
      report.failed.push(`${session?.uid}: ${messageOf(error)}`)
    }
    onProgress?.(++done, todo.length)
  }
  writer.flush()
  if (todo.length > maxSessionsBeforeRelease) releasePages(context.ledger)
  return report
}

/** After this many sessions the index has been merged more than once: free its pages. */
const maxSessionsBeforeRelease = 100

/** The state of one session while it is learned from. */
interface SessionRun {
  context: LearnContext
  session: UnlearnedSession
  writer: MemoryWriter
  report: LearnReport
  /** End of the last judged window, and turns since the last deep pass. */
  through: number
  turns: number
  /** The text moved while it was read: the cursor must not pass the last judged window. */
  isMoved: boolean
}

function startSession(
  context: LearnContext,
  session: UnlearnedSession,
  { writer, report }: Pick<SessionRun, 'writer' | 'report'>,
): SessionRun {
  const { learnedThrough: through, turnsSinceDeep: turns } = session
  return { context, session, writer, report, through, turns, isMoved: false }
}

/** A turn without a hook event counts as over after this pause. */
const quietMs = 5 * 60_000
/** A session without an end event counts as over after this pause. */
const restMs = 30 * 60_000
/** The hook may run before the transcript has its last line. */
const hookLeadMs = 5000
const dayMs = 86_400_000

interface SessionPhase {
  /** The agent has answered: the last exchange is complete. */
  isOver: boolean
  isAtRest: boolean
  /** Recent enough for a model to judge it. */
  isFresh: boolean
}

function phaseOf(context: LearnContext, { endedMs, lastHookMs, hasEnded }: UnlearnedSession): SessionPhase {
  const sinceMs = context.clock.nowMs() - (endedMs ?? 0)
  const hasHookEnded = lastHookMs !== null && lastHookMs + hookLeadMs >= (endedMs ?? 0)
  return {
    isOver: hasHookEnded || sinceMs > quietMs,
    isAtRest: hasEnded || sinceMs > restMs,
    isFresh: modelsMayJudge(context) && sinceMs < context.config.learn.freshDays * dayMs,
  }
}

/** The job for a session that rules judge; undefined if a model or no judge is used. */
function rulesJob(context: LearnContext, id: number): JudgeJob | undefined {
  const session = unlearnedSession(context.ledger, id)
  if (!session?.body || session.isSubagent || !rulesMayJudge(context)) return undefined
  return phaseOf(context, session).isFresh ? undefined : jobOf(context, session)
}

function jobOf(context: LearnContext, session: UnlearnedSession): JudgeJob {
  const { uid, project, endedMs } = session
  return {
    session,
    range: rangeOf(context.ledger, session, session.body!),
    isOver: phaseOf(context, session).isOver,
    source: { session: uid, project, at: isoTime(endedMs ?? context.clock.nowMs()) },
    memoryFolders: context.memoryFolders(session.agent),
  }
}

async function learnByRules(run: SessionRun, { isOver }: JudgeJob, steps: Iterable<LearnStep>): Promise<void> {
  await applySteps(run, steps)
  saveEnd(run, isOver)
}

/** Learns from a session that is recent, or that rules may not judge. */
async function learnSession(run: SessionRun): Promise<void> {
  const { context, session, writer } = run
  if (session.isSubagent || !session.body) return saveCursor(run, session.events, 0)
  writer.flush()
  const { isAtRest, isFresh } = phaseOf(context, session)
  const job = jobOf(context, session)
  const { isOver } = job
  if (!isFresh) {
    // Without rules no judge reads an old session: then it is done only if it has no new window.
    const read = rulesMayJudge(context) ? judgeSteps : readSteps
    if (await applySteps(run, read(job, context.isMemoryPath))) saveEnd(run, isOver)
    return
  }
  // Capture continues meanwhile, so everything is read before a model is asked.
  const all = [...readSteps(job, context.isMemoryPath)]
  const windows = all.filter((step) => step.kind === 'window')
  const others = all.filter((step) => step.kind !== 'window')
  await applySteps(run, others)
  const turns = windows.reduce((sum, { window }) => sum + window.turns, 0)
  const { everyTurns } = context.config.learn
  const isForkFirst = forkPlace(context, session) === 'first'
  // A fork judges whole turns: an exchange of a running turn must not be left to the other judges.
  if ((!isAtRest && turns < everyTurns) || (isForkFirst && !isOver)) {
    if (windows.length > 0) logPostponed(run, isForkFirst ? 'the turn is not over' : `${turns} of ${everyTurns} turns`)
    return
  }
  const forked = isForkFirst ? await learnByFork(run, windows) : undefined
  if (forked?.kind === 'answered') return
  if (forked?.kind === 'missed' && forkIsAlone(context)) return keepForFork(run, windows, forked)
  const judge = modelJudge(run, job, forked?.kind === 'missed' ? forked : undefined)
  if (await applySteps(run, windows, judge)) saveEnd(run, isOver)
  writer.flush()
}

/** Null if no judge takes the window. */
type WindowJudge = (window: LearnWindow & { isDeep: boolean }) => Promise<WindowVerdict | null> | null

type WindowVerdict = ({ by: 'model' } & ModelFindings) | { by: 'rules'; drafts: MemoryDraft[] }

const noJudge: WindowJudge = () => null

/**
 * Applies the steps in order. Stops at a window without a judge and returns false: the cursor
 * stays before it.
 */
async function applySteps(run: SessionRun, steps: Iterable<LearnStep>, judge: WindowJudge = noJudge): Promise<boolean> {
  const { context, session, writer, report } = run
  for (const step of steps) {
    switch (step.kind) {
      case 'judged':
        addWindow(run, step, step.drafts)
        break
      case 'window': {
        const isDeep = run.turns + step.window.turns >= deepTurns
        const verdict = await judge({ ...step.window, isDeep })
        if (!verdict) return false
        const { fromSeq, toSeq } = step.window
        const add = () => {
          addWindow(run, step.window, verdict.drafts, verdict.by)
          if (verdict.by === 'model') deleteDeadLettersWithin(context.ledger, session.uid, fromSeq, toSeq)
        }
        if (verdict.by === 'model') settleFindings(run, session.uid, verdict, add)
        else add()
        break
      }
      case 'causes':
        writer.add({ session, drafts: step.drafts, through: run.through, turns: run.turns })
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
  return true
}

/**
 * Answers of models are saved at once; a window in which rules found nothing can be judged again.
 */
function addWindow(
  run: SessionRun,
  { turns, toSeq }: Pick<LearnWindow, 'turns' | 'toSeq'>,
  drafts: readonly MemoryDraft[],
  by?: WindowVerdict['by'],
): void {
  const { session, writer } = run
  run.turns = run.turns + turns >= deepTurns ? 0 : run.turns + turns
  run.through = toSeq
  const progress = { session, drafts, through: run.through, turns: run.turns, isByModel: by === 'model' }
  if (drafts.length > 0 || by) writer.add(progress)
  if (by) writer.flush()
}

/** The place in the session makes the row unique: the next sweep reads the same state again. */
function logPostponed({ context, session }: SessionRun, reason: string): void {
  const { ledger, clock } = context
  const detail = `learning: ${reason} (${session.events} events)`
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'postponed', detail })
}

function addLeft(
  { leftTo }: LearnReport,
  { agent, uid }: UnlearnedSession,
  { said, paths }: Omit<RememberedExchange, 'session'>,
): void {
  leftTo.set(agent, [...(leftTo.get(agent) ?? []), { session: uid, said, paths }])
}

function logWaiting({ context, session }: Pick<SessionRun, 'context' | 'session'>, detail: string): void {
  const { ledger, clock } = context
  logWork(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'waits', detail })
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

/**
 * A model, else a fork where it comes after the models, else rules. What a model should have judged
 * is kept for it. `missed` tells why a fork before all models did not judge.
 */
function modelJudge({ context, report }: SessionRun, job: JudgeJob, missed?: MissedVerdict): WindowJudge {
  const { session, source } = job
  const isForkLast = forkPlace(context, session) === 'later'
  return async (window) => {
    const question = modelWindow(session, window)
    const verdicts: ModelVerdict[] = [await judgeByModel(context, question)]
    if (isForkLast && verdicts[0]!.kind !== 'answered')
      verdicts.push(await judgeByFork(context, session, window.said, window.fromSeq))
    const answered = verdicts.find((verdict) => verdict.kind === 'answered')
    if (answered) return { by: 'model', ...answered }
    const open = [...verdicts, ...(missed ? [missed] : [])].find((verdict) => verdict.kind === 'missed')
    if (open) {
      await keepWindow(context, question, window, open)
      report.missed += window.turns
      logWaiting({ context, session }, open.reason)
    }
    return rulesMayJudge(context) ? { by: 'rules', drafts: judgeByRules(window, source) } : null
  }
}

/** One letter for all windows: the fork judges everything that follows the first. */
async function keepForFork(run: SessionRun, windows: readonly WindowStep[], missed: MissedVerdict): Promise<void> {
  const { context, session, report } = run
  const said = windows.flatMap(({ window }) => window.said)
  const [first, last] = [windows[0]?.window, windows.at(-1)?.window]
  if (!first || !last) return
  const question = modelWindow(session, { ...first, said, isDeep: false })
  await keepWindow(context, question, { fromSeq: first.fromSeq, toSeq: last.toSeq }, missed)
  logWaiting(run, missed.reason)
  report.missed += windows.reduce((sum, { window }) => sum + window.turns, 0)
}

async function learnByFork(run: SessionRun, windows: readonly WindowStep[]): Promise<ModelVerdict> {
  const { context, session, writer } = run
  const said = windows.flatMap(({ window }) => window.said)
  if (said.length > maxForked) {
    const detail = `${said.length} messages of the user are too many for a fork: left to the next judge`
    logWorkOnce(context.ledger, { atMs: context.clock.nowMs(), session: session.uid, what: 'skipped', detail })
    return { kind: 'unavailable' }
  }
  const fromSeq = windows[0]?.window.fromSeq ?? session.learnedThrough
  const judged = await judgeByFork(context, session, said, fromSeq)
  if (judged.kind !== 'answered') return judged
  settleFindings(run, session.uid, judged, () => {
    writer.add({ session, drafts: judged.drafts, through: session.events, turns: 0, isByModel: true })
    writer.flush()
    deleteDeadLettersWithin(context.ledger, session.uid, fromSeq, session.events)
  })
  return judged
}

/** Admits what a model found, and records what came of its calls. */
function settleFindings(
  { context, report }: Pick<SessionRun, 'context' | 'report'>,
  session: string,
  { drafts, dropped, calls }: ModelFindings,
  admit: () => void,
): void {
  const { ledger, clock } = context
  const before = report.learned + report.merged
  admit()
  const saved = report.learned + report.merged - before
  report.dropped += dropped
  for (const [index, call] of calls.entries())
    saveCallYield(ledger, call, index === 0 ? { saved, dropped } : { saved: 0, dropped: 0 })
  if (dropped > 0) {
    const detail = `${dropped} of ${plural(dropped + drafts.length, 'memory', 'memories')} of a model: no quote or text`
    logWork(ledger, { atMs: clock.nowMs(), session, what: 'dropped', detail })
  }
  if (calls.length > 0) endCooldowns(ledger, 'memories', clock.nowMs())
}

/** Moves the cursor to the end of what was read completely. */
function saveEnd(run: SessionRun, isOver: boolean): void {
  const { session, through, turns, isMoved } = run
  saveCursor(run, isOver && !isMoved ? Math.max(through, session.events) : through, turns)
}

function saveCursor({ session, writer }: SessionRun, through: number, turns: number): void {
  if (through === session.learnedThrough && turns === session.turnsSinceDeep) return
  writer.add({ session, drafts: [], through, turns })
}
