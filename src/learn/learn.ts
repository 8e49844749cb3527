// learn: from what happened to what is worth knowing. Takes the exchanges that no judge has seen, asks the judges in their
// order, and writes what passes admission together with how far it got: killed at any moment, nothing is lost or doubled.
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import type { MemoryCandidate } from '../memory/candidate.ts'
import { type UnlearnedSession, unlearnedSession, unlearnedSessions } from '../store/memories/learning.ts'
import { sessionsWithDeadLetters } from '../store/memories/model-calls.ts'
import { releasePages } from '../store/search/passages.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { judgeByModel, type ModelVerdict, retryDeadLetters } from './ask-model.ts'
import { type LearnContext, type LearnReport, modelsMayJudge, rulesMayJudge } from './context.ts'
import { forkPlace, judgeByFork } from './fork-judge.ts'
import { judgeAhead } from './judge-thread.ts'
import { admitLearned, createWriter, type MemoryWriter, retractLearned } from './memory-writer.ts'
import { judgeByRules, type SessionSource } from './rules.ts'
import type { JudgeJob, LearnStep } from './steps.ts'
import { deepTurns, type LearnWindow, rangeOf, windowsOf } from './windows.ts'

export async function learn(
  context: LearnContext,
  onProgress?: (done: number, of: number) => void,
): Promise<LearnReport> {
  const report: LearnReport = { learned: 0, merged: 0, superseded: 0, inbox: 0, leftTo: new Set() }
  if (!context.config.learn.isOn) return report
  await retryDeadLetters(context, (uid, candidates) => admitLearned(context, { uid, cwd: null }, candidates, report))
  const todo = unlearnedSessions(context.ledger)
  const waiting = rulesMayJudge(context) ? new Set<string>() : sessionsWithDeadLetters(context.ledger)
  const keeper = createWriter(context, report)
  const judged = judgeAhead(todo, (id) => toJudge(context, id), context.isMemoryPath)
  let done = 0
  for await (const { id, job, steps } of judged) {
    const session = job?.session ?? unlearnedSession(context.ledger, id)
    const learning = session && { context, session, keeper, report }
    if (learning && job) takeSteps(learning, job, steps)
    else if (learning && !waiting.has(session.uid)) await learnSession(learning)
    onProgress?.(++done, todo.length)
  }
  keeper.flush()
  if (todo.length > manySessions) releasePages(context.ledger)
  return report
}

/** After so many the index has been merged more than once. */
const manySessions = 100

/** What is at hand while a session is learned from. */
interface Learning {
  context: LearnContext
  session: UnlearnedSession
  keeper: MemoryWriter
  report: LearnReport
}

/** A pause this long ends a turn of which no hook tells. */
const quietMs = 5 * 60_000
/** And this long, a session. */
const restMs = 30 * 60_000
/** The hook may tell of the end before the transcript has its last line. */
const hookLeadMs = 5000
const dayMs = 86_400_000

interface Moment {
  isOver: boolean
  isAtRest: boolean
  /** Of late, and a model may judge it. */
  isFresh: boolean
}

function momentOf(context: LearnContext, { endedMs, lastHookMs: toldMs, hasEnded }: UnlearnedSession): Moment {
  const sinceMs = context.clock.nowMs() - (endedMs ?? 0)
  const isTold = toldMs !== null && toldMs + hookLeadMs >= (endedMs ?? 0)
  return {
    isOver: isTold || sinceMs > quietMs,
    isAtRest: hasEnded || sinceMs > restMs,
    isFresh: modelsMayJudge(context) && sinceMs < context.config.learn.freshDays * dayMs,
  }
}

/** A session that rules judge, as it is now; undefined where somebody else does, or nobody. */
function toJudge(context: LearnContext, id: number): JudgeJob | undefined {
  const session = unlearnedSession(context.ledger, id)
  if (!session?.body || session.isSubagent || !rulesMayJudge(context)) return undefined
  const { isOver, isFresh } = momentOf(context, session)
  if (isFresh) return undefined
  const stretch = rangeOf(context.ledger, session, session.body)
  return { session, stretch, isOver, source: sourceOf(context, session) }
}

async function learnSession(learning: Learning): Promise<void> {
  const { context, session, keeper } = learning
  if (session.isSubagent || !session.body) return moveOn(learning, session.events, 0)
  keeper.flush()
  const { isOver, isAtRest, isFresh } = momentOf(context, session)
  const reading = readSession(learning, isOver)
  if (!isFresh) return judgeAll(learning, reading, byRules(context, session))
  // Capture goes on meanwhile, so all of it is read before anybody is asked.
  const windows = [...reading.windows]
  const turns = windows.reduce((sum, window) => sum + window.turns, 0)
  if (!isAtRest && turns < context.config.learn.everyTurns) return
  const isForkFirst = forkPlace(context, session) === 'first'
  if (isForkFirst && isOver && (await judgedByFork(learning, windows))) return
  await judgeAll(learning, { ...reading, windows }, byModels(context, session), true)
}

