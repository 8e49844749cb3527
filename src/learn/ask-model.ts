// Asks a model to judge a window of a session. An unanswered question is stored as a dead letter
// with everything that is needed to ask it again.
import { isoTime } from '../core/clock.ts'
import type { MemoryCandidate } from '../memory/candidate.ts'
import type { Memory } from '../memory/memory.ts'
import { advanceLearnCursor, projectOfSession, type UnlearnedSession } from '../store/memories/learning.ts'
import { listMemories, similarMemories } from '../store/memories/memories.ts'
import { deleteDeadLetter, dueDeadLetters, saveDeadLetter } from '../store/memories/model-calls.ts'
import { requeueJournal } from '../store/wiki/journal.ts'
import type { LearnContext } from './context.ts'
import type { ModelWindow } from './model-judge.ts'
import { deepTurns, type LearnWindow } from './windows.ts'

export type ModelVerdict =
  | { kind: 'answered'; candidates: MemoryCandidate[] }
  | { kind: 'unavailable' }
  | { kind: 'failed' }

export async function judgeByModel(
  context: LearnContext,
  session: UnlearnedSession,
  { said, earlier, isDeep, fromSeq, toSeq }: LearnWindow & { isDeep: boolean },
): Promise<ModelVerdict> {
  if (said.length === 0) return { kind: 'answered', candidates: [] }
  const shown = isDeep ? [...earlier, ...said].slice(-Math.max(said.length, deepTurns)) : said
  const candidates: MemoryCandidate[] = []
  const { splitToFit: partsOf } = await import('./model-judge.ts')
  for (const part of partsOf(shown)) {
    const window: ModelWindow = {
      session: session.uid,
      said: part.map((utterance) => ({ ...utterance, at: utterance.at ?? isoTime(session.endedMs ?? 0) })),
      known: knownFor(context, session.project, part.map(({ prompt }) => prompt).join('\n')),
      isDeep,
    }
    const answered = await ask(context, window)
    if (answered.kind === 'failed') {
      const { reason } = answered
      keepFailure(context, {
        session: session.uid,
        fromSeq,
        toSeq,
        input: JSON.stringify({ ...window, said: shown }),
        reason,
      })
    }
    if (answered.kind !== 'answered') return answered
    candidates.push(...answered.candidates)
  }
  return { kind: 'answered', candidates }
}

type Asked = Exclude<ModelVerdict, { kind: 'failed' }> | { kind: 'failed'; reason: string }

async function ask(context: LearnContext, window: ModelWindow): Promise<Asked> {
  const { questionFor, candidatesFrom } = await import('./model-judge.ts')
  const answer = await context.ask(questionFor(window))
  // Look the project up only now: it may have been renamed while the question waited.
  const project = projectOfSession(context.ledger, window.session)
  if (answer.kind === 'answered') return { kind: 'answered', candidates: candidatesFrom(window, answer.value, project) }
  if (answer.kind === 'unavailable') return { kind: 'unavailable' }
  return { kind: 'failed', reason: answer.reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ') }
}

/**
 * Memories that the text may be about, and the latest ones: lets the model skip known statements
 * and name one to supersede.
 */
function knownFor({ ledger }: LearnContext, project: string | null, text: string): Pick<Memory, 'id' | 'text'>[] {
  const alike = similarMemories(ledger, text.slice(0, 8000), project, 15)
  const latest = listMemories(ledger, { project, withGlobal: true, state: 'kept', isCurrent: true, limit: 10 })
  const known = new Map([...alike, ...latest].filter(({ state }) => state === 'kept').map((one) => [one.id, one]))
  return [...known.values()].map(({ id, text }) => ({ id, text }))
}

function keepFailure(
  { ledger, clock }: LearnContext,
  failure: { session: string; fromSeq: number; toSeq: number; input: string; reason: string },
): void {
  const atMs = clock.nowMs()
  ledger.transaction(() => saveDeadLetter(ledger, { ...failure, purpose: 'memories', atMs, at: isoTime(atMs) }))
}

/** Per run: a model that is still down costs minutes. */
const maxRetries = 2

export async function retryDeadLetters(
  context: LearnContext,
  settle: (session: string, candidates: MemoryCandidate[]) => void,
): Promise<void> {
  const { ledger, clock } = context
  for (const letter of dueDeadLetters(ledger, 'memories', clock.nowMs(), maxRetries)) {
    const answered = await ask(context, JSON.parse(letter.input) as ModelWindow)
    if (answered.kind === 'unavailable') return
    if (answered.kind === 'failed') {
      keepFailure(context, { ...letter, reason: answered.reason })
      continue
    }
    ledger.transaction(() => {
      settle(letter.session, answered.candidates)
      deleteDeadLetter(ledger, letter.id)
      if (answered.candidates.length > 0) requeueJournal(ledger, letter.session)
      advanceLearnCursor(ledger, letter.session, letter.fromSeq, letter.toSeq)
    })
  }
}
