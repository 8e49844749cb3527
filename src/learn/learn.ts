// learn: from what happened to what is worth knowing. Takes the exchanges that no judge has seen, asks the judges in their
// order, and writes what passes admission together with how far it got: killed at any moment, nothing is lost or doubled.
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { waitingSessions } from '../store/dead-letters.ts'
import { saveLearned, type Unlearned, unlearned } from '../store/learning.ts'
import { reportProblem, wholeFile } from '../store/problems.ts'
import { admit, type Candidate } from './admission/admit.ts'
import { type Consulted, consult, retryDeadLetters } from './consult.ts'
import { type LearnContext, type LearnReport, modelsMayJudge, rulesMayJudge } from './context.ts'
import { consultFork, mayFork } from './fork-judge.ts'
import { instructionLines } from './instructions.ts'
import { judgeByRules, type Source } from './rules.ts'
import { deepTurns, windowsOf } from './windows.ts'

export async function learn(
  context: LearnContext,
  onProgress?: (done: number, of: number) => void,
): Promise<LearnReport> {
  const report: LearnReport = { learned: 0, merged: 0, superseded: 0, inbox: 0, leftTo: new Set() }
  if (!context.config.learn.isOn) return report
  await retryDeadLetters(context, (uid, candidates) => admitLearned(context, { uid, cwd: null }, candidates, report))
  const todo = unlearned(context.ledger)
  const waiting = rulesMayJudge(context) ? new Set<string>() : waitingSessions(context.ledger)
  for (const [index, session] of todo.entries()) {
    if (!waiting.has(session.uid)) await learnSession(context, session, report)
    onProgress?.(index + 1, todo.length)
  }
  return report
}

/** A pause this long ends a turn of which no hook tells. */
const quietMs = 5 * 60_000
/** The hook may tell of the end before the transcript has its last line. */
const hookLeadMs = 5000
const dayMs = 86_400_000
/** What a fork is asked about at once. */
const mostForked = 50

async function learnSession(context: LearnContext, session: Unlearned, report: LearnReport): Promise<void> {
  const { ledger, clock, config } = context
  if (session.isSubagent || !session.body) return moveOn(context, session, session.events, 0)
  const sinceMs = clock.nowMs() - (session.endedMs ?? 0)
  const isTold = session.toldMs !== null && session.toldMs + hookLeadMs >= (session.endedMs ?? 0)
  const isOver = isTold || sinceMs > quietMs
  let byModel = modelsMayJudge(context) && sinceMs < config.learn.freshDays * dayMs
  let { turnsSinceDeep: turns, learnedThrough: through } = session
  const options = {
    isOver,
    isLeftToAgent: (files: string[]) => {
      const isLeft = files.some((path) => context.isMemoryPath(session.agent, path))
      if (isLeft) report.leftTo.add(session.agent)
      return isLeft
    },
    onDamaged: (path: string, error: unknown) =>
      reportProblem(ledger, { path, offset: wholeFile, reason: messageOf(error), seenAt: isoTime(clock.nowMs()) }),
  }
  if (byModel && isOver && mayFork(context, session)) {
    const said = [...windowsOf(ledger, session, options)].flatMap((window) => window.said).slice(-mostForked)
    const judged = await consultFork(context, session, said)
    if (judged.kind === 'answered')
      return keep(context, { session, candidates: judged.candidates, through: session.events, turns: 0 }, report)
  }
  for (const window of windowsOf(ledger, session, options)) {
    if (byModel && !session.hasEnded && turns + window.turns < config.learn.everyTurns) return
    const isDeep = turns + window.turns >= deepTurns
    const judged: Consulted = byModel ? await consult(context, session, { ...window, isDeep }) : { kind: 'nobody' }
    if (judged.kind !== 'answered' && !rulesMayJudge(context)) return
    if (judged.kind === 'nobody') byModel = false
    const candidates = judged.kind === 'answered' ? judged.candidates : judgeByRules(window, sourceOf(context, session))
    turns = isDeep ? 0 : turns + window.turns
    through = window.toSeq
    if (candidates.length > 0) keep(context, { session, candidates, through, turns }, report)
  }
  moveOn(context, session, isOver ? session.events : through, turns)
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
    saveLearned(context.ledger, { session: session.id, through, turnsSinceDeep: turns })
  })
}

function moveOn({ ledger }: LearnContext, session: Unlearned, through: number, turns: number): void {
  if (through === session.learnedThrough && turns === session.turnsSinceDeep) return
  saveLearned(ledger, { session: session.id, through, turnsSinceDeep: turns })
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
