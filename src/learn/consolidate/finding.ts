// Findings of consolidation as data: a dry run shows them, a run writes them.
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
  /** The memory that replaces it, or that it may contradict. */
  other: string | null
  text: string
  /** The other memory's text, the text with dates, or the doubt. */
  now: string
}

export interface ConsolidationStep {
  findings: ConsolidationFinding[]
  /** New versions of the changed memories. */
  memories: Memory[]
}

/** The current memories after a step. */
export function applyStep(memories: readonly Memory[], { memories: changed }: ConsolidationStep): Memory[] {
  const now = new Map(changed.map((memory) => [memory.id, memory]))
  return memories.map((memory) => now.get(memory.id) ?? memory).filter(isCurrent)
}

export function isCurrent({ state, supersededBy }: Memory): boolean {
  return state === 'kept' && supersededBy === null
}
