// Keeps the exchanges that a model should have judged and did not, and has them judged later. Rules
// may have judged them meanwhile.
import { isoTime } from '../../core/clock.ts'
import {
  type DeadLetter,
  deadLettersOfSession,
  deleteDeadLetter,
  dueDeadLetters,
  extendDeadLetter,
  hasDeadLetters,
  postponeDeadLetters,
  saveDeadLetter,
} from '../../store/memories/dead-letters.ts'
import { sessionOfDeadLetter, type UnlearnedSession } from '../../store/memories/learning.ts'
import type { LearnContext } from '../context.ts'
import { judgeByModel, type MissedVerdict, type ModelFindings, type ModelVerdict } from './ask.ts'
import { forkPlace, judgeByFork, maxForked } from './fork.ts'
import type { ModelWindow } from './window.ts'

const purpose = 'memories'

/**
 * Keeps exchanges that no model has judged. Those that were not asked about join
 * those before. `moveCursor` is called in the same transaction.
 */
export async function keepWindow(
  context: LearnContext,
  window: ModelWindow,
  missed: MissedVerdict,
  moveCursor: () => void,
): Promise<void> {
  const { ledger } = context
  const { session, from, through } = window
  const { splitToFit } = await import('./question.ts')
  ledger.transaction(() => {
    const before = deadLettersOfSession(ledger, purpose, session).find(
      ({ toSeq, rounds, cause }) => toSeq === from && rounds === 0 && cause === missed.cause,
    )
    const joined = before && joinWindows(readWindow(before), window)
    if (before && joined && missed.cause !== 'failed' && splitToFit(joined.said).length === 1)
      extendDeadLetter(ledger, before.id, { toSeq: through, input: JSON.stringify(joined) })
    else saveMissed(context, { session, fromSeq: from, toSeq: through, input: JSON.stringify(window) }, missed)
    moveCursor()
  })
}

/** A deep window repeats utterances of the one before. */
function joinWindows(earlier: ModelWindow, later: ModelWindow): ModelWindow {
  const seen = new Set(earlier.said.map(({ seq }) => seq))
  const said = [...earlier.said, ...later.said.filter(({ seq }) => !seen.has(seq))]
  return { ...later, said, from: earlier.from, earlier: earlier.earlier }
}

/** Letters of earlier versions have only the session and what was said. */
function readWindow({ input, fromSeq, toSeq }: DeadLetter): ModelWindow {
  const window = JSON.parse(input) as Partial<ModelWindow> & Pick<ModelWindow, 'session' | 'said'>
  return { task: 'session', from: fromSeq, through: toSeq, earlier: '', ...window }
}

function saveMissed(
  context: LearnContext,
  letter: Pick<DeadLetter, 'session' | 'fromSeq' | 'toSeq' | 'input'>,
  { cause, reason }: MissedVerdict,
): void {
  const { ledger, clock } = context
  const { session, fromSeq, toSeq, input } = letter
  const atMs = clock.nowMs()
  saveDeadLetter(ledger, {
    ...{ purpose, session, fromSeq, toSeq, input, reason, cause },
    access: context.accessFingerprint(),
    ...(cause === 'budget' ? { nextMs: nextDayMs(context) } : {}),
    atMs,
    at: isoTime(atMs),
  })
}

/** The budget counts days of the user's time zone. */
function nextDayMs({ clock, zone }: LearnContext): number {
  const today = zone.startOfDay(zone.day(isoTime(clock.nowMs())))
  return zone.startOfDay(zone.day(isoTime(today + 26 * 3_600_000)))
}

/** Retries per run that nobody asked for: a model that is still down costs minutes. */
const maxRetries = 2
/** Failures in a run after which the other letters wait. */
const maxFailures = 2
/** Letters that are read at once; the others follow in the next run. */
const maxLetters = 500

/** `settle` admits the candidates in the transaction that deletes the letters. */
export async function retryDeadLetters(
  context: LearnContext,
  settle: (session: Pick<UnlearnedSession, 'id' | 'uid' | 'cwd'>, window: ModelWindow, found: ModelFindings) => void,
): Promise<void> {
  const { ledger, clock } = context
  if (!hasDeadLetters(ledger, purpose)) return
  const nowMs = clock.nowMs()
  const due = dueDeadLetters(ledger, purpose, { nowMs, limit: maxLetters, access: context.accessFingerprint() })
  const done = new Set<number>()
  let retries = 0
  let failures = 0
  for (const letter of due) {
    if (done.has(letter.id)) continue
    if (letter.nextMs > 0 && ++retries > maxRetries) return
    const { verdict, letters } = await judgeAgain(context, letter)
    if (verdict.kind === 'unavailable') return
    if (verdict.kind === 'missed') {
      ledger.transaction(() => saveMissed(context, letter, verdict))
      if (verdict.cause === 'failed' || verdict.cause === 'access') failures++
      // The others would fail for the same reason, in this run and in the next.
      if (verdict.cause !== 'budget' && failures < maxFailures) continue
      postponeDeadLetters(ledger, purpose, nowMs, verdict.cause === 'budget' ? nextDayMs(context) : undefined)
      return
    }
    ledger.transaction(() => {
      const session = sessionOfDeadLetter(ledger, letter.session)
      const said = letters.flatMap((one) => readWindow(one).said)
      // A session that was deleted meanwhile teaches nothing.
      if (session) settle(session, { ...readWindow(letter), said }, verdict)
      for (const { id } of letters) {
        done.add(id)
        deleteDeadLetter(ledger, id)
      }
    })
  }
}

/** Asks in the configured order, and returns the letters that the answer settles. */
async function judgeAgain(
  context: LearnContext,
  letter: DeadLetter,
): Promise<{ verdict: ModelVerdict; letters: DeadLetter[] }> {
  const { ledger } = context
  const window = readWindow(letter)
  const session = sessionOfDeadLetter(ledger, letter.session)
  const place = session && forkPlace(context, session)
  // A fork reads everything from a message to the end of its session, so it settles all letters.
  const all = deadLettersOfSession(ledger, purpose, letter.session)
  const said = all.flatMap((one) => readWindow(one).said)
  const fork = () => judgeByFork(context, session!, said, all[0]!.fromSeq)
  const canFork = place !== undefined && said.length <= maxForked
  const first = canFork && place === 'first' ? await fork() : undefined
  if (first?.kind === 'answered') return { verdict: first, letters: all }
  const verdict = await judgeByModel(context, window)
  if (verdict.kind === 'answered') return { verdict, letters: [letter] }
  const last = canFork && place === 'later' ? await fork() : first
  if (last?.kind === 'answered') return { verdict: last, letters: all }
  return { verdict: verdict.kind === 'missed' ? verdict : (last ?? verdict), letters: [letter] }
}
