// The same signal across sessions: a candidate until a person has looked at it.
import type { Polarity, SignalType } from './signal.ts'

export interface Pattern {
  /** Of polarity, type and locus alone: more evidence never changes it. */
  id: string
  polarity: Polarity
  type: SignalType
  locus: string
  /** One line for people. */
  title: string
  /** How many signals. */
  frequency: number
  /** How strong they are together, in what the type counts. */
  times: number
  sessions: number
  projects: string[]
  agents: string[]
  /** Seen with more than one agent. */
  crossAgent: boolean
  costUsd: number
  firstMs: number
  lastMs: number
  /** Changes when the evidence does: a rejection holds as long as it stays. */
  evidence: string
  /** What one can open. */
  examples: { session: string; seq: number | null; detail: string }[]
}

/** What a person said of a pattern. */
export type Verdict = 'approved' | 'rejected' | 'later'
