// A session with its digest and cost, as the signal extractors use it.
import type { DigestState } from '../../digest/digest-state.ts'
import { judgeOutcome, type OutcomeJudgement } from '../../digest/outcome.ts'
import type { DigestedSession } from '../../store/patterns/patterns.ts'
import type { Polarity, Signal, SignalType } from '../types.ts'

export interface ScannedSession extends Omit<DigestedSession, 'state'> {
  state: DigestState
  judgement: OutcomeJudgement
  costUsd: number
  /** 90th percentile of comparable sessions; null where there are too few. */
  usualUsd: number | null
}

export function readScannedSession(row: DigestedSession, costUsd: number, usualUsd: number | null): ScannedSession {
  const { id, uid, agent, project, endedMs, toolCalls } = row
  const state = JSON.parse(row.state) as DigestState
  const judgement = judgeOutcome(state)
  return { id, uid, agent, project, endedMs, toolCalls, state, judgement, costUsd, usualUsd }
}

/** Fields of the session that a signal contains. */
export type SignalSource = Pick<ScannedSession, 'uid' | 'agent' | 'project' | 'endedMs' | 'toolCalls' | 'costUsd'>

export interface SignalFields {
  type: SignalType
  polarity?: Polarity
  locus?: string
  magnitude: number
  detail: string
  seq?: number | null
  /** Calls spent on it; their share of all calls gives the cost. */
  calls?: number
  costUsd?: number
}

/** The default polarity is `problem`. */
export function createSignal(session: SignalSource, found: SignalFields): Signal {
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
