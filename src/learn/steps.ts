// Reads a session as a list of steps: windows to judge, and side effects to apply in between. Steps
// are plain data, so that a second thread can read a session and judge it by rules.
import { messageOf } from '../core/errors.ts'
import { draftOf, type MemoryDraft } from '../memory/draft.ts'
import type { Learning } from '../memory/memory.ts'
import type { UnlearnedSession } from '../store/memories/learning.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { findCauses } from './causes/causes.ts'
import type { Utterance } from './exchanges.ts'
import { agreedTag } from './heuristic/attributes.ts'
import { judgeExchange } from './heuristic/judge.ts'
import { type LearnWindow, type SessionRange, windowsOf } from './windows.ts'

export interface JudgeJob {
  session: UnlearnedSession
  range: SessionRange
  /** The agent has answered: the last exchange is complete. */
  isOver: boolean
  /** Rules judge it; else it is only read. */
  isJudged: boolean
  source: SessionSource
  /** Folders that the user has named for memories of this agent. */
  memoryFolders?: string[]
}

/** A window that is still to be judged. */
export interface WindowStep {
  kind: 'window'
  window: LearnWindow
}

export type LearnStep =
  | WindowStep
  /** `messages` of the user were read. */
  | { kind: 'judged'; drafts: MemoryDraft[]; toSeq: number; messages: number }
  /** Causes with fixes that a passing run confirmed; they need no judge. */
  | { kind: 'causes'; drafts: MemoryDraft[] }
  /** Prompts that the user rewound, by their record ids. */
  | { kind: 'retracted'; ids: string[] }
  /** The agent itself made a memory of an exchange, in these files. */
  | { kind: 'left to agent'; paths: string[]; said: Utterance[] }
  /** The text could not be read to its end. */
  | { kind: 'damaged'; path: string; reason: string }

export type IsMemoryPath = (agent: string, path: string) => boolean

/** The steps with their windows judged by rules. `events` are those of the range, if they were read before. */
export function* judgeSteps(
  job: JudgeJob,
  isMemoryPath: IsMemoryPath,
  events?: Iterable<StoredEvent>,
): Generator<LearnStep> {
  for (const step of readSteps(job, isMemoryPath, events)) {
    if (step.kind !== 'window') yield step
    else {
      const { toSeq, said } = step.window
      const drafts = job.isJudged ? judgeByRules(step.window, job.source) : []
      yield { kind: 'judged', drafts, toSeq, messages: said.length }
    }
  }
}

export function* readSteps(
  job: JudgeJob,
  isMemoryPath: IsMemoryPath,
  events?: Iterable<StoredEvent>,
): Generator<LearnStep> {
  const { session, range, isOver, source, memoryFolders = [] } = job
  const isInFolder = (path: string) =>
    path.endsWith('.md') &&
    memoryFolders.some((folder) => path.startsWith(folder) && /^[\\/]/.test(path.slice(folder.length)))
  const pending: LearnStep[] = []
  const causes: MemoryDraft[] = []
  const { project } = source
  const causeAt = project === null ? () => undefined : findCauses({ ...source, project, cwd: session.cwd })
  const windows = windowsOf(range, {
    events,
    isOver,
    isLeftToAgent({ files, said }) {
      const paths = files.filter((path) => isMemoryPath(session.agent, path) || isInFolder(path))
      if (paths.length > 0) pending.push({ kind: 'left to agent', paths, said })
      return paths.length > 0
    },
    onRetracted: (ids) => pending.push({ kind: 'retracted', ids }),
    onDamaged: (path, error) => pending.push({ kind: 'damaged', path, reason: messageOf(error) }),
    onEvent(event) {
      const cause = causeAt(event)
      if (cause && event.seq >= range.learnedThrough) causes.push(cause)
    },
  })
  for (const window of windows) {
    yield* pending.splice(0)
    yield { kind: 'window', window }
  }
  yield* pending
  if (causes.length > 0) yield { kind: 'causes', drafts: causes }
}

export interface SessionSource {
  session: string
  project: string | null
  /** The time of utterances without one of their own. */
  at: string
}

/** The judge that needs no model: each utterance alone. */
export function judgeByRules({ said }: LearnWindow, source: SessionSource): MemoryDraft[] {
  return said.flatMap((utterance) => judgeExchange(utterance).map((learning) => draftFrom(learning, utterance, source)))
}

function draftFrom(learning: Learning, utterance: Utterance, { session, project, at }: SessionSource): MemoryDraft {
  return draftOf(learning, {
    project,
    evidence: [{ session, event: utterance.event || null, quote: learning.quote }],
    // A statement of the agent that the user only agreed to.
    trust: learning.tags.includes(agreedTag) ? 'agent said' : 'user said',
    because: learning.isRequest ? 'person' : 'rules',
    at: utterance.at ?? at,
  })
}
