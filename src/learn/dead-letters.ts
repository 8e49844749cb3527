// Keeps the exchanges that a model should have judged and did not, and has them judged later. Rules
// may have judged them meanwhile.
import { isoTime } from '../core/clock.ts'
import {
  type DeadLetter,
  deadLettersOfSession,
  deleteDeadLetter,
  dueDeadLetters,
  extendDeadLetter,
  hasDeadLetters,
  postponeDeadLetters,
  saveDeadLetter,
} from '../store/memories/dead-letters.ts'
import { advanceLearnCursor, sessionOfDeadLetter } from '../store/memories/learning.ts'
import { requeueJournal } from '../store/wiki/journal.ts'
import { judgeByModel, type MissedVerdict, type ModelFindings, type ModelVerdict } from './ask-model.ts'
import type { LearnContext } from './context.ts'
import { forkPlace, judgeByFork, maxForked } from './fork-judge.ts'
import type { ModelWindow } from './model-judge.ts'

const purpose = 'memories'

/** Keeps a window that no model has judged. One that was not asked joins the one before it. */
export async function keepWindow(
  context: LearnContext,
  window: ModelWindow,
  range: { fromSeq: number; toSeq: number },
  missed: MissedVerdict,
): Promise<void> {
  const { ledger } = context
  const { splitToFit } = await import('./model-judge.ts')
  ledger.transaction(() => {
    const before = deadLettersOfSession(ledger, purpose, window.session).find(
      ({ toSeq, rounds, cause }) => toSeq === range.fromSeq && rounds === 0 && cause === missed.cause,
    )
    const earlier = before && (JSON.parse(before.input) as ModelWindow)
    const joined = earlier && joinWindows(earlier, window)
    if (before && joined && missed.cause !== 'failed' && splitToFit(joined.said).length === 1)
      extendDeadLetter(ledger, before.id, { toSeq: range.toSeq, input: JSON.stringify(joined) })
    else saveMissed(context, { ...range, session: window.session, input: JSON.stringify(window) }, missed)
  })
}

/** A deep window repeats utterances of the one before. */
function joinWindows(earlier: ModelWindow, later: ModelWindow): ModelWindow {
  const seen = new Set(earlier.said.map(({ seq }) => seq))
  const said = [...earlier.said, ...later.said.filter(({ seq }) => !seen.has(seq))]
  return { ...later, said, isDeep: earlier.isDeep || later.isDeep }
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
  settle: (session: string, found: ModelFindings) => void,
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
      settle(letter.session, verdict)
      if (verdict.drafts.length > 0) requeueJournal(ledger, letter.session)
      for (const { id, session, fromSeq, toSeq } of letters) {
        done.add(id)
        deleteDeadLetter(ledger, id)
        advanceLearnCursor(ledger, session, fromSeq, toSeq)
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
  const window = JSON.parse(letter.input) as ModelWindow
  const session = sessionOfDeadLetter(ledger, letter.session)
  const place = session && forkPlace(context, session)
  // A fork reads everything from a message to the end of its session, so it settles all letters.
  const all = deadLettersOfSession(ledger, purpose, letter.session)
  const said = all.flatMap(({ input }) => (JSON.parse(input) as ModelWindow).said)
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
