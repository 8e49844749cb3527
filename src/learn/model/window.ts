// Exchanges that a model judges together.
import type { Utterance } from '../exchanges.ts'
import type { JudgeTask } from './instructions.ts'

/** Everything that is needed to build memories from an answer that comes later. */
export interface ModelWindow {
  session: string
  task: JudgeTask
  said: Utterance[]
  /** The first event that is judged, and the place behind the last. */
  from: number
  through: number
  /** What a model wrote about the session before these exchanges. */
  earlier: string
}

/** The name of a candidate in a question. */
export function candidateName(index: number): string {
  return `c${index + 1}`
}
