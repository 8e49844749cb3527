// Writing what was gathered: rows, search index and body of each session, and the cursors, in one transaction. A cursor
// moves only together with what it stands for.
import { existsSync } from 'node:fs'
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { projectOf } from '../core/project.ts'
import { type SessionDetails, sessionId } from '../core/session.ts'
import { isBusy } from '../core/sqlite.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastLearnedKey, resumeLearning } from '../store/memories/learning.ts'
import { indexEvent, unindexEvents } from '../store/search/index-session.ts'
import { lastPassage } from '../store/search/passages.ts'
import {
  appendBody,
  type BodyFrame,
  bodyFile,
  bodyState,
  isFragmented,
  repackBody,
  repackFrames,
  type SessionBody,
} from '../store/sessions/bodies.ts'
import type { EventSummary } from '../store/sessions/events.ts'
import { deleteEvents, insertEvent, maxEventSeq, saveInherited } from '../store/sessions/events.ts'
import { deleteScheduledBodies, isScheduledForDeletion, scheduleBodyDeletion } from '../store/sessions/evictions.ts'
import { moveFolderToProject, remoteProjectOfFolder, upsertProject } from '../store/sessions/projects.ts'
import {
  assignProject,
  contentHashOf,
  growSession,
  markEvicted,
  type OpenSession,
  openSession,
  resetSession,
  type SessionGrowth,
  saveBody,
  saveSource,
  sessionUid,
  updateSessionDetails,
} from '../store/sessions/sessions.ts'
import {
  clearProblems,
  countRedactions,
  reportDrift,
  reportProblem,
  saveCursor,
} from '../store/sessions/transcripts.ts'
import { saveUsage } from '../store/sessions/usage.ts'
import type { CaptureContext } from './capture.ts'
import type { PartEnd, Prepared, PreparedEvent, SessionWrite } from './prepare.ts'

/** What was added to a session: later stages can go on from here without reading its body. */
export interface Written {
  session: number
  firstSeq: number
  events: EventSummary[]
}

/** One transaction for all of it. When something cannot be written, each transcript is tried alone: one never stops the rest. */
export function writePrepared(
  context: CaptureContext,
  prepared: Prepared,
  onFailed: (path: string, reason: string) => void,
): Written[] {
  const { ends, writes } = prepared
  try {
    return writeTogether(context, prepared)
  } catch (error) {
    context.projects.clear() // rows that were rolled back have no ids
    if (isBusy(error)) throw error // the ledger is locked: that is no fault of a transcript
    if (ends.length === 1) {
      onFailed(ends[0]!.cursor.path, messageOf(error))
      return []
    }
    return ends.flatMap((end, index) => {
      const redactions = index === 0 ? prepared.redactions : {}
      const own = writes.filter((write) => write.path === end.cursor.path)
      return writePrepared(context, { writes: own, ends: [end], redactions }, onFailed)
    })
  }
}

function writeTogether(context: CaptureContext, { writes, ends, redactions }: Prepared): Written[] {
  const { ledger } = context
  const written: Written[] = []
  ledger.transaction(() => {
    for (const write of writes) if (!isKnown(ledger, write)) replaceIn(written, writeSession(context, write))
    for (const end of ends) writeEnd(context, end)
    // What was read again was counted before.
    if (written.some(({ events }) => events.length > 0)) countRedactions(ledger, redactions)
  })
  deleteScheduledBodies(ledger)
  return written
}

/** A session that was written anew in the same batch is told of once. */
function replaceIn(written: Written[], one: Written): void {
  const at = one.firstSeq === 0 ? written.findIndex(({ session }) => session === one.session) : -1
  if (at >= 0) written[at] = one
  else written.push(one)
}

/** A document that was rewritten without a change to this session. */
function isKnown(ledger: Ledger, { agent, native, contentHash }: SessionWrite): boolean {
  return contentHash !== undefined && contentHashOf(ledger, sessionId(agent, native)) === contentHash
}

function writeSession(context: CaptureContext, write: SessionWrite): Written {
  const { ledger, clock } = context
  const session = openSession(ledger, sessionId(write.agent, write.native), write.agent, isoTime(clock.nowMs()))
  const isReplaced =
    write.contentHash !== undefined && !session.isNew && session.evictedThrough === 0 && isOwn(session, write)
  const added = addToSession(context, session, write, isReplaced)
  if (session.isNew || isOwn(session, write)) saveSource(ledger, session.id, write.path, write.contentHash ?? null)
  resolveProject(context, session, write.about)
  return { session: session.id, firstSeq: session.nextSeq, events: added.map(({ light }) => light) }
}

/** What there is to write of a session, wherever it comes from. */
export type Content = Pick<SessionWrite, 'agent' | 'about' | 'events' | 'frames' | 'usages'>

/** Gives back the events that are new. Inside a transaction. */
export function addToSession(
  { ledger, clock }: Pick<CaptureContext, 'ledger' | 'clock'>,
  session: OpenSession,
  write: Content,
  isReplaced: boolean,
): PreparedEvent[] {
  const learnedKey = isReplaced ? lastLearnedKey(ledger, session.id) : undefined
  if (isReplaced) {
    if (session.body) scheduleBodyDeletion(ledger, session.body.file)
    unindexEvents(ledger, session.id, maxEventSeq)
    deleteEvents(ledger, session.id)
    resetSession(ledger, session.id)
    session.nextSeq = 0
  }
  updateSessionDetails(ledger, session.id, write.agent, write.about)
  const added = insertEvents(ledger, session, write)
  if (learnedKey) resumeLearning(ledger, session.id, learnedKey)
  for (const usage of write.usages) saveUsage(ledger, write.agent, session.id, usage, usage.price)
  if (added.length > 0 || isReplaced) {
    const body = writeBody(ledger, session, framesOf(write, added), isReplaced)
    if (session.body && !isReplaced && body?.file !== session.body.file) scheduleBodyDeletion(ledger, session.body.file)
    saveBody(ledger, session.id, body, isoTime(clock.nowMs()))
  }
  return added
}

