// Types of the stage: a signal is one observation about one session, a pattern the same signal
// across sessions, a practice a pattern that a person approved.

export interface Pattern {
  /** Derived from polarity, type and locus only, so more evidence never changes it. */
  id: string
  polarity: Polarity
  type: SignalType
  locus: string
  /** One line for people. */
  title: string
  /** Number of signals. */
  frequency: number
  /** Sum of their magnitudes. */
  times: number
  sessions: number
  projects: string[]
  agents: string[]
  /** Seen with more than one agent. */
  crossAgent: boolean
  costUsd: number
  firstMs: number
  lastMs: number
  /** Fingerprint of the sessions: a rejection holds until it changes. */
  evidence: string
  /** For `recollect show`. */
  examples: { session: string; seq: number | null; detail: string }[]
}

export const signalTypes = [
  'retry storm',
  'repeated error',
  'recurring error',
  'expensive session',
  'abandoned',
  'clean pass',
  'recovery',
  'overhead',
  'schema thrash',
  'tool thrash',
  'unread edit',
  'repeated correction',
  'command sequence',
  'lost at compaction',
  'denial',
  'untested change',
] as const
export type SignalType = (typeof signalTypes)[number]

/** Types whose magnitude is the number of occurrences in the session. */
export const countedTypes: ReadonlySet<SignalType> = new Set<SignalType>([
  'retry storm',
  'repeated error',
  'recurring error',
  'schema thrash',
  'tool thrash',
  'unread edit',
  'denial',
])

/** A problem costs something; a success is worth repeating. */
export type Polarity = 'problem' | 'success'

export interface Signal {
  /** `<agent>:<native id>`. */
  session: string
  agent: string
  project: string | null
  /** End of the session. */
  atMs: number
  type: SignalType
  polarity: Polarity
  /** Subject: a tool, the shape of an error, a command. '' where the type needs none. */
  locus: string
  /** Strength in the unit of the type: retries, errors, dollars. */
  magnitude: number
  /** Estimated cost. */
  costUsd: number
  /** One line for people. */
  detail: string
  /** The event to open; null for the session as a whole. */
  seq: number | null
}

export type PracticeStatus = 'approved' | 'retired'

export interface Practice {
  /** Id of its pattern; derived from the file name where a person wrote it. */
  id: string
  /** Relative to the vault, without extension: `practices/read-before-edit`. */
  path: string
  title: string
  /** Semantic: a new wording is a patch, a new scope minor, a new rule major. */
  version: string
  status: PracticeStatus
  /** What goes wrong or right. */
  problem: string
  /** The instruction for agents. */
  rule: string
  /** Empty for all agents. */
  agents: string[]
  projects: string[]
  /** A practice with steps is published as a skill. */
  steps: string[]
  /** Absent where a person wrote the practice without a pattern. */
  pattern?: Pick<Pattern, 'polarity' | 'type' | 'locus'>
  /**
   * Its evidence; an example is `<session>#<seq>: text`, with the id for `recollect show` before
   * the colon.
   */
  provenance: { frequency: number; sessions: number; agents: string[]; evidence: string; examples: string[] }
  history: { version: string; day: string; what: string }[]
}
