// The digest stage: writes the compact record of every session, which stays after its body is
// evicted. No model is involved.
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { isSystemError, messageOf } from '../core/errors.ts'
import { isLedgerFault } from '../core/sqlite.ts'
import type { Ledger } from '../store/ledger.ts'
import { readableEvents, type StoredEvent } from '../store/sessions/bodies.ts'
import {
  digestedThroughOf,
  digestStateOf,
  readDigestState,
  resetDigest,
  saveDigest,
  type UndigestedSession,
  undigestedSessions,
} from '../store/sessions/digests.ts'
import { type EventSummary, summariseEvent } from '../store/sessions/events.ts'
import { deleteFileEdits, saveFileEdit } from '../store/sessions/file-edits.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { type ActivityKind, activityOf } from './activity.ts'
import { type DigestState, type EventFolder, eventFolder, newDigestState, type TurningPoint } from './digest-state.ts'
import { judgeOutcome, type Outcome } from './outcome.ts'
import { type ThreadPart, threadOf } from './prompt-notes.ts'
import { carryingPrompt, titleOfSession } from './session-title.ts'

export interface Digest {
  title: string
  goal: string
  /** What was asked first, on the way and last. */
  thread: ThreadPart[]
  outcome: Outcome
  because: string
  kind: ActivityKind
  lastReply: string
  lastReplyEnd: string
  /** Question or choice for the person that the session ended with; empty where there is none. */
  question: string
  /** Subjects of commits that were not taken back, and of those that were reverted. */
  commits: string[]
  reverted: string[]
  /** Number of commits; `commits` leaves out some of many. */
  commitCount: number
  kinds: DigestState['kinds']
  tools: Record<string, number>
  files: { path: string; change: string; added: number; removed: number; times: number }[]
  commands: { command: string; times: number; failed: number }[]
  tests: DigestState['tests']
  errors: { fingerprint: string; count: number; message: string; tool: string; command?: string; firstSeq: number }[]
  corrections: DigestState['corrections']
  counts: DigestState['counts']
  turningPoints: TurningPoint[]
  activeMs: number
}

export interface DigestContext {
  ledger: Ledger
  clock: Clock
}

/** Small enough that a killed run repeats little. */
const sessionsPerTransaction = 100

/**
 * Digests all sessions that have grown, from their bodies. Returns their ids. The pipeline runs it
 * as a stage, and retention runs it before it deletes undigested bodies.
 */
export function digest({ ledger, clock }: DigestContext, onProgress?: (done: number, of: number) => void): number[] {
  const todo = undigestedSessions(ledger)
  for (let at = 0; at < todo.length; at += sessionsPerTransaction) {
    ledger.transaction(() => {
      for (const session of todo.slice(at, at + sessionsPerTransaction))
        digestBody(ledger, session, isoTime(clock.nowMs()))
    })
    onProgress?.(Math.min(at + sessionsPerTransaction, todo.length), todo.length)
  }
  return todo.map((session) => session.id)
}

/**
 * Digests events that capture has just written, without reading them back. Skips a session that has
 * earlier undigested events; the stage handles it.
 */
export function digestCaptured({ ledger, clock }: DigestContext, fresh: readonly CapturedEvents[]): number[] {
  const done: number[] = []
  ledger.transaction(() => {
    for (const { session, firstSeq, events } of fresh) {
      const digestedThrough = Math.max(0, digestedThroughOf(ledger, session))
      if (digestedThrough !== firstSeq) continue
      const state = stateOf(ledger, session, digestedThrough)
      if (!state) {
        resetDigest(ledger, session) // the stage digests it from its beginning
        continue
      }
      const folder = eventFolder(state)
      for (const [index, event] of events.entries())
        applyEvent(ledger, session, folder, { seq: firstSeq + index, ...event })
      finishFolding(folder)
      saveState(ledger, session, firstSeq + events.length, state, isoTime(clock.nowMs()))
      done.push(session)
    }
  })
  return done
}

export interface CapturedEvents {
  session: number
  firstSeq: number
  events: EventSummary[]
}

/**
 * A damaged or missing body is reported and does not stop other sessions; the readable part is
 * digested.
 */
