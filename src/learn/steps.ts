// What rules find in a session, step by step and in order, as plain data: so it can be found in another thread.
import { messageOf } from '../core/errors.ts'
import type { MemoryCandidate } from '../memory/candidate.ts'
import type { UnlearnedSession } from '../store/memories/learning.ts'
import { judgeByRules, type SessionSource } from './rules.ts'
import { type SessionRange, windowsOf } from './windows.ts'

export interface JudgeJob {
  session: UnlearnedSession
  stretch: SessionRange
  /** The agent has answered: its last exchange is whole, too. */
  isOver: boolean
  source: SessionSource
}

export type LearnStep =
  | { kind: 'judged'; candidates: MemoryCandidate[]; turns: number; toSeq: number }
  /** Prompts that were taken back, by their record ids. */
  | { kind: 'taken back'; ids: string[] }
  /** The agent itself made a memory of an exchange. */
  | { kind: 'left to agent' }
  /** The text could not be read to its end. */
  | { kind: 'damaged'; path: string; reason: string }

export type IsMemoryPath = (agent: string, path: string) => boolean

export function* judgeSteps(
  { session, stretch, isOver, source }: JudgeJob,
  isMemoryPath: IsMemoryPath,
): Generator<LearnStep> {
  const told: LearnStep[] = []
  const windows = windowsOf(stretch, {
    isOver,
    isLeftToAgent(files) {
      const isLeft = files.some((path) => isMemoryPath(session.agent, path))
      if (isLeft) told.push({ kind: 'left to agent' })
      return isLeft
    },
    onTakenBack: (ids) => told.push({ kind: 'taken back', ids }),
    onDamaged: (path, error) => told.push({ kind: 'damaged', path, reason: messageOf(error) }),
  })
  for (const window of windows) {
    yield* told.splice(0)
    yield { kind: 'judged', candidates: judgeByRules(window, source), turns: window.turns, toSeq: window.toSeq }
  }
  yield* told
}
