// Has models judge sessions. By default a session is one question, when it is at rest, about to be
// compacted, or ended; with `learn.when = "turn"` every turn is one, and every fifth a deeper one.
import { isoTime } from '../../core/clock.ts'
import { isSystemError, messageOf, UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { deleteDeadLettersWithin, endCooldowns } from '../../store/memories/dead-letters.ts'
import {
  saveJudgeCursor,
  type UnlearnedSession,
  unjudgedSession,
  unjudgedSessions,
} from '../../store/memories/learning.ts'
import { memoriesOfSession } from '../../store/memories/memories.ts'
import { saveCallYield } from '../../store/memories/model-calls.ts'
import { removeMemory } from '../../store/memories/rows.ts'
import { saveSummary, summaryOfSession } from '../../store/sessions/summaries.ts'
import { requeueJournal } from '../../store/wiki/journal.ts'
import { logWork, logWorkOnce } from '../../store/work-log.ts'
import type { LearnContext, LearnReport } from '../context.ts'
import type { Utterance } from '../exchanges.ts'
import { admitLearned } from '../memory-writer.ts'
import { jobFor } from '../rules-pass.ts'
import { phaseOf, teachesNothing } from '../session-phase.ts'
import { readSteps } from '../steps.ts'
import { deepTurns, type LearnWindow } from '../windows.ts'
import { type JournalPart, journalPart } from './answer.ts'
import {
  candidatesIn,
  earlierText,
  judgeByModel,
  type MissedVerdict,
  type ModelFindings,
  type ModelVerdict,
  withTimes,
} from './ask.ts'
import { keepWindow, retryDeadLetters } from './dead-letters.ts'
import { forkIsAlone, forkPlace, judgeByFork, maxForked } from './fork.ts'
import type { ModelWindow } from './window.ts'

interface JudgeRun {
  context: LearnContext
  report: LearnReport
}

export async function judgeByModels(context: LearnContext, report: LearnReport): Promise<void> {
  const run = { context, report }
  await retryDeadLetters(context, (session, window, found) => settle(run, session, window, found))
  if (!context.isModelAllowed()) return
  const sinceMs = context.clock.nowMs() - context.config.learn.freshDays * 86_400_000
  for (const id of unjudgedSessions(context.ledger, sinceMs)) {
    const session = unjudgedSession(context.ledger, id)
    try {
      // No provider can be asked: it is the same for the other sessions.
      if (session?.body && (await judgeSession(run, session)) === 'unavailable') return
    } catch (error) {
      if (isSystemError(error) || error instanceof UserError) throw error
      report.failed.push(`${session?.uid}: ${messageOf(error)}`)
    }
  }
}

async function judgeSession(run: JudgeRun, session: UnlearnedSession): Promise<'done' | 'unavailable'> {
  const { context } = run
  const { isOver, isAtRest } = phaseOf(context.clock, session)
  const { when, everyTurns } = context.config.learn
  if (when === 'rest' && !isAtRest) return postpone(run, session, 'the session is not at rest')
  const reason = teachesNothing(session)
  if (reason) return isAtRest ? passOver(run, session, reason) : 'done'
  const steps = readSteps(jobFor(context, session, session.judgedThrough), context.isMemoryPath)
  const windows = [...steps].flatMap((step) => (step.kind === 'window' ? [step.window] : []))
  const turns = windows.reduce((sum, window) => sum + window.turns, 0)
  const isForkFirst = forkPlace(context, session) === 'first'
  // A fork judges whole turns: an exchange of a running turn must not be left to the other judges.
  if (isForkFirst && !isOver) return postpone(run, session, 'the turn is not over')
  if (!isAtRest && turns < everyTurns) return postpone(run, session, `${turns} of ${everyTurns} turns`)
  const through = isOver ? session.events : (windows.at(-1)?.toSeq ?? session.judgedThrough)
  const said = windows.flatMap((window) => window.said)
  if (said.length === 0) return isOver ? passOver(run, session, 'the person said nothing new') : 'done'
  if (when === 'rest' && isTrivial(run, session, said)) return passOver(run, session, 'one short prompt, nothing found')
  const forked = isForkFirst ? await judgeWholeByFork(run, session, windows) : undefined
  if (forked?.kind === 'answered') return 'done'
  const missed = forked?.kind === 'missed' ? forked : undefined
  const whole = wholeWindow(run, session, said, through)
  if (missed && forkIsAlone(context)) return keepMissed(run, session, whole, missed)
  if (when === 'rest') return judgeParts(run, session, whole, missed)
  let sinceDeep = session.turnsSinceDeep
  for (const [index, window] of windows.entries()) {
    const isDeep = sinceDeep + window.turns >= deepTurns
    sinceDeep = isDeep ? 0 : sinceDeep + window.turns
    const isLast = index === windows.length - 1
    const part = turnWindow(session, window, isDeep, isLast ? through : window.toSeq)
    if ((await judgeWindow(run, session, part, missed, sinceDeep)) === 'unavailable') return 'unavailable'
  }
  return 'done'
}

const maxTrivialLength = 40

/** A single short prompt or question in which rules found nothing: a model would not either. */
function isTrivial({ context }: JudgeRun, { uid, prompts, activity }: UnlearnedSession, said: Utterance[]): boolean {
  if (activity === 'work' || prompts > 1) return false
  if (said.some(({ prompt }) => prompt.length > maxTrivialLength && !/[?？]\s*$/.test(prompt))) return false
  return candidatesIn(memoriesOfSession(context.ledger, uid), uid, said).length === 0
}

function wholeWindow(
  { context }: JudgeRun,
  session: UnlearnedSession,
  said: readonly Utterance[],
  through: number,
): ModelWindow {
  const before = summaryOfSession(context.ledger, session.id)
  const earlier = before ? earlierText({ ...before, journal: parseJournal(before.journal) }) : ''
  return {
    session: session.uid,
    task: 'session',
    said: withTimes(said, session),
    from: session.judgedThrough,
    through,
    earlier,
  }
}

function parseJournal(json: string | null): JournalPart | null {
  return json === null ? null : (journalPart.safeParse(JSON.parse(json)).data ?? null)
}

/**
 * A long session is several questions. Each is settled by itself, so that a failure or a used-up
 * budget does not repeat the others.
 */
async function judgeParts(
  run: JudgeRun,
  session: UnlearnedSession,
  { said, from, through }: ModelWindow,
  missed: MissedVerdict | undefined,
): Promise<'done' | 'unavailable'> {
  const { splitToFit } = await import('./question.ts')
  const parts = splitToFit(said)
  let begin = from
  for (const [index, part] of parts.entries()) {
    const end = parts[index + 1]?.[0]?.seq ?? through
    const window = { ...wholeWindow(run, session, part, end), from: begin }
    if ((await judgeWindow(run, session, window, missed)) === 'unavailable') return 'unavailable'
    begin = end
  }
  return 'done'
}

/** A deep pass shows the exchanges before it again. */
function turnWindow(
  session: UnlearnedSession,
  { said, earlier, fromSeq: from }: LearnWindow,
  isDeep: boolean,
  through: number,
): ModelWindow {
  const shown = isDeep ? [...earlier, ...said].slice(-Math.max(said.length, deepTurns)) : said
  return {
    session: session.uid,
    task: isDeep ? 'deep' : 'turn',
    said: withTimes(shown, session),
    from,
    through,
    earlier: '',
  }
}

/** A model, else a fork where it comes after the models; what neither judged is kept for them. */
async function judgeWindow(
  run: JudgeRun,
  session: UnlearnedSession,
  window: ModelWindow,
  missed: MissedVerdict | undefined,
  turns = 0,
): Promise<'done' | 'unavailable'> {
  const { context } = run
  const verdicts: ModelVerdict[] = [await judgeByModel(context, window)]
  if (verdicts[0]!.kind !== 'answered' && forkPlace(context, session) === 'later')
    verdicts.push(await judgeByFork(context, session, window.said, window.from))
  const answered = verdicts.find((verdict) => verdict.kind === 'answered')
  if (answered) {
    context.ledger.transaction(() => {
      settle(run, session, window, answered)
      saveCursor(run, session, window, turns)
      deleteDeadLettersWithin(context.ledger, session.uid, window.from, window.through)
    })
    return 'done'
  }
  const open = [...verdicts, ...(missed ? [missed] : [])].find((verdict) => verdict.kind === 'missed')
  return open ? keepMissed(run, session, window, open, turns) : 'unavailable'
}

function saveCursor({ context }: JudgeRun, session: UnlearnedSession, { through }: ModelWindow, turns: number): void {
  saveJudgeCursor(context.ledger, { session: session.id, through, turns }, session.contentHash)
}

async function keepMissed(
  run: JudgeRun,
  session: UnlearnedSession,
  window: ModelWindow,
  missed: MissedVerdict,
  turns = 0,
): Promise<'done'> {
  const { context, report } = run
  const { ledger, clock } = context
  await keepWindow(context, window, missed, () => saveCursor(run, session, window, turns))
  report.missed += window.said.length
  logWork(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'waits', detail: missed.reason })
  return 'done'
}