function digestBody(
  ledger: Ledger,
  { id, events, digestedThrough, body }: UndigestedSession,
  digestedAt: string,
): void {
  const continued = stateOf(ledger, id, Math.max(0, digestedThrough))
  const from = continued ? Math.max(0, digestedThrough) : 0
  const state = continued ?? stateOf(ledger, id, 0)!
  const folder = eventFolder(state)
  const onDamage = (reason: string) => {
    const path = join(ledger.layout.bodies, body!.file)
    reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: digestedAt })
  }
  try {
    const { bodies } = ledger.layout
    for (const { seq, ...event } of body
      ? readableEvents(bodies, body.file, body.bytes, { fromSeq: from, onDamage })
      : [])
      applyEvent(ledger, id, folder, { seq, ...summariseEvent(event) })
  } catch (error) {
    if (isLedgerFault(error)) throw error
    onDamage(messageOf(error))
  }
  finishFolding(folder)
  saveState(ledger, id, events, state, digestedAt)
}

/** Undefined if the state to continue from is missing or has another shape. */
function stateOf(ledger: Ledger, session: number, digestedThrough: number): DigestState | undefined {
  if (digestedThrough > 0) return readDigestState<DigestState>(ledger, session)
  deleteFileEdits(ledger, session)
  return newDigestState()
}

/**
 * An event that cannot be folded is left out of the digest: it would stop this session, and with it
 * every later stage, in every sweep.
 */
function applyEvent(ledger: Ledger, session: number, folder: EventFolder, event: StoredEvent): void {
  try {
    folder.fold(event)
    if (event.kind === 'edit') saveFileEdit(ledger, session, event)
  } catch (error) {
    if (isSystemError(error)) throw error
  }
}

function finishFolding(folder: EventFolder): void {
  try {
    folder.finish()
  } catch (error) {
    if (isSystemError(error)) throw error
  }
}

function saveState(ledger: Ledger, session: number, through: number, state: DigestState, digestedAt: string): void {
  const kind = activityOf(state)
  const { outcome } = judgeOutcome(state)
  const title = titleOfSession(state, kind)
  saveDigest(ledger, { session, through, title, outcome, kind, state, digestedAt })
}

/** Whether the person has told the agent of this session to ignore memory. */
export function ignoresMemoryIn(ledger: Ledger, uid: string): boolean {
  return digestStateOf<DigestState>(ledger, uid)?.ignoresMemory === true
}

/** Names of the tools that were called in a session. */
export function toolsUsedIn(ledger: Ledger, uid: string): string[] {
  return Object.keys(digestStateOf<DigestState>(ledger, uid)?.tools ?? {})
}

export function readDigest(ledger: Ledger, uid: string): Digest | null {
  const state = digestStateOf<DigestState>(ledger, uid)
  return state ? digestOf(state) : null
}

export function digestOf(state: DigestState): Digest {
  const { outcome, because } = judgeOutcome(state)
  const kind = activityOf(state)
  return {
    title: titleOfSession(state, kind),
    goal: carryingPrompt(state.prompts ?? [])?.text ?? state.goal,
    thread: threadOf(state.prompts ?? []),
    outcome,
    because,
    kind,
    lastReply: state.lastReply,
    lastReplyEnd: state.lastReplyEnd ?? state.lastReply,
    question: outcome === 'waiting' || outcome === 'success' ? (state.question?.text ?? '') : '',
    commits: state.commits ?? [],
    reverted: state.reverted ?? [],
    commitCount: Math.max(state.commits?.length ?? 0, new Set(state.commitLog?.map(({ subject }) => subject)).size),
    kinds: state.kinds,
    tools: state.tools,
    files: Object.entries(state.files).map(([path, file]) => ({ path, ...file })),
    commands: Object.entries(state.commands).map(([command, counts]) => ({ command, ...counts })),
    tests: state.tests,
    errors: Object.entries(state.errors).map(([fingerprint, error]) => ({ fingerprint, ...error })),
    corrections: state.corrections,
    counts: state.counts,
    turningPoints: state.turningPoints,
    activeMs: state.activeMs,
  }
}
