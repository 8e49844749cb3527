// A curated pattern, as it stands in the catalogue: `vault/practices/<slug>.md`, which people may edit, and which is the truth.
import type { Pattern } from './pattern.ts'

export type PracticeStatus = 'approved' | 'retired'

export interface Practice {
  /** Of the pattern that it comes from; made of the file's name where a person wrote it. */
  id: string
  /** Below the vault, without ending: `practices/read-before-edit`. */
  path: string
  title: string
  /** Semantic: a reworded one is a patch, another scope a minor, another rule a major one. */
  version: string
  status: PracticeStatus
  /** What goes wrong, or right. */
  problem: string
  /** What to do, as an agent is told. */
  rule: string
  /** Empty for all of them. */
  agents: string[]
  projects: string[]
  /** A practice that is a way of doing something becomes a skill: its steps. */
  steps: string[]
  /** What its pattern is about; absent where a person wrote it without one. */
  pattern?: Pick<Pattern, 'polarity' | 'type' | 'locus'>
  /** What it was made from; an example is `<session>#<seq>: what happened`, and `recollect show` opens what stands before the colon. */
  provenance: { frequency: number; sessions: number; agents: string[]; evidence: string; examples: string[] }
  history: { version: string; day: string; what: string }[]
}