/** The same session in a second place adds to what is stored; it replaces only what came from itself, or from a file that is gone. */
function isOwn({ source }: OpenSession, { path }: SessionWrite): boolean {
  return source === null || source === path || !existsSync(source)
}

function writeEnd({ ledger, clock }: CaptureContext, { agent, cursor, from, bad, unknown }: PartEnd): void {
  const { path } = cursor
  const seenAt = isoTime(clock.nowMs())
  clearProblems(ledger, path, from)
  for (const { offset, reason } of bad) reportProblem(ledger, { path, offset, reason, seenAt })
  for (const [type, count] of unknown) reportDrift(ledger, { agent, type, count, path, seenAt })
  saveCursor(ledger, agent, cursor)
}

/** Gives back the events that are new. */
function insertEvents(ledger: Ledger, session: OpenSession, { events }: Content): PreparedEvent[] {
  const growth: SessionGrowth = {
    events: 0,
    inherited: 0,
    prompts: 0,
    toolCalls: 0,
    toolErrors: 0,
    started: null,
    ended: null,
    forkedFrom: null,
  }
  let last = session.nextSeq === 0 ? null : lastPassage(ledger, session.id)
  const added = events.filter((event) => {
    const seq = session.nextSeq + growth.events
    const inserted = insertEvent(ledger, session.id, seq, event.light, event.key)
    if (inserted.kind === 'known') {
      if (inserted.session !== session.id && saveInherited(ledger, session.id, event.key)) {
        inherit(ledger, growth, inserted.session)
      }
      return false
    }
    last = indexEvent(ledger, { session: session.id, seq }, event.light, last)
    count(growth, event.light)
    return true
  })
  growSession(ledger, session.id, growth)
  return added
}

/** A fork repeats the events of the session it came from: they stay there and are counted there. */
function inherit(ledger: Ledger, growth: SessionGrowth, from: number): void {
  growth.inherited++
  growth.forkedFrom ??= sessionUid(ledger, from)
}

function count(growth: SessionGrowth, { kind, error, ts }: EventSummary): void {
  growth.events++
  if (kind === 'prompt') growth.prompts++
  if (kind === 'tool_call') growth.toolCalls++
  if (error && (kind === 'tool_result' || kind === 'test_run')) growth.toolErrors++
  if (ts === null) return
  const ms = Date.parse(ts)
  if (growth.started === null || ms < growth.started) growth.started = ms
  if (growth.ended === null || ms > growth.ended) growth.ended = ms
}

/** All of them as a rule; what a fork or a second copy repeats is taken out. */
function framesOf({ events, frames }: Content, added: PreparedEvent[]): BodyFrame[] {
  if (added.length === events.length) return frames
  const isAdded = new Set(added)
  return repackFrames(frames, (index) => isAdded.has(events[index]!))
}

function writeBody(ledger: Ledger, session: OpenSession, frames: BodyFrame[], isReplaced: boolean): SessionBody | null {
  const { bodies } = ledger.layout
  const generation = generationOf(session.body?.file)
  if (frames.length === 0) return null
  const empty = (next: number): SessionBody => ({
    file: freeFile(ledger, session.uid, next),
    bytes: 0,
    raw: 0,
    frames: 0,
  })
  const isGone = session.body !== null && bodyState(bodies, session.body.file, session.body.bytes) !== 'whole'
  // Somebody deleted the file: what it held is gone, what comes now must not be.
  if (isGone && !isReplaced) markEvicted(ledger, session.id, session.nextSeq)
  const start = isReplaced || isGone ? empty(generation + 1) : (session.body ?? empty(generation))
  const body = appendBody(bodies, start, frames, session.nextSeq)
  return isFragmented(body) ? repacked(bodies, body, freeFile(ledger, session.uid, generation + 1)) : body
}

/** Who lets bodies go deletes their files a moment later, and sessions of other machines come in at any time. */
function freeFile(ledger: Ledger, uid: string, generation: number): string {
  const file = bodyFile(uid, generation)
  return isScheduledForDeletion(ledger, file) ? freeFile(ledger, uid, generation + 1) : file
}

/** A body that cannot be read in full is not packed again; it goes on growing. */
function repacked(folder: string, body: SessionBody, file: string): SessionBody {
  try {
    return repackBody(folder, body, file)
  } catch {
    return body
  }
}

function generationOf(file: string | undefined): number {
  return Number(/\.(\d+)\.zst$/.exec(file ?? '')?.[1] ?? 0)
}

/** A folder that is gone cannot be asked for its remote, but another session there may have named it: both are one project. */
function resolveProject(
  { ledger, clock, config, projects }: CaptureContext,
  session: OpenSession,
  about: SessionDetails,
): void {
  const cwd = about.cwd ?? session.cwd
  if (!cwd || (session.project !== null && cwd === session.cwd)) return
  const remote = about.remote ?? session.remote ?? undefined
  const name = `${cwd}\n${remote ?? ''}`
  let id = projects.get(name)
  if (id === undefined) {
    const project = projectOf(cwd, remote, config.projects)
    id =
      project.kind === 'remote'
        ? upsertProject(ledger, project)
        : (remoteProjectOfFolder(ledger, cwd) ?? upsertProject(ledger, project))
    if (project.kind === 'remote') {
      moveFolderToProject(ledger, cwd, id, isoTime(clock.nowMs()))
      projects.set(`${cwd}\n`, id)
    }
    projects.set(name, id)
  }
  assignProject(ledger, session.id, id)
}
