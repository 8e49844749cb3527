// Writes prepared batches: rows, search index, bodies and cursors in one transaction, so that a
// cursor never gets ahead of its events.
import { existsSync } from 'node:fs'
import { isoTime } from '../core/clock.ts'
import { parseOrigin } from '../core/conversation/handed-over.ts'
import { projectOf } from '../core/project/project.ts'
import { type SessionDetails, sessionId } from '../core/session.ts'
import { isLedgerFault } from '../core/sqlite.ts'
import { deletedKeys, leaveOutDeleted } from '../store/deletion/deletions.ts'
import type { Ledger } from '../store/ledger.ts'
import { lastLearnedKeys, resumeLearning } from '../store/memories/learning.ts'
import { indexEvent, unindexEvents } from '../store/search/index-session.ts'
import { lastPassage } from '../store/search/passages.ts'
import { appendBody, bodyState, isFragmented, repackBody, type SessionBody } from '../store/sessions/bodies.ts'
import { type BodyFrame, repackFrames } from '../store/sessions/body-frames.ts'
import type { EventSummary } from '../store/sessions/events.ts'
import { deleteEvents, insertEvent, maxEventSeq, saveInherited } from '../store/sessions/events.ts'
import { deleteScheduledBodies, scheduleBodyDeletion } from '../store/sessions/evictions.ts'
import { handedOverEvents, saveFoundHandoff } from '../store/sessions/handoffs.ts'
import { upsertProject } from '../store/sessions/projects.ts'
import { saveRateLimits } from '../store/sessions/rate-limits.ts'
import { bodyHeaderOf, saveBody } from '../store/sessions/session-bodies.ts'
import {
  assignProject,
  contentHashOf,
  growSession,
  markEvicted,
  type OpenSession,
  openSession,
  resetSession,
  type SessionGrowth,
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
import { hasUsage, saveHashedUsage, saveUsage } from '../store/sessions/usage.ts'
import { logWorkOnce } from '../store/work-log.ts'
import { newBody, repacked } from './body-files.ts'
import type { CaptureContext } from './context.ts'
import { writeCopy, writeUnnamedCopy } from './copies/write-copy.ts'
import { type CaptureFailure, failureOf } from './failure.ts'
import type { PartEnd, PreparedBatch, PreparedEvent, SessionWrite } from './prepare.ts'
import type { ReadOrder } from './reading/read-order.ts'
import { rewrittenSession } from './rewritten.ts'

/** The events that were added to a session; later stages can use them without reading the body. */
export interface AddedEvents {
  session: number
  firstSeq: number
  events: EventSummary[]
}

/** Without an order, sessions are written in the order of their age. */
export interface CaptureWriteContext extends CaptureContext {
  order?: ReadOrder
}

/**
 * Writes the batch in one transaction. If that fails, each transcript is tried alone, so that one
 * does not stop the rest.
 */
export function writeBatch(
  context: CaptureWriteContext,
  prepared: PreparedBatch,
  onFailed: (failure: CaptureFailure) => void,
): AddedEvents[] {
  const { ends, writes } = prepared
  try {
    return writeTogether(context, prepared)
  } catch (error) {
    context.projects.clear() // the ids of rolled back rows are not valid
    if (isLedgerFault(error)) throw error // locked, damaged or on a full disk: not the fault of a transcript
    if (ends.length === 1) {
      onFailed(failureOf(ends[0]!.cursor.path, Math.max(0, ends[0]!.from), error))
      return []
    }
    return ends.flatMap((end, index) => {
      const redactions = index === 0 ? prepared.redactions : {}
      const own = writes.filter((write) => write.path === end.cursor.path)
      return writeBatch(context, { writes: own, ends: [end], redactions }, onFailed)
    })
  }
}

function writeTogether(context: CaptureWriteContext, { writes, ends, redactions }: PreparedBatch): AddedEvents[] {
  const { ledger, order } = context
  const written: AddedEvents[] = []
  ledger.transaction(() => {
    const deleted = new Set(writes.filter((write) => isLeftDeleted(context, write)))
    // Lines of a deleted session must not be kept by another one in the same transcript.
    const paths = new Set([...deleted].map(({ path }) => path))
    for (const { copy, ...write } of writes.filter((write) => !deleted.has(write))) {
      if (order?.isReleased(write.path) || isUnchanged(ledger, write)) continue
      addOrReplace(written, writeSession(context, paths.has(write.path) || !copy ? write : { ...write, copy }))
    }
    const told = new Set(writes.filter((write) => !deleted.has(write)).map(({ path }) => path))
    for (const end of ends) {
      const { path } = end.cursor
      if (order?.isReleased(path)) continue
      writePartEnd(context, paths.has(path) && !told.has(path) ? withoutQuotes(end) : end)
    }
    // Content that was read again has been counted before.
    if (written.some(({ events }) => events.length > 0)) countRedactions(ledger, redactions)
  })
  deleteScheduledBodies(ledger)
  return order ? written.filter(({ session }) => !order.hasReleased(session)) : written
}

/** A session that the user deleted stays deleted, although its transcript exists. */
function isLeftDeleted({ ledger, clock }: CaptureContext, { agent, native, about, path }: SessionWrite): boolean {
  const uid = sessionId(agent, native)
  const parent = about.parent === undefined ? undefined : sessionId(agent, about.parent)
  if (!leaveOutDeleted(ledger, { uid, parent, path })) return false
  const detail = 'not captured: it was deleted (recollect sessions --deleted)'
  logWorkOnce(ledger, { atMs: clock.nowMs(), session: uid, what: 'skipped', detail })
  return true
}

/** Reports a session once that was rewritten twice in the same batch. */
function addOrReplace(written: AddedEvents[], one: AddedEvents): void {
  const at = one.firstSeq === 0 ? written.findIndex(({ session }) => session === one.session) : -1
  if (at >= 0) written[at] = one
  else written.push(one)
}

/** Whether a document was rewritten without a change to this session. */
function isUnchanged(ledger: Ledger, { agent, native, contentHash }: SessionWrite): boolean {
  return contentHash !== undefined && contentHashOf(ledger, sessionId(agent, native)) === contentHash
}

function writeSession(context: CaptureWriteContext, read: SessionWrite): AddedEvents {
  const { ledger, order } = context
  const session = openInOrder(context, read)
  const isEmpty = session.nextSeq === 0 && !hasUsage(ledger, session.id)
  const isRewritten =
    read.contentHash !== undefined && !session.isNew && session.evictedThrough === 0 && isOwn(session, read)
  const rewritten = isRewritten ? rewrittenSession(ledger, session, read) : undefined
  const isReplaced = rewritten !== undefined
  const write = { ...read, ...rewritten?.content }
  resolveProject(context, session, write.about) // before the body, whose header names the project
  const firstSeq = isReplaced ? 0 : session.nextSeq
  const added = addToSession(context, session, write, isReplaced)
  for (const { usage, costUsd } of rewritten?.usages ?? []) saveHashedUsage(ledger, session.id, usage, costUsd)
  if (write.copy) {
    const isAllNew = added.length === write.events.length
    const grown = openSession(ledger, session.uid, write.agent, '')
    writeCopy(ledger, grown, write.copy, { write, firstSeq: isAllNew ? firstSeq : undefined })
  }
  if (!write.isIndex && (session.isNew || isOwn(session, write)))
    saveSource(ledger, session.id, write.path, write.contentHash ?? null)
  if (!write.isIndex) order?.noteWrite(ledger, session.id, write.path, isEmpty)
  return { session: session.id, firstSeq: session.nextSeq, events: added.map(({ light }) => light) }
}

/** A session in several transcripts is captured from the oldest of them first. */
function openInOrder(
  { ledger, clock, order }: CaptureWriteContext,
  { agent, native, path }: SessionWrite,
): OpenSession {
  const uid = sessionId(agent, native)
  const session = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  if (!order?.isTooEarly(session.id, path)) return session
  order.release(ledger, session.id)
  return openSession(ledger, uid, agent, '')
}

/** The part of a write that is the same for local and remote sessions. */
export type SessionContent = Pick<SessionWrite, 'agent' | 'about' | 'events' | 'frames' | 'usages'> &
  Partial<Pick<SessionWrite, 'path'>>

/** Returns the events that were new. To be called inside a transaction. */
export function addToSession(
  { ledger, clock, order }: Pick<CaptureWriteContext, 'ledger' | 'clock' | 'order'>,
  session: OpenSession,
  write: SessionContent,
  isReplaced: boolean,
): PreparedEvent[] {
  const learned = isReplaced ? lastLearnedKeys(ledger, session.id) : undefined
  if (isReplaced) {
    if (session.body) scheduleBodyDeletion(ledger, session.body.file)
    unindexEvents(ledger, session.id, maxEventSeq)
    deleteEvents(ledger, session.id)
    resetSession(ledger, session.id)
    session.nextSeq = 0
  }
  updateSessionDetails(ledger, session.id, write.agent, write.about)
  const added = insertEvents(ledger, session, write, order)
  if (learned) resumeLearning(ledger, session.id, learned)
  for (const usage of write.usages) saveUsage(ledger, write.agent, session.id, usage, usage.price)
  if (added.length > 0 || isReplaced) {
    const body = writeBody(ledger, session, framesOf(write, added), isReplaced)
    if (session.body && !isReplaced && body?.file !== session.body.file) scheduleBodyDeletion(ledger, session.body.file)
    saveBody(ledger, session.id, body, isoTime(clock.nowMs()))
  }
  return added
}

/**
 * A session found in a second place only adds events; it is replaced only by its own source, or if
 * that file is gone.
 */
function isOwn({ source }: OpenSession, { path }: SessionWrite): boolean {
  return source === null || source === path || !existsSync(source)
}

function writePartEnd(
  { ledger, clock }: CaptureContext,
  { agent, cursor, from, problems: bad, unknownTypes: unknown, rateLimits, copy }: PartEnd,
): void {
  const { path } = cursor
  const seenAt = isoTime(clock.nowMs())
  clearProblems(ledger, path, from)
  for (const { offset, reason } of bad) reportProblem(ledger, { path, offset, reason, seenAt })
  for (const [type, count] of unknown) reportDrift(ledger, { agent, type, count, path, seenAt })
  if (rateLimits.length > 0) saveRateLimits(ledger, agent, rateLimits)
  if (copy) writeUnnamedCopy(ledger, agent, copy)
  saveCursor(ledger, agent, cursor)
}

/** State and problems quote the transcript, of which nothing is to be kept. A log is read again when it changes. */
function withoutQuotes(end: PartEnd): PartEnd {
  if (end.cursor.offset === 0) return end
  return { ...end, problems: [], cursor: { ...end.cursor, offset: 0, head: null, tail: null, state: undefined } }
}

/** Gives back the events that are new. */
function insertEvents(
  ledger: Ledger,
  session: OpenSession,
  { events, path }: SessionContent,
  order: ReadOrder | undefined,
): PreparedEvent[] {
  const growth = emptyGrowth()
  let last = session.nextSeq === 0 ? null : lastPassage(ledger, session.id)
  const deleted = deletedKeys(
    ledger,
    events.map(({ key }) => key),
    path,
  )
  recogniseHandoff(ledger, session, { events, path })
  const handedOver = handedOverEvents(
    ledger,
    session.uid,
    events.map(({ key, light }) => ({ key, ts: light.ts })),
  )
  const added = events.filter((event) => {
    if (deleted.has(event.key)) return false
    const origin = handedOver.get(event.key)
    if (origin !== undefined) {
      if (saveInherited(ledger, session.id, event.key)) countInherited(growth, () => origin)
      return false
    }
    const seq = session.nextSeq + growth.events
    let inserted = insertEvent(ledger, session.id, seq, event.light, event.key)
    if (
      inserted.kind === 'known' &&
      inserted.session !== session.id &&
      order?.isTooEarly(inserted.session, path ?? '')
    ) {
      order.release(ledger, inserted.session)
      inserted = insertEvent(ledger, session.id, seq, event.light, event.key)
    }
    if (inserted.kind === 'known') {
      if (inserted.session !== session.id && saveInherited(ledger, session.id, event.key)) {
        countInherited(growth, () => sessionUid(ledger, inserted.session))
      }
      return false
    }
    last = indexEvent(ledger, { session: session.id, seq }, event.light, last)
    countEvent(growth, event.light)
    return true
  })
  growSession(ledger, session.id, growth)
  return added
}

/** A transcript that was handed over names its origin in its first record. */
function recogniseHandoff(
  ledger: Ledger,
  { uid }: OpenSession,
  { events, path = '' }: Pick<SessionContent, 'events' | 'path'>,
): void {
  for (const { light } of events) {
    const origin = light.kind === 'context' ? parseOrigin(light.text) : undefined
    if (origin) return saveFoundHandoff(ledger, { session: uid, origin: origin.session, path, at: origin.at })
  }
}

/**
 * A fork repeats events of its parent session, where they stay and are counted; so does a session
 * that was handed over by another agent.
 */
function countInherited(growth: SessionGrowth, from: () => string): void {
  growth.inherited++
  growth.forkedFrom ??= from()
}

export function emptyGrowth(): SessionGrowth {
  return {
    events: 0,
    inherited: 0,
    prompts: 0,
    toolCalls: 0,
    toolErrors: 0,
    started: null,
    ended: null,
    forkedFrom: null,
  }
}

export function countEvent(growth: SessionGrowth, { kind, error, ts }: EventSummary): void {
  growth.events++
  if (kind === 'prompt') growth.prompts++
  if (kind === 'tool_call') growth.toolCalls++
  if (error && (kind === 'tool_result' || kind === 'test_run')) growth.toolErrors++
  if (ts === null) return
  const ms = Date.parse(ts)
  if (growth.started === null || ms < growth.started) growth.started = ms
  if (growth.ended === null || ms > growth.ended) growth.ended = ms
}

/** Usually all frames; events that a fork or a second copy repeats are removed. */
function framesOf({ events, frames }: SessionContent, added: PreparedEvent[]): BodyFrame[] {
  if (added.length === events.length) return frames
  const isAdded = new Set(added)
  return repackFrames(frames, (index) => isAdded.has(events[index]!))
}

function writeBody(ledger: Ledger, session: OpenSession, frames: BodyFrame[], isReplaced: boolean): SessionBody | null {
  const { bodies } = ledger.layout
  if (frames.length === 0) return null
  const header = bodyHeaderOf(ledger, session.id)
  const start = (): SessionBody => {
    if (session.body === null || isReplaced) return newBody(ledger, session)
    const state = bodyState(bodies, session.body.file, session.body.bytes)
    if (state === 'whole') return session.body
    // The file was cut off: what it still holds is copied, because the old file is deleted.
    if (state === 'short')
      return repackBody(bodies, session.body, newBody(ledger, session), { header, isTolerant: true })
    // The file was deleted by hand: its events are lost, the new ones must not be.
    markEvicted(ledger, session.id, session.nextSeq)
    return newBody(ledger, session)
  }
  const body = appendBody(bodies, start(), frames, session.nextSeq, header)
  return isFragmented(body) ? repacked(bodies, body, newBody(ledger, { ...session, body }), header) : body
}

/** The stage `projects` considers other sessions and the output of git. */
function resolveProject(
  { ledger, config, projects }: CaptureContext,
  session: OpenSession,
  about: SessionDetails,
): void {
  const cwd = about.cwd ?? session.cwd
  if (!cwd || (session.project !== null && cwd === session.cwd)) return
  const remote = about.remote ?? session.remote ?? undefined
  const name = `${cwd}\n${remote ?? ''}`
  const id = projects.get(name) ?? upsertProject(ledger, projectOf(cwd, remote, config.projects))
  projects.set(name, id)
  assignProject(ledger, session.id, id)
}
