// One observation about one session, made from its digest: a retry storm, a correction, a recovery.

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

/** What costs, and what works: a success is worth repeating. */
export type Polarity = 'problem' | 'success'

export interface Signal {
  /** `<agent>:<native id>`. */
  session: string
  agent: string
  project: string | null
  /** When the session ended. */
  atMs: number
  type: SignalType
  polarity: Polarity
  /** What it is about: a tool, the fingerprint of an error, a command. '' where the type says all. */
  locus: string
  /** How strong it is, in what the type counts: retries, errors, dollars. */
  magnitude: number
  /** What the session spent on it, as far as that can be told. */
  costUsd: number
  /** One line for people. */
  detail: string
  /** The event to open; null for the session as a whole. */
  seq: number | null
}
