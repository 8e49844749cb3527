// A fact of a session that a compaction may drop.

export type FactKind = 'constraint' | 'decision' | 'command' | 'path' | 'identifier' | 'value' | 'open end' | 'error'

export interface DroppedFact {
  kind: FactKind
  /** As it was written: a sentence, a command, a path, a name. */
  text: string
  /** The event that it is from. */
  seq: number
  at: string | null
  /** How often it was used. */
  times: number
  /** The message of an error. */
  detail?: string
  /** The identifier or value that a sentence is given for. */
  name?: string
  /** The person said it; else the agent. */
  isSaid?: true
  isEdited?: true
}
