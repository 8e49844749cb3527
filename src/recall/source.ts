// What an answer is made of: talks, commits and memories, as the search hands them over. Scores of all kinds are of one scale.
import type { Memory } from '../memory/memory.ts'

/** Something that a person or the agent said in a session. */
export interface Said {
  seq: number
  role: 'user' | 'assistant'
  text: string
  at: string | null
}

export interface Hit extends Said {
  session: string
  score: number
}

export interface Commit {
  hash: string
  /** When its author made it. */
  at: string
  message: string
  files: string[]
}

export interface CommitHit extends Commit {
  score: number
}

export interface MemoryHit {
  memory: Memory
  score: number
}

/** What composing an answer needs from the search and the store; lists come with the best first. */
export interface Finder {
  candidates(query: string): Hit[]
  commits(query: string): CommitHit[]
  /** Kept ones, and superseded ones, which are marked. */
  memories(query: string): MemoryHit[]
  /** A whole session: prompts and replies in order, nothing that a tool printed. Empty where its text was let go. */
  talk(session: string): Said[]
  /** Commits after one that touch a file of it, tests apart, the oldest first. */
  after(commit: Commit): Commit[]
}
