// Asks a model to judge exchanges of a session.
import { isoTime } from '../../core/clock.ts'
import type { MemoryDraft } from '../../memory/draft.ts'
import type { Memory } from '../../memory/memory.ts'
import type { ModelObstacle, ModelResponse } from '../../models/context.ts'
import type { LetterCause } from '../../store/memories/dead-letters.ts'
import { projectOfSession, type UnlearnedSession } from '../../store/memories/learning.ts'
import { listMemories, memoriesOfSession, similarMemories } from '../../store/memories/memories.ts'
import type { DroppedElement } from '../../store/memories/model-calls.ts'
import type { LearnContext } from '../context.ts'
import { type Utterance, utteranceOf } from '../exchanges.ts'
import type { JournalPart, JudgeAnswer } from './answer.ts'
import type { JudgeContext } from './question.ts'
import type { ModelWindow } from './window.ts'

export type ModelVerdict =
  | ({ kind: 'answered' } & ModelFindings)
  /** No model was expected to judge it. */
  | { kind: 'unavailable' }
  /** A model should have judged it and did not. */
  | MissedVerdict

export interface ModelFindings {
  drafts: MemoryDraft[]
  /** Elements of the answer that could not be used. */
  dropped: DroppedElement[]
  /** The calls in the ledger of spend. */
  calls: number[]
  /** Only of a whole session. */
  summary?: ModelSummary
}

export interface ModelSummary {
  title: string
  leftOff: string
  journal: JournalPart | null
  /** Provider and model. */
  author: string
}

export interface MissedVerdict {
  kind: 'missed'
  cause: LetterCause
  reason: string
}

/** Utterances without a time get that of the session's end. */
export function withTimes(said: readonly Utterance[], { endedMs }: UnlearnedSession): Utterance[] {
  const at = isoTime(endedMs ?? 0)
  return said.map((utterance) => ({ ...utterance, at: utterance.at ?? at }))
}

export async function judgeByModel(context: LearnContext, window: ModelWindow): Promise<ModelVerdict> {
  const found: ModelFindings = { drafts: [], dropped: [], calls: [] }
  if (window.said.length === 0) return { kind: 'answered', ...found }
  const { splitToFit, questionFor } = await import('./question.ts')
  const { draftsFrom } = await import('./answer.ts')
  let { earlier } = window
  for (const said of splitToFit(window.said)) {
    const part = { ...window, said, earlier }
    const around = judgeContext(context, window.session, said, found.drafts)
    const answer: ModelResponse<JudgeAnswer> = await context.ask(questionFor(part, around))
    if (answer.kind !== 'answered') return missedVerdict(answer)
    // Look the project up only now: it may have been renamed while the question waited.
    const project = projectOfSession(context.ledger, window.session)
    const { drafts, dropped } = draftsFrom(part, answer.value, { ...around, project })
    found.drafts.push(...drafts)
    found.dropped.push(...dropped)
    if (answer.call !== undefined) found.calls.push(answer.call)
    if (window.task !== 'session') continue
    found.summary = summaryOf(answer, found.summary)
    earlier = earlierText(found.summary)
  }
  return { kind: 'answered', ...found }
}

function summaryOf(
  { value, provider, model }: Extract<ModelResponse<JudgeAnswer>, { kind: 'answered' }>,
  before: ModelSummary | undefined,
): ModelSummary {
  const { title, leftOff, journal } = value
  return {
    title: title || before?.title || '',
    leftOff,
    journal: journal ?? before?.journal ?? null,
    author: `${provider} ${model}`,
  }
}

/** What a later question about the same session is told of the part before. */
export function earlierText({ title, leftOff, journal }: Omit<ModelSummary, 'author'>): string {
  const decisions = journal?.decisions.map(({ what }) => `- decided: ${what}`) ?? []
  return [title, journal?.context ?? '', ...decisions, leftOff && `Left off: ${leftOff}`].filter(Boolean).join('\n')
}

function missedVerdict(answer: Exclude<ModelResponse<unknown>, { kind: 'answered' }>): ModelVerdict {
  const reason = answer.reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; ')
  if (answer.kind === 'failed') return { kind: 'missed', cause: 'failed', reason }
  return answer.obstacle ? { kind: 'missed', cause: causeOf(answer.obstacle), reason } : { kind: 'unavailable' }
}

export function causeOf(obstacle: ModelObstacle): LetterCause {
  return obstacle === 'outage' ? 'not asked' : obstacle
}

/** Known memories and candidates that one question shows. */
const [maxSimilar, maxLatest, maxCandidates] = [15, 10, 20]

/**
 * What rules found in these exchanges, and memories that they may be about: so that the model can
 * keep, skip, or supersede. `drafts` are of an earlier part of the same session.
 */
function judgeContext(
  { ledger }: LearnContext,
  session: string,
  said: readonly Utterance[],
  drafts: readonly MemoryDraft[],
): JudgeContext {
  const project = projectOfSession(ledger, session)
  const text = [...said.map(({ prompt }) => prompt), ...drafts.map((draft) => draft.text)].join('\n')
  const similar = similarMemories(ledger, text.slice(0, 8000), project, maxSimilar)
  const latest = listMemories(ledger, { project, withGlobal: true, state: 'kept', isCurrent: true, limit: maxLatest })
  const kept = [...similar, ...latest].filter(({ state }) => state === 'kept')
  return {
    known: [...new Map(kept.map((one) => [one.id, one])).values()],
    candidates: candidatesIn(memoriesOfSession(ledger, session), session, said).slice(0, maxCandidates),
  }
}

/** Candidates that rules made of these exchanges alone, the most likely first. */
export function candidatesIn(memories: readonly Memory[], session: string, said: readonly Utterance[]): Memory[] {
  return memories
    .filter(
      ({ state, because, space }) => because === 'rules' && !space && (state === 'candidate' || state === 'inbox'),
    )
    .filter(({ evidence }) => evidence.every((one) => one.session === session && utteranceOf(said, one) !== undefined))
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
}
