// Who changed a file, and why: the sessions that touched it with what was asked there, and for lines the way from git's commit to
// the session behind it. Found through the table of touched files; only the bodies of those sessions are read.

import type { SessionKind } from '../core/session.ts'
import { readDigest } from '../digest/digest.ts'
import type { MemoryKind, MemoryTrust } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'
import { memoriesLearnedIn } from '../store/sessions/timeline.ts'
import { type BlamedLines, blameLines, type LineRange } from './blame-lines.ts'
import { type FileEdit, readWork } from './blame-session.ts'
import { type BlameContext, type FileTouch, touchesOf } from './blame-touches.ts'

export interface Blame {
  file: string
  project: string | null
  lines: BlamedLines[]
  /** The last that touched the file first. */
  sessions: FileSession[]
  /** How many sessions touched it. */
  total: number
  /** What could not be told, and why. */
  notes: string[]
}

export interface FileSession {
  session: string
  agent: string
  kind: SessionKind
  parent: string | null
  title: string | null
  outcome: string | null
  /** When it last changed the file. */
  at: string | null
  /** As the agent named it. */
  path: string
  times: number
  added: number
  removed: number
  exchanges: FileExchange[]
  memories: { id: string; kind: MemoryKind; trust: MemoryTrust; text: string }[]
  isTextGone: boolean
}

/** An exchange in which the file was changed, the last first. */
export interface FileExchange {
  /** For `recollect show`. */
  id: string
  at: string | null
  /** '' where it stands in the session that this one shares its beginning with. */
  asked: string
  by: 'user' | 'agent' | null
  times: number
  added: number
  removed: number
}

export function blame(context: BlameContext, options: { limit: number; lines?: LineRange }): Blame {
  const { ledger, project, file } = context
  const touches = touchesOf(context, file)
  const { lines, notes } = options.lines ? blameLines(context, touches, options.lines) : { lines: [], notes: [] }
  const sessions = touches.slice(0, options.limit).map((touch) => sessionOf(ledger, touch))
  return { file: file.path, project, lines, sessions: withMemories(ledger, sessions), total: touches.length, notes }
}

function sessionOf(ledger: Ledger, touch: FileTouch): FileSession {
  const { uid, path, times, added, removed, lastAt } = touch
  const view = findSessions(ledger, uid)[0]!
  const { edits, isTextGone } = readWork(ledger, {
    session: touch.session,
    uid,
    fromSeq: touch.first ?? 0,
    throughSeq: touch.last,
    isFile: touch.isFile,
  })
  // A body that was let go may have grown again: then it holds the later changes only.
  const isPart = isTextGone || edits.length < times
  const exchanges = exchangesOf(uid, edits)
  const { agent, kind, parent, title, outcome } = view
  const about = { session: uid, agent, kind, parent, title, outcome, at: edits.at(-1)?.at ?? lastAt, path }
  const told = exchanges.length > 0 ? exchanges : fromDigest(ledger, touch, view)
  return { ...about, times, added, removed, exchanges: told, memories: [], isTextGone: isPart }
}

function exchangesOf(uid: string, edits: readonly FileEdit[]): FileExchange[] {
  const exchanges = Map.groupBy(edits, ({ asked }) => asked?.seq ?? 0)
  return [...exchanges]
    .map(([seq, all]) => ({
      id: `${uid}#${seq}`,
      at: all[0]!.asked?.at ?? all[0]!.at,
      asked: all[0]!.asked?.text ?? '',
      by: all[0]!.asked?.by ?? null,
      times: all.length,
      added: all.reduce((sum, { added }) => sum + added, 0),
      removed: all.reduce((sum, { removed }) => sum + removed, 0),
    }))
    .reverse()
}

/** Of a session whose text is gone its goal is known: the first prompt, or the task where nobody typed one. */
function fromDigest(ledger: Ledger, touch: FileTouch, { kind, counts }: SessionView): FileExchange[] {
  const { uid, firstAt, times, added, removed } = touch
  const goal = readDigest(ledger, uid)?.goal
  if (!goal) return []
  const by = kind !== 'subagent' && counts.prompts > 0 ? 'user' : 'agent'
  return [{ id: uid, at: firstAt, asked: goal, by, times, added, removed }]
}

function withMemories(ledger: Ledger, sessions: FileSession[]): FileSession[] {
  const learned = memoriesLearnedIn(
    ledger,
    sessions.map(({ session }) => session),
  )
  return sessions.map((session) => ({ ...session, memories: learned.get(session.session) ?? [] }))
}
