// One session as the extractors see it: what its digest says and what it cost.
import type { DigestState } from '../../digest/digest-state.ts'
import { judgeOutcome, type OutcomeJudgement } from '../../digest/outcome.ts'
import type { DigestedSession } from '../../store/patterns/patterns.ts'
import type { Polarity, Signal, SignalType } from '../signal.ts'

export interface SeenSession extends Omit<DigestedSession, 'state'> {
  state: DigestState
  judgement: OutcomeJudgement
  costUsd: number
  /** What others of its kind cost at most, nine of ten; null where there are too few to say. */
  usualUsd: number | null
}

export function seen(row: DigestedSession, costUsd: number, usualUsd: number | null): SeenSession {
  const { id, uid, agent, project, endedMs, toolCalls } = row
  const state = JSON.parse(row.state) as DigestState
  const judgement = judgeOutcome(state)
  return { id, uid, agent, project, endedMs, toolCalls, state, judgement, costUsd, usualUsd }
}

/** What a signal says of its session. */
export type SignalSource = Pick<SeenSession, 'uid' | 'agent' | 'project' | 'endedMs' | 'toolCalls' | 'costUsd'>

export interface Found {
  type: SignalType
  polarity?: Polarity
  locus?: string
  magnitude: number
  detail: string
  seq?: number | null
  /** Calls that were spent on it: their share of the session is its cost. */
  calls?: number
  costUsd?: number
}

/** Problems, unless it says otherwise. */
export function signal(session: SignalSource, found: Found): Signal {
  const { uid, agent, project, endedMs, toolCalls, costUsd } = session
  const share = Math.min(1, (found.calls ?? 0) / Math.max(1, toolCalls))
  return {
    session: uid,
    agent,
    project,
    atMs: endedMs,
    type: found.type,
    polarity: found.polarity ?? 'problem',
    locus: found.locus ?? '',
    magnitude: found.magnitude,
    costUsd: found.costUsd ?? costUsd * share,
    detail: found.detail,
    seq: found.seq ?? null,
  }
}
