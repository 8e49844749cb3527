// Blames a file or lines: the sessions that edited it with their prompts, and for lines the session
// behind each commit. Uses the table of edited files, so only the bodies of those sessions are
// read.

import type { Lineage } from '../core/session.ts'
import { readDigest } from '../digest/digest.ts'
import { tellName } from '../gate/evidence.ts'
import { tellMemory } from '../gate/gate.ts'
import type { MemoryKind, MemoryTrust } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'
import { memoriesLearnedIn } from '../store/sessions/timeline.ts'
import {
  type BlameContext,
  type FileTouch,
  fileTouches,
  readFileWork,
  type SessionFileEdit,
  toldPrompt,
} from './blame-file.ts'
import { type BlamedLines, blameLines, type LineRange } from './blame-lines.ts'

export interface Blame {
  file: string
  project: string | null
  lines: BlamedLines[]
  /** Last edited first. */
  sessions: FileSession[]
  /** Number of sessions that edited it. */
  total: number
  /** Limitations of the answer, with reasons. */
  notes: string[]
}

export interface FileSession {
  session: string
  agent: string
  lineage: Lineage
  parent: string | null
  title: string | null
  outcome: string | null
  /** Time of its last edit of the file. */
  at: string | null
  /** As recorded by the agent. */
  path: string
  times: number
  added: number
  removed: number
  exchanges: FileExchange[]
  memories: { id: string; kind: MemoryKind; trust: MemoryTrust; text: string }[]
  isTextGone: boolean
}

/** An exchange in which the file was edited. */
export interface FileExchange {
  /** For `recollect show`. */
  id: string
  at: string | null
  /** '' where the prompt belongs to the session that this one was forked from. */
  asked: string
  by: 'user' | 'agent' | null
  times: number
  added: number
  removed: number
}

export function blame(context: BlameContext, options: { limit: number; lines?: LineRange }): Blame {
  const { ledger, project, file } = context
  const touches = fileTouches(context, file)
  const { lines, notes } = options.lines ? blameLines(context, touches, options.lines) : { lines: [], notes: [] }
  const sessions = touches.slice(0, options.limit).map((touch) => fileSession(ledger, touch))
  return { file: file.path, project, lines, sessions: withMemories(ledger, sessions), total: touches.length, notes }
}

function fileSession(ledger: Ledger, touch: FileTouch): FileSession {
  const { uid, path, times, added, removed, lastAt } = touch
  const view = findSessions(ledger, uid)[0]!
  const { edits, isTextGone } = readFileWork(ledger, {
    session: touch.session,
    uid,
    fromSeq: touch.first ?? 0,
    throughSeq: touch.last,
    isFile: touch.isFile,
  })
  // A deleted body that grew again holds only the later edits.
  const isPart = isTextGone || edits.length < times
  const exchanges = exchangesOf(uid, edits)
  const { agent, lineage, parent, title, outcome } = view
  const about = {
    session: uid,
    agent,
    lineage,
    parent,
    title: title && tellName(title),
    outcome,
    at: edits.at(-1)?.at ?? lastAt,
    path,
  }
  const shown = exchanges.length > 0 ? exchanges : digestExchanges(ledger, touch, view)
  return { ...about, times, added, removed, exchanges: shown, memories: [], isTextGone: isPart }
}

function exchangesOf(uid: string, edits: readonly SessionFileEdit[]): FileExchange[] {
  const exchanges = Map.groupBy(edits, ({ asked }) => asked?.seq ?? 0)
  return [...exchanges]
    .map(([seq, all]) => ({
      id: `${uid}#${seq}`,
      at: all[0]!.asked?.at ?? all[0]!.at,
      asked: toldPrompt(all[0]!.asked),
      by: all[0]!.asked?.by ?? null,
      times: all.length,
      added: all.reduce((sum, { added }) => sum + added, 0),
      removed: all.reduce((sum, { removed }) => sum + removed, 0),
    }))
    .reverse()
}

/** Where the text was deleted, the goal in the digest stands for the prompts. */
function digestExchanges(ledger: Ledger, touch: FileTouch, { kind, counts }: SessionView): FileExchange[] {
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
  return sessions.map((session) => ({ ...session, memories: (learned.get(session.session) ?? []).flatMap(toldMemory) }))
}

function toldMemory(memory: FileSession['memories'][number]): FileSession['memories'] {
  const one = tellMemory({ ...memory, because: 'agent', why: null, apply: null })
  return 'told' in one ? [{ ...memory, text: one.told.text }] : []
}