async function judgeWholeByFork(
  run: JudgeRun,
  session: UnlearnedSession,
  windows: readonly LearnWindow[],
): Promise<ModelVerdict> {
  const { context } = run
  const { ledger, clock } = context
  const said = windows.flatMap((window) => window.said)
  if (said.length > maxForked) {
    const detail = `${said.length} messages of the user are too many for a fork: left to the next judge`
    logWorkOnce(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'skipped', detail })
    return { kind: 'unavailable' }
  }
  const judged = await judgeByFork(context, session, said, windows[0]?.fromSeq ?? session.judgedThrough)
  if (judged.kind !== 'answered') return judged
  const window = { ...wholeWindow(run, session, said, session.events), task: 'deep' as const }
  ledger.transaction(() => {
    settle(run, session, window, judged)
    saveCursor(run, session, window, 0)
    deleteDeadLettersWithin(ledger, session.uid, window.from, window.through)
  })
  return judged
}

/**
 * Replaces what rules proposed for these exchanges by the verdict, and records what came of the
 * calls. Call inside a transaction.
 */
function settle(
  { context, report }: JudgeRun,
  session: Pick<UnlearnedSession, 'id' | 'uid' | 'cwd'>,
  window: ModelWindow,
  { drafts, dropped, calls, summary }: ModelFindings,
): void {
  const { ledger, clock } = context
  const before = report.learned + report.merged
  for (const { id } of candidatesIn(memoriesOfSession(ledger, session.uid), session.uid, window.said))
    removeMemory(ledger, id)
  const refused = admitLearned(context, session, drafts, report)
  const saved = report.learned + report.merged - before
  const all = [...dropped, ...refused]
  report.dropped += all.length
  for (const [index, call] of calls.entries())
    saveCallYield(ledger, call, index === 0 ? { saved, dropped: all.length, drops: all } : { saved: 0, dropped: 0 })
  if (summary) {
    const { title, leftOff, journal, author } = summary
    const text = journal === null ? null : JSON.stringify(journal)
    const writtenAt = isoTime(clock.nowMs())
    saveSummary(ledger, {
      ...{ session: session.id, through: window.through, title: title.slice(0, 120), leftOff: leftOff.slice(0, 600) },
      ...{ journal: text, author, writtenAt },
    })
  }
  if (summary || saved > 0) requeueJournal(ledger, session.uid)
  const detail = [
    `${plural(window.said.length, 'message')} judged by ${summary?.author ?? 'a model'}: ${saved} kept`,
    all.length > 0 ? `${all.length} dropped (${countReasons(all)})` : '',
  ]
  if (calls.length === 0) return
  logWork(ledger, {
    ...{ atMs: clock.nowMs(), session: session.uid, what: 'judged' },
    detail: detail.filter(Boolean).join(', '),
  })
  endCooldowns(ledger, 'memories', clock.nowMs())
}

function countReasons(dropped: readonly { reason: string }[]): string {
  const groups = Map.groupBy(dropped, ({ reason }) => reason)
  return [...groups].map(([reason, all]) => (all.length > 1 ? `${all.length} ${reason}` : reason)).join('; ')
}

/** The place in the session makes the row unique: the next sweep reads the same state again. */
function postpone({ context }: JudgeRun, { uid, events }: UnlearnedSession, reason: string): 'done' {
  const { ledger, clock } = context
  const detail = `learning: ${reason} (${events} events)`
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: uid, what: 'postponed', detail })
  return 'done'
}

function passOver({ context }: JudgeRun, session: UnlearnedSession, reason: string): 'done' {
  const { ledger, clock } = context
  saveJudgeCursor(ledger, { session: session.id, through: session.events, turns: 0 }, session.contentHash)
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: session.uid, what: 'skipped', detail: `not judged: ${reason}` })
  return 'done'
}
