// learn: from what happened to what is worth knowing. Takes the exchanges that no judge has seen, asks the judges in their
// order, and writes what passes admission together with how far it got: killed at any moment, nothing is lost or doubled.
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { waitingSessions } from '../store/dead-letters.ts'
import { saveLearned, type Unlearned, unlearnedSession, unlearnedSessions } from '../store/learning.ts'
import { reportProblem, wholeFile } from '../store/problems.ts'
import { admit, type Candidate } from './admission/admit.ts'
import { type Consulted, consult, retryDeadLetters } from './consult.ts'
import { type LearnContext, type LearnReport, modelsMayJudge, rulesMayJudge } from './context.ts'
import { consultFork, forkPlace } from './fork-judge.ts'
import { instructionLines } from './instructions.ts'
import { judgeByRules, type Source } from './rules.ts'
import { takeBack } from './take-back.ts'
import { deepTurns, type LearnWindow, windowsOf } from './windows.ts'

export async function learn(
  context: LearnContext,
  onProgress?: (done: number, of: number) => void,
): Promise<LearnReport> {
  const report: LearnReport = { learned: 0, merged: 0, superseded: 0, inbox: 0, leftTo: new Set() }
  if (!context.config.learn.isOn) return report
  await retryDeadLetters(context, (uid, candidates) => admitLearned(context, { uid, cwd: null }, candidates, report))
  const todo = unlearnedSessions(context.ledger)
  const waiting = rulesMayJudge(context) ? new Set<string>() : waitingSessions(context.ledger)
  for (const [index, id] of todo.entries()) {
    const session = unlearnedSession(context.ledger, id)
    if (session && !waiting.has(session.uid)) await learnSession(context, session, report)
    onProgress?.(index + 1, todo.length)
  }
  return report
}

/** A pause this long ends a turn of which no hook tells. */
const quietMs = 5 * 60_000
/** And this long, a session. */
const restMs = 30 * 60_000
/** The hook may tell of the end before the transcript has its last line. */
const hookLeadMs = 5000
const dayMs = 86_400_000

async function learnSession(context: LearnContext, session: Unlearned, report: LearnReport): Promise<void> {
  const { clock, config } = context
  if (session.isSubagent || !session.body) return moveOn(context, session, session.events, 0)
  const sinceMs = clock.nowMs() - (session.endedMs ?? 0)
  const isTold = session.toldMs !== null && session.toldMs + hookLeadMs >= (session.endedMs ?? 0)
  const isOver = isTold || sinceMs > quietMs
  const isAtRest = session.hasEnded || sinceMs > restMs
  const isFresh = modelsMayJudge(context) && sinceMs < config.learn.freshDays * dayMs
  const reading = readSession(context, session, isOver, report)
  if (!isFresh) return judgeAll(context, session, reading, report, byRules(context, session))
  // Capture goes on meanwhile, so all of it is read before anybody is asked.
  const windows = [...reading.windows]
  const turns = windows.reduce((sum, window) => sum + window.turns, 0)
  if (!isAtRest && turns < config.learn.everyTurns) return
  const isForkFirst = forkPlace(context, session) === 'first'
  if (isForkFirst && isOver && (await judgedByFork(context, session, windows, report))) return
  await judgeAll(context, session, { ...reading, windows }, report, byModels(context, session), true)
}

interface Reading {
  windows: Iterable<LearnWindow>
  /** The place behind the last event that was read whole; the cursor goes no further. */
  end(): number
}

function readSession(context: LearnContext, session: Unlearned, isOver: boolean, report: LearnReport): Reading {
  const { ledger, clock } = context
  let end = isOver ? session.events : session.learnedThrough
  const windows = windowsOf(ledger, session, {
    isOver,
    isLeftToAgent(files) {
      const isLeft = files.some((path) => context.isMemoryPath(session.agent, path))
      if (isLeft) report.leftTo.add(session.agent)
      return isLeft
    },
    onTakenBack: (ids) => takeBack(ledger, session.uid, ids, isoTime(clock.nowMs())),
    onDamaged(path, error) {
      const isMoved = unlearnedSession(ledger, session.id)?.body?.file !== session.body!.file
      // It was packed anew while it was read: the next run reads it there.
      if (isMoved) end = session.learnedThrough
      else reportProblem(ledger, { path, offset: wholeFile, reason: messageOf(error), seenAt: isoTime(clock.nowMs()) })
    },
  })
  return { windows, end: () => end }
}