/** What rules found, in its order. */
function takeSteps(learning: Learning, { isOver }: JudgeJob, steps: Iterable<LearnStep>): void {
  const { context, session, keeper, report } = learning
  let { turnsSinceDeep: turns, learnedThrough: through } = session
  let end = isOver ? session.events : through
  for (const step of steps) {
    switch (step.kind) {
      case 'judged':
        turns = turns + step.turns >= deepTurns ? 0 : turns + step.turns
        through = step.toSeq
        // What rules found nothing in costs nothing to look at again.
        if (step.candidates.length > 0) keeper.add({ session, candidates: step.candidates, through, turns })
        break
      case 'taken back':
        keeper.flush()
        retractLearned(context.ledger, session.uid, step.ids, isoTime(context.clock.nowMs()))
        break
      case 'left to agent':
        report.leftTo.add(session.agent)
        break
      case 'damaged':
        if (isMoved(learning)) end = session.learnedThrough
        else reportDamage(context, step.path, step.reason)
        break
      default:
        step satisfies never
    }
  }
  moveOn(learning, Math.max(through, end), turns)
}

/** It was packed anew while it was read: the next run reads it there. */
function isMoved({ context, session }: Learning): boolean {
  return unlearnedSession(context.ledger, session.id)?.body?.file !== session.body!.file
}

function reportDamage({ ledger, clock }: LearnContext, path: string, reason: string): void {
  reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
}

interface Reading {
  windows: Iterable<LearnWindow>
  /** The place behind the last event that was read whole; the cursor goes no further. */
  end(): number
}

function readSession(learning: Learning, isOver: boolean): Reading {
  const { context, session, report } = learning
  const { ledger, clock } = context
  let end = isOver ? session.events : session.learnedThrough
  const windows = windowsOf(rangeOf(ledger, session, session.body!), {
    isOver,
    isLeftToAgent(files) {
      const isLeft = files.some((path) => context.isMemoryPath(session.agent, path))
      if (isLeft) report.leftTo.add(session.agent)
      return isLeft
    },
    onTakenBack: (ids) => retractLearned(ledger, session.uid, ids, isoTime(clock.nowMs())),
    onDamaged(path, error) {
      if (isMoved(learning)) end = session.learnedThrough
      else reportDamage(context, path, messageOf(error))
    },
  })
  return { windows, end: () => end }
}

type Judge = (
  window: LearnWindow & { isDeep: boolean },
) => Promise<MemoryCandidate[] | undefined> | MemoryCandidate[] | undefined

/** Window by window, each noted before the next; where nobody answers, the cursor stays. */
async function judgeAll(learning: Learning, { windows, end }: Reading, judge: Judge, isNoted = false): Promise<void> {
  const { session, keeper } = learning
  let { turnsSinceDeep: turns, learnedThrough: through } = session
  for (const window of windows) {
    const isDeep = turns + window.turns >= deepTurns
    const candidates = await judge({ ...window, isDeep })
    if (!candidates) return
    turns = isDeep ? 0 : turns + window.turns
    through = window.toSeq
    if (candidates.length > 0 || isNoted) keeper.add({ session, candidates, through, turns })
    keeper.flush()
  }
  moveOn(learning, Math.max(through, end()), turns)
  keeper.flush()
}

function byRules(context: LearnContext, session: UnlearnedSession): Judge {
  const source = sourceOf(context, session)
  return (window) => (rulesMayJudge(context) ? judgeByRules(window, source) : undefined)
}

/** A model, else a fork where it comes after the models, else rules. */
function byModels(context: LearnContext, session: UnlearnedSession): Judge {
  const rules = byRules(context, session)
  let isOut = false
  return async (window) => {
    const judged: ModelVerdict = isOut ? { kind: 'unavailable' } : await judgeByModel(context, session, window)
    if (judged.kind === 'answered') return judged.candidates
    if (judged.kind === 'unavailable') isOut = true
    if (forkPlace(context, session) === 'later') {
      const forked = await judgeByFork(context, session, window.said)
      if (forked.kind === 'answered') return forked.candidates
    }
    return rules(window)
  }
}

/** What a fork is asked about at once; more is left to the others. */
const maxForked = 50

async function judgedByFork({ context, session, keeper }: Learning, windows: LearnWindow[]): Promise<boolean> {
  const said = windows.flatMap((window) => window.said)
  if (said.length > maxForked) return false
  const judged = await judgeByFork(context, session, said)
  if (judged.kind !== 'answered') return false
  keeper.add({ session, candidates: judged.candidates, through: session.events, turns: 0 })
  keeper.flush()
  return true
}

function sourceOf({ clock }: LearnContext, { uid, project, endedMs }: UnlearnedSession): SessionSource {
  return { session: uid, project, at: isoTime(endedMs ?? clock.nowMs()) }
}

function moveOn({ session, keeper }: Learning, through: number, turns: number): void {
  if (through === session.learnedThrough && turns === session.turnsSinceDeep) return
  keeper.add({ session, candidates: [], through, turns })
}
