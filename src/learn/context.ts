import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { ModelQuestion, ModelResponse } from '../models/context.ts'
import type { ForkAnswer, ForkQuestion } from '../models/fork/ask-fork.ts'
import type { Ledger } from '../store/ledger.ts'

export interface LearnContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** The name of this machine. */
  origin: string
  /** Whether a file is one in which this agent keeps memories of its own. */
  isMemoryPath(agent: string, path: string): boolean
  /** Asks a model; called only where one may be asked. */
  ask<T>(question: ModelQuestion<T>): Promise<ModelResponse<T>>
  /** Has a session judged by a fork of itself; called only where the order says so. */
  fork(question: ForkQuestion): Promise<ForkAnswer>
}

/** Whether rules may judge where no model does: they are in the order, as they are by default. */
export function rulesMayJudge({ config }: LearnContext): boolean {
  return config.models.order.includes('heuristic')
}

/** Whether a model stands in the order before the rules. */
export function modelsMayJudge({ config }: Pick<LearnContext, 'config'>): boolean {
  return config.models.order[0] !== 'heuristic' && config.models.order.length > 0
}

export interface LearnReport {
  learned: number
  /** Said again. */
  merged: number
  superseded: number
  inbox: number
  /** Agents that wrote to their own memory: what they wrote there is taken in. */
  leftTo: Set<string>
}