type Judge = (window: LearnWindow & { isDeep: boolean }) => Promise<Candidate[] | undefined> | Candidate[] | undefined

/** Window by window, each noted before the next; where nobody answers, the cursor stays. */
async function judgeAll(
  context: LearnContext,
  session: Unlearned,
  { windows, end }: Reading,
  report: LearnReport,
  judge: Judge,
  isNoted = false,
): Promise<void> {
  let { turnsSinceDeep: turns, learnedThrough: through } = session
  for (const window of windows) {
    const isDeep = turns + window.turns >= deepTurns
    const candidates = await judge({ ...window, isDeep })
    if (!candidates) return
    turns = isDeep ? 0 : turns + window.turns
    through = window.toSeq
    // What rules found nothing in costs nothing to look at again.
    if (candidates.length > 0 || isNoted) keep(context, { session, candidates, through, turns }, report)
  }
  moveOn(context, session, Math.max(through, end()), turns)
}

function byRules(context: LearnContext, session: Unlearned): Judge {
  const source = sourceOf(context, session)
  return (window) => (rulesMayJudge(context) ? judgeByRules(window, source) : undefined)
}

/** A model, else a fork where it comes after the models, else rules. */
function byModels(context: LearnContext, session: Unlearned): Judge {
  const rules = byRules(context, session)
  let isOut = false
  return async (window) => {
    const judged: Consulted = isOut ? { kind: 'nobody' } : await consult(context, session, window)
    if (judged.kind === 'answered') return judged.candidates
    if (judged.kind === 'nobody') isOut = true
    if (forkPlace(context, session) === 'later') {
      const forked = await consultFork(context, session, window.said)
      if (forked.kind === 'answered') return forked.candidates
    }
    return rules(window)
  }
}

/** What a fork is asked about at once; more is left to the others. */
const mostForked = 50

async function judgedByFork(
  context: LearnContext,
  session: Unlearned,
  windows: LearnWindow[],
  report: LearnReport,
): Promise<boolean> {
  const said = windows.flatMap((window) => window.said)
  if (said.length > mostForked) return false
  const judged = await consultFork(context, session, said)
  if (judged.kind !== 'answered') return false
  keep(context, { session, candidates: judged.candidates, through: session.events, turns: 0 }, report)
  return true
}

function sourceOf({ clock }: LearnContext, { uid, project, endedMs }: Unlearned): Source {
  return { session: uid, project, at: isoTime(endedMs ?? clock.nowMs()) }
}

interface Found {
  session: Unlearned
  candidates: Candidate[]
  through: number
  turns: number
}

/** What was learned and how far it got are written together. */
function keep(context: LearnContext, { session, candidates, through, turns }: Found, report: LearnReport): void {
  context.ledger.transaction(() => {
    admitLearned(context, session, candidates, report)
    saveLearned(context.ledger, { session: session.id, through, turnsSinceDeep: turns }, session.contentHash)
  })
}

function moveOn({ ledger }: LearnContext, session: Unlearned, through: number, turns: number): void {
  if (through === session.learnedThrough && turns === session.turnsSinceDeep) return
  saveLearned(ledger, { session: session.id, through, turnsSinceDeep: turns }, session.contentHash)
}

/** Call it inside a transaction. */
function admitLearned(
  context: LearnContext,
  session: Pick<Unlearned, 'uid' | 'cwd'>,
  candidates: readonly Candidate[],
  report: LearnReport,
): void {
  const instructions = session.cwd && candidates.length > 0 ? instructionLines(session.cwd) : []
  const change = { kind: 'learned' as const, about: `from ${session.uid}`, at: isoTime(context.clock.nowMs()) }
  const admitted = admit({ ...context, instructionsOf: () => instructions }, candidates, change)
  report.learned += admitted.kept.length
  report.merged += admitted.merged.length
  report.superseded += admitted.superseded.length
  report.inbox += admitted.inbox.length
}
