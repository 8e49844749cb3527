// What is worth knowing later, as types: every judge answers in them, every later stage reads them.

export const memoryKinds = [
  'correction', // contradicts what the agent did or believed, and says what is right
  'preference', // how the person wants work done or things to look
  'decision', // what the project will or will not do
  'fact', // about the domain, the environment, a place, an external system
  'debugging', // a confirmed cause or clue
  'workaround',
  'operational', // how to run, test, release, track
] as const

export type MemoryKind = (typeof memoryKinds)[number]
export type MemoryStatus = 'settled' | 'tried-and-failed' | 'hypothetical'
export type MemoryScope = 'project' | 'user'

/** The longest text of a memory, in characters. */
export const maxMemoryLength = 1400

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
}
