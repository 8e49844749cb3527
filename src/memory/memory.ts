// The memory and the learning as types. Judges return learnings; all later stages read memories.

export const memoryKinds = [
  'correction', // contradicts what the agent did or believed, and says what is right
  'preference', // how the person wants work done or things to look
  'decision', // what the project will or will not do
  'fact', // about the domain, the environment, a place, an external system
  'debugging', // a confirmed cause or clue
  'workaround',
  'operational', // how to run, test, release, track
] as const

export const memoryTypes = [
  'user', // who the person is; never leaves the machine by itself
  'feedback', // corrections and confirmations of how work is done
  'project', // who, why and when, not in the code; ages fast
  'reference', // where something outside is to be found
] as const

export const memoryStatuses = ['settled', 'tried-and-failed', 'hypothetical'] as const

/** Who said it. Tool output is never shown as the user's words. */
export const memoryTrusts = ['user said', 'agent said', 'tool printed', 'imported'] as const

export type MemoryKind = (typeof memoryKinds)[number]
export type MemoryType = (typeof memoryTypes)[number]
export type MemoryStatus = (typeof memoryStatuses)[number]
export type MemoryTrust = (typeof memoryTrusts)[number]
export type MemoryScope = 'project' | 'user'

/**
 * Kept, proposed by rules, waiting for a decision, or forgotten (a tombstone that is not shown).
 * Only kept memories are told as rules or decisions.
 */
export type MemoryState = 'kept' | 'candidate' | 'inbox' | 'forgotten'

/** Why a statement is in the ledger: who decided that it is worth remembering. */
export const memoryReasons = [
  'rules', // nobody yet: rules propose it, and it stays a candidate
  'model', // a model that the person allowed
  'person', // written, accepted or edited by a person
  'agent', // the agent saved it on request of the person
  'import',
  'run', // a cause with its fix, confirmed by a run that passed
] as const
export type MemoryReason = (typeof memoryReasons)[number]

/** `origin` of memories that were stored through the API or MCP of a server. */
export const serverOrigin = 'server'

/** The longest text of a memory, in characters. */
export const maxMemoryLength = 1400

/** Days after which a candidate that was neither kept nor said again is deleted. */
export const candidateDays = 60

/** What a judge found in one exchange, before admission. */
export interface Learning {
  kind: MemoryKind
  /** One statement that can be read alone. */
  text: string
  /** The exact words of the prompt that carry it. */
  quote: string
  why: string | null
  status: MemoryStatus
  scope: MemoryScope
  /** 0 to 1. */
  importance: number
  tags: string[]
  /** How likely it is worth remembering, 0 to 1, by the rules. */
  score?: number
  /** The person asked to remember it: "remember that ...". */
  isRequest?: true
  /** The user takes back what was said about `text`, which is no statement. */
  isRetraction?: true
}

/** The source of a memory: session, event (the agent's own record id) and quote. */
export interface Evidence {
  session: string | null
  event: string | null
  quote: string
  commit?: string
  /** The file it was imported from. */
  file?: string
}

export interface Memory {
  id: string
  /** Key of the project; null for all projects. */
  project: string | null
  type: MemoryType
  kind: MemoryKind
  status: MemoryStatus
  state: MemoryState
  text: string
  why: string | null
  /** How to apply it. */
  apply: string | null
  importance: number
  tags: string[]
  keywords: string[]
  /** Links that start at it, as `linkText` writes them. */
  links: string[]
  evidence: Evidence[]
  trust: MemoryTrust
  because: MemoryReason
  /** Rank of a candidate, 0 to 1; null for what rules did not find. */
  score: number | null
  learnedAt: string
  validFrom: string
  /** When it was last repeated. */
  confirmedAt: string
  supersededAt: string | null
  supersededBy: string | null
  /** The kept memory that it may contradict, and why it is in the inbox. */
  contradicts: string | null
  /** Why it may be out of date: a name in it no longer exists in the checkout. */
  doubt: string | null
  /** How often it was said, shown to an agent and used by one. */
  counts: { said: number; shown: number; used: number }
  version: number
  /** The machine that learned it. */
  origin: string
  /** Server space of a memory of others: `team:<name>` or `shared`; null for own memories. */
  space: string | null
  /** Its author in that space. */
  author: string | null
}
