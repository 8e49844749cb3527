// Keeps the exchanges that a model should have judged and did not, and has them judged later. Rules
// may have judged them meanwhile, so what the model finds then replaces what rules made of the same
// words.
import { isoTime } from '../core/clock.ts'
import type { MemoryCandidate } from '../memory/candidate.ts'
import { compare } from '../memory/compare.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { changeMemories, memoryHistory } from '../store/memories/changes.ts'
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
import { memoriesOfSession } from '../store/memories/memories.ts'
import { requeueJournal } from '../store/wiki/journal.ts'
import { comparableMemories } from './admission/team-conflicts.ts'
import { judgeByModel, type MissedVerdict, type ModelFindings, type ModelVerdict } from './ask-model.ts'
import type { LearnContext } from './context.ts'
import { isSameQuote } from './evidence.ts'
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
  for (const letter of due) {
    if (done.has(letter.id)) continue
    if (letter.nextMs > 0 && ++retries > maxRetries) return
    const { verdict, letters } = await judgeAgain(context, letter)
    if (verdict.kind === 'unavailable') return
    if (verdict.kind === 'missed') {
      ledger.transaction(() => saveMissed(context, letter, verdict))
      if (verdict.cause === 'failed' || verdict.cause === 'access') continue
      postponeDeadLetters(ledger, purpose, nowMs, verdict.cause === 'budget' ? nextDayMs(context) : undefined)
      return
    }
    ledger.transaction(() => {
      const candidates = replaceRulesResults(context, letter.session, verdict.candidates)
      settle(letter.session, { ...verdict, candidates })
      if (candidates.length > 0) requeueJournal(ledger, letter.session)
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
  const events = new Set(window.said.map(({ event }) => event))
  const isOfOthers = (memory: Memory) => !isMadeOf(memory, letter.session, events)
  const verdict = await judgeByModel(context, window, isOfOthers)
  if (verdict.kind === 'answered') return { verdict, letters: [letter] }
  const last = canFork && place === 'later' ? await fork() : first
  if (last?.kind === 'answered') return { verdict: last, letters: all }
  return { verdict: verdict.kind === 'missed' ? verdict : (last ?? verdict), letters: [letter] }
}

/** Whether all evidence of a memory are these messages of the session. */
function isMadeOf({ evidence }: Memory, session: string, events: ReadonlySet<string>): boolean {
  return evidence.every((one) => one.session === session && events.has(one.event ?? ''))
}

/**
 * What a model made of words that rules have judged: it supersedes their memory of the same words.
 * If the user has forgotten or changed that memory, the decision of the user stands.
 */
function replaceRulesResults(
  { ledger, clock }: LearnContext,
  session: string,
  candidates: readonly MemoryCandidate[],
): MemoryCandidate[] {
  const earlier = memoriesOfSession(ledger, session).filter(({ space, supersededBy }) => !space && !supersededBy)
  const replaced = new Set<string>()
  const retired: Memory[] = []
  const left = candidates.flatMap((candidate) => {
    const same = earlier.find((memory) => !replaced.has(memory.id) && isOfSameWords(candidate, memory))
    if (!same) return [candidate]
    if (same.state === 'forgotten') return []
    // Admission counts or ignores a repetition.
    if (compare(candidate.text, same.text).kind === 'same') return [candidate]
    if (!isUntouched(ledger, same) || candidate.trust !== 'user said') return []
    replaced.add(same.id)
    const twin = comparableMemories(ledger, candidate).find((memory) => isTwin(memory, same, candidate))
    if (!twin) return [{ ...candidate, supersedes: same.id }]
    retired.push({ ...same, supersededBy: twin.id, supersededAt: candidate.at, version: same.version + 1 })
    return [candidate]
  })
  const change = { kind: 'learned' as const, about: `from ${session}`, at: isoTime(clock.nowMs()) }
  if (retired.length > 0) changeMemories(ledger, change, retired)
  return left
}

/** A memory that says the same as the candidate already, so that admission counts it there. */
function isTwin(memory: Memory, { id }: Memory, { text }: MemoryCandidate): boolean {
  const isCurrent = memory.space === null && memory.state === 'kept' && memory.supersededBy === null
  return isCurrent && memory.id !== id && compare(text, memory.text).kind === 'same'
}

/** Nothing but learning has changed it: no edit, decision or sync. */
function isUntouched(ledger: Ledger, { id, state }: Memory): boolean {
  return state === 'kept' && memoryHistory(ledger, id).every(({ change }) => change.kind === 'learned')
}

function isOfSameWords(candidate: MemoryCandidate, memory: Memory): boolean {
  return candidate.evidence.some(({ session, event, quote }) =>
    memory.evidence.some((one) => one.session === session && one.event === event && isSameQuote(one.quote, quote)),
  )
}
