// The contract between composing an answer and the store: talks, commits and memories with scores
// on one scale. ledger-sources.ts implements it; tests use their own.
import type { Memory } from '../memory/memory.ts'

/** A message of the user or the agent in a session. */
export interface TalkMessage {
  seq: number
  role: 'user' | 'assistant'
  text: string
  at: string | null
  /** What happened between this message and the next, in order. */
  signals?: TalkSignal[]
  /** Subjects of commits between this message and the next. */
  commits?: string[]
}

export type TalkSignal = 'edited' | 'tests passed' | 'tests failed' | 'committed'

/** Where a message that was found is. */
export interface TalkPlace {
  session: string
  seq: number
  score: number
}

export interface TalkHit extends TalkMessage, TalkPlace {}

export interface SourceCommit {
  hash: string
  /** Author time. */
  at: string
  message: string
  files: string[]
  /** Key of its project. */
  project?: string
}

export interface CommitHit extends SourceCommit {
  score: number
}

export interface MemoryHit {
  memory: Memory
  score: number
}

/** Lists are sorted by score, best first. */
export interface RecallSources {
  /** The time of the answer, for the age of memories. */
  nowMs: number
  candidates(query: string): TalkHit[]
  /** The same without the texts, which take longer to read than to find. */
  places(query: string): TalkPlace[]
  /** How rare the words of a query are in the whole store; a word that is nowhere counts little. */
  wordWeights?(query: string): ReadonlyMap<string, number>
  commits(query: string): CommitHit[]
  /** Kept memories, including superseded ones. */
  memories(query: string): MemoryHit[]
  /**
   * Prompts and replies of a session in order, without tool output. Empty where its text was
   * deleted.
   */
  talk(session: string): TalkMessage[]
  /** Title and project of a session: a question often names them. */
  about?(session: string): string
  /** Key of the project of a session. */
  projectOf?(session: string): string | null
  /** Later commits that touch one of its files except tests, oldest first. */
  commitsAfter(commit: SourceCommit): SourceCommit[]
}
