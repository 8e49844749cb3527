import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { Zone } from '../core/units.ts'
import type { ModelQuestion, ModelResponse } from '../models/context.ts'
import type { ForkAnswer, ForkQuestion } from '../models/fork/ask-fork.ts'
import type { Ledger } from '../store/ledger.ts'
import type { Utterance } from './exchanges.ts'
import type { JudgeJob, LearnStep } from './steps.ts'

export interface LearnContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** The name of this machine. */
  origin: string
  /** Whether the agent keeps its own memories in this file. */
  isMemoryPath(agent: string, path: string): boolean
  /** Further folders that the user has named for memories of an agent. */
  memoryFolders(agent: string): string[]
  /** Only called if the configured order contains a model. */
  ask<T>(question: ModelQuestion<T>): Promise<ModelResponse<T>>
  zone: Zone
  /** Whether the user has allowed a model of the configured order. */
  isModelAllowed(): boolean
  /** Changes when a key, model, limit or consent does: see models/access-fingerprint.ts. */
  accessFingerprint(): string
  /** Sessions that were judged when another stage read their text. */
  judgedBefore?: Map<number, { job: JudgeJob; steps: LearnStep[] }>
  /** Has a fork of the session judge it; only called if the order contains `claude-fork`. */
  fork(question: ForkQuestion): Promise<ForkAnswer>
}

/**
 * Whether rules are in the configured order (the default), and so judge whatever no model judges.
 */
export function rulesMayJudge({ config }: LearnContext): boolean {
  return config.models.order.includes('heuristic')
}

/** Whether the configured order begins with a model. */
export function modelsMayJudge({ config }: Pick<LearnContext, 'config'>): boolean {
  return config.models.order[0] !== 'heuristic' && config.models.order.length > 0
}

export interface LearnReport {
  /** New memories. */
  learned: number
  /** New candidates. */
  proposed: number
  /** Statements that were known already and are counted once more. */
  merged: number
  superseded: number
  inbox: number
  /** Elements of models' answers that could not be used: no quote, no text. */
  dropped: number
  /** Exchanges that wait for a model, because it did not answer. */
  missed: number
  /** Exchanges in which agents wrote to their own memory files, which are then imported. */
  leftTo: Map<string, RememberedExchange[]>
  /** Sessions that could not be learned from, with the reason; they are tried again. */
  failed: string[]
}

/** What the user said while an agent wrote a memory itself. */
export interface RememberedExchange {
  session: string
  paths: string[]
  said: Utterance[]
}
