// Loads what is needed to write the entry of a session on one day.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Zone } from '../core/units.ts'
import { projectFolder } from '../core/vault/files.ts'
import { type Digest, digestOf } from '../digest/digest.ts'
import { type DigestState, newDigestState } from '../digest/digest-state.ts'
import { threadOf } from '../digest/prompt-notes.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody } from '../store/sessions/bodies.ts'
import { readDigestState } from '../store/sessions/digests.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import type { JournalMemory, JournalSession } from '../store/wiki/journal.ts'
import type { JournalContext } from './context.ts'
import type { Decision } from './decisions.ts'
import { contentsKey, isWholeSession, readContents, type SegmentContents } from './segment-contents.ts'
import type { DaySegment } from './segments.ts'
import { isTakenUpLater } from './taken-up.ts'

export interface EntryInputs {
  session: JournalSession
  segment: DaySegment
  /** The digest of this day. */
  digest: Digest
  /** The request of an earlier day that the agent still worked on when this one began; empty if there is none. */
  carriedOver: string
  /** Whether the last test run passed; undefined if there was none. */
  isTested: boolean | undefined
  /** Confirmed memories that were learned from this day. */
  learned: readonly JournalMemory[]
  decisions: readonly Decision[]
  /** Causes of failures that the agent found. */
  causes: readonly string[]
  /** What the person put off. */
  putOff: readonly string[]
  /** Whether what it left unanswered was asked again in a later session. */
  isTakenUp: boolean
  /** The last reply, or its beginning if the body is not available. */
  lastReply: string
  /** Last replies of earlier exchanges, latest first: the last one may only say "committed". */
  earlierReplies: readonly string[]
  /** Whether the agent did nothing after that reply, so that it is its answer. */
  isAnswered: boolean
  /** The page of the project's memories in the vault, if it exists. */
  memoryIndex: string | undefined
  zone: Zone
}

/** Undefined while the session is being captured again. */
export function loadEntryInputs(
  context: JournalContext,
  session: JournalSession,
  segment: DaySegment,
  learned: readonly JournalMemory[] = [],
): EntryInputs | undefined {
  const { ledger, zone } = context
  const stored = readDigestState<DigestState>(ledger, session.id)
  if (!stored) return undefined
  const read = readSegment(context, session, segment)
  const state = isWholeSession(segment) ? stored : (read?.state ?? partOf(stored, segment))
  const { decisions, causes, putOff, replies, closing } = read ?? nothingRead
  const digest = digestOf(state)
  return {
    session,
    segment,
    digest,
    lastReply: replies.findLast((reply) => reply.startsWith(digest.lastReply)) ?? `${digest.lastReply}…`,
    earlierReplies: closing,
    carriedOver: isBegunByAgent(state, segment) ? lastRequestBefore(stored, segment) : '',
    isTested: state.signals.test?.isOk,
    isAnswered: state.signals.reply !== null && state.signals.reply === state.signals.assistant,
    learned: learned.filter(({ at }) => isOfDay(zone.day(at), segment, session)),
    decisions,
    causes,
    putOff,
    isTakenUp: isTakenUpLater(ledger, session, digest),
    memoryIndex: memoryIndexOf(ledger, session),
    zone,
  }
}

const nothingRead = { decisions: [], causes: [], putOff: [], replies: [], closing: [] }

/** Undefined if the body was evicted or cannot be read. */
function readSegment(
  { ledger, readBefore }: JournalContext,
  { uid, agent }: JournalSession,
  segment: DaySegment,
): SegmentContents | undefined {
  const body = bodyOfSession(ledger, uid)
  if (!body) return undefined
  const known = readBefore?.get(contentsKey(body, segment))
  if (known) return known
  try {
    return readContents(agent, segment, readBody(ledger.layout.bodies, body.file, body.bytes, segment.fromSeq))
  } catch {
    return undefined
  }
}

/** What the digest of a whole session says about one of its days: requests and turning points. */
function partOf(state: DigestState, { fromSeq, toSeq, nextDay }: DaySegment): DigestState {
  const isInside = ({ seq }: { seq: number }) => seq >= fromSeq && seq < toSeq
  const turningPoints = state.turningPoints.filter(isInside)
  const subjects = new Set(turningPoints.filter(({ kind }) => kind === 'commit').map(({ text }) => text))
  const { goal, signals, lastReply, lastReplyEnd = '', question = null } = nextDay === null ? state : newDigestState()
  return {
    ...newDigestState(),
    ...{ goal, signals, lastReply, lastReplyEnd, question, turningPoints },
    prompts: (state.prompts ?? []).filter(isInside),
    commits: (state.commits ?? []).filter((subject) => subjects.has(subject)),
    isHealthCheck: state.isHealthCheck,
  }
}

/** The agent went on with what was asked on an earlier day. */
function isBegunByAgent({ prompts = [], signals }: DigestState, { fromSeq, previousDay }: DaySegment): boolean {
  return previousDay !== null && signals.assistant !== null && prompts[0]?.seq !== fromSeq
}

function lastRequestBefore({ prompts = [] }: DigestState, { fromSeq }: DaySegment): string {
  return threadOf(prompts.filter(({ seq }) => seq < fromSeq)).at(-1)?.text ?? ''
}

/** A memory is dated by what was said; one of another day is told on the last. */
function isOfDay(day: string, segment: DaySegment, { entries }: JournalSession): boolean {
  if (day === segment.day) return true
  return segment.nextDay === null && !entries.some((entry) => entry.day === day)
}

function memoryIndexOf({ layout }: Ledger, { project }: JournalSession): string | undefined {
  if (project === null) return undefined
  const page = `memory/${projectFolder(project)}/MEMORY`
  return existsSync(join(layout.vault, `${page}.md`)) ? page : undefined
}
