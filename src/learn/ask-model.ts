// Asks a model to judge a window of a session.
import { isoTime } from '../core/clock.ts'
import type { MemoryDraft } from '../memory/draft.ts'
import type { Memory } from '../memory/memory.ts'
import type { ModelObstacle, ModelResponse } from '../models/context.ts'
import type { LetterCause } from '../store/memories/dead-letters.ts'
import { projectOfSession, type UnlearnedSession } from '../store/memories/learning.ts'
import { listMemories, similarMemories } from '../store/memories/memories.ts'
import type { LearnContext } from './context.ts'
import type { Utterance } from './exchanges.ts'
import { rulesTag } from './heuristic/attributes.ts'
import type { LearningsAnswer, ModelWindow } from './model-judge.ts'
import { deepTurns, type LearnWindow } from './windows.ts'

export type ModelVerdict =
  | ({ kind: 'answered' } & ModelFindings)
  /** No model was expected to judge it. */
  | { kind: 'unavailable' }
  /** A model should have judged it and did not. */
  | MissedVerdict

export interface ModelFindings {
  drafts: MemoryDraft[]
  /** Elements of the answer that could not be used. */
  dropped: number
  /** The calls in the ledger of spend. */
  calls: number[]
}

export interface MissedVerdict {
  kind: 'missed'
  cause: LetterCause
  reason: string
}

/** The question about a window; a deep one shows earlier exchanges again. */
export function modelWindow(
  session: UnlearnedSession,
  { said, earlier, isDeep }: LearnWindow & { isDeep: boolean },
): ModelWindow {
  const shown = isDeep ? [...earlier, ...said].slice(-Math.max(said.length, deepTurns)) : said
  const at = isoTime(session.endedMs ?? 0)
  return {
    session: session.uid,
    said: shown.map((utterance) => ({ ...utterance, at: utterance.at ?? at })),
    known: [],
    isDeep,
  }
}

export async function judgeByModel(context: LearnContext, window: ModelWindow): Promise<ModelVerdict> {
  const found: ModelFindings = { drafts: [], dropped: 0, calls: [] }
  if (window.said.length === 0) return { kind: 'answered', ...found }
  const { splitToFit, questionFor, draftsFrom } = await import('./model-judge.ts')
  for (const said of splitToFit(window.said)) {
    const part = { ...window, said, known: knownFor(context, window.session, said) }
    const answer: ModelResponse<LearningsAnswer> = await context.ask(questionFor(part))
    if (answer.kind !== 'answered') return missedVerdict(answer)
    // Look the project up only now: it may have been renamed while the question waited.
    const judged = draftsFrom(part, answer.value, projectOfSession(context.ledger, window.session))
    found.drafts.push(...judged.drafts)
    found.dropped += judged.dropped
    if (answer.call !== undefined) found.calls.push(answer.call)
  }
  return { kind: 'answered', ...found }
}

function missedVerdict(answer: Exclude<ModelResponse<unknown>, { kind: 'answered' }>): ModelVerdict {
  const reason = answer.reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ')
  if (answer.kind === 'failed') return { kind: 'missed', cause: 'failed', reason }
  return answer.obstacle ? { kind: 'missed', cause: causeOf(answer.obstacle), reason } : { kind: 'unavailable' }
}

export function causeOf(obstacle: ModelObstacle): LetterCause {
  return obstacle === 'outage' ? 'not asked' : obstacle
}

/**
 * Memories that the text may be about, and the latest ones: lets the model skip known statements
 * and name one to supersede. What rules made of the same messages is not shown: the model is to
 * judge them itself.
 */
function knownFor({ ledger }: LearnContext, session: string, said: readonly Utterance[]): ModelWindow['known'] {
  const project = projectOfSession(ledger, session)
  const text = said.map(({ prompt }) => prompt).join('\n')
  const events = new Set(said.map(({ event }) => event))
  const isByRules = ({ tags, evidence }: Memory) =>
    tags.includes(rulesTag) && evidence.every((one) => one.session === session && events.has(one.event ?? ''))
  const alike = similarMemories(ledger, text.slice(0, 8000), project, 15)
  const latest = listMemories(ledger, { project, withGlobal: true, state: 'kept', isCurrent: true, limit: 10 })
  const kept = [...alike, ...latest].filter((memory) => memory.state === 'kept' && !isByRules(memory))
  const known = new Map(kept.map((one) => [one.id, one]))
  return [...known.values()].map(({ id, text }) => ({ id, text }))
}
