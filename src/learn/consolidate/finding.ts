// What consolidation finds, as data: a dry run shows it, a run writes it.
import type { Memory } from '../../memory/memory.ts'

export type ConsolidationKind =
  | 'merged' // says the same as another, which counts it now
  | 'dated' // "yesterday" got its date
  | 'retired' // a later word says otherwise
  | 'waits' // may contradict an earlier one: a person decides
  | 'doubted' // names what is gone from the checkout
  | 'trusted' // what it names is there again

export interface ConsolidationFinding {
  kind: ConsolidationKind
  memory: string
  /** The memory that takes its place, or that it may contradict. */
  other: string | null
  text: string
  /** What is new: the other's text, the text with dates, the doubt. */
  now: string
}

export interface ConsolidationStep {
  findings: ConsolidationFinding[]
  /** As they are to be. */
  memories: Memory[]
}

/** The memories as they will be after a step. */
export function applyStep(memories: readonly Memory[], { memories: changed }: ConsolidationStep): Memory[] {
  const now = new Map(changed.map((memory) => [memory.id, memory]))
  return memories.map((memory) => now.get(memory.id) ?? memory).filter(isCurrent)
}

export function isCurrent({ state, supersededBy }: Memory): boolean {
  return state === 'kept' && supersededBy === null
}
