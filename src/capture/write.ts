// Writing what was gathered: rows, search index and body of each session, and the cursors, in one transaction. A cursor
// moves only together with what it stands for.
import { isoTime } from '../core/clock.ts'
import { projectOf } from '../core/project.ts'
import { type About, sessionId } from '../core/session.ts'
import { appendBody, type Body, bodyFile, type Frame, isFragmented, keepEvents, repackBody } from '../store/bodies.ts'
import { saveCursor } from '../store/cursors.ts'
import { deleteEvents, indexEvent, insertEvent } from '../store/events.ts'
import type { Ledger } from '../store/ledger.ts'
import { clearProblems, countRedactions, reportDrift, reportProblem } from '../store/problems.ts'
import { adoptFolder, remoteProjectAt, saveProjectRow } from '../store/projects.ts'
import { removeRetired, retireBody } from '../store/retired.ts'
import {
  describeSession,
  emptySession,
  type Growth,
  growSession,
  knownContentHash,
  type OpenSession,
  openSession,
  saveBody,
  saveContentHash,
  saveProject,
} from '../store/sessions.ts'
import { saveUsage } from '../store/usage.ts'
import type { CaptureContext } from './capture.ts'
import type { PartEnd, Prepared, PreparedEvent, SessionWrite } from './prepare.ts'

/** Returns the number of events that are new. */
export function writePrepared(context: CaptureContext, { writes, ends, redactions }: Prepared): number {
  const { ledger } = context
  let events = 0
  ledger.transaction(() => {
    for (const write of writes) if (!isKnown(ledger, write)) events += writeSession(context, write)
    for (const end of ends) writeEnd(context, end)
    countRedactions(ledger, redactions)
  })
  removeRetired(ledger)
  return events
}

/** A document that was rewritten without a change to this session. */
function isKnown(ledger: Ledger, { agent, native, contentHash }: SessionWrite): boolean {
  return contentHash !== undefined && knownContentHash(ledger, sessionId(agent, native)) === contentHash
}

function writeSession(context: CaptureContext, write: SessionWrite): number {
  const { ledger, clock } = context
  const session = openSession(ledger, sessionId(write.agent, write.native), write.agent, isoTime(clock.nowMs()))
  const isReplaced = write.contentHash !== undefined && !session.isNew && session.evictedThrough === 0
  if (isReplaced) {
    if (session.body) retireBody(ledger, session.body.file)
    deleteEvents(ledger, session.id)
    emptySession(ledger, session.id)
    session.nextSeq = 0
  }
  describeSession(ledger, session.id, write.agent, write.about)
  const { isNew, growth } = insertEvents(ledger, session, write)
  growSession(ledger, session.id, growth)
  for (const usage of write.usages) saveUsage(ledger, write.agent, session.id, usage, usage.price)
  if (write.contentHash !== undefined) saveContentHash(ledger, session.id, write.contentHash)
  assignProject(context, session, write.about)
  if (growth.events > 0 || isReplaced) {
    const frames = growth.events === isNew.length ? write.frames : keepEvents(write.frames, isNew)
    const body = writeBody(ledger, session, frames, isReplaced)
    if (session.body && !isReplaced && body?.file !== session.body.file) retireBody(ledger, session.body.file)
    saveBody(ledger, session.id, body, isoTime(clock.nowMs()))
  }
  return growth.events
}

function writeEnd({ ledger, clock }: CaptureContext, { agent, cursor, from, bad, unknown }: PartEnd): void {
  const { path } = cursor
  const seenAt = isoTime(clock.nowMs())
  clearProblems(ledger, path, from)
  for (const { offset, reason } of bad) reportProblem(ledger, { path, offset, reason, seenAt })
  for (const [type, count] of unknown) reportDrift(ledger, { agent, type, count, path, seenAt })
  saveCursor(ledger, agent, cursor)
}

function insertEvents(ledger: Ledger, session: OpenSession, { events }: SessionWrite) {
  const growth: Growth = {
    events: 0,
    inherited: 0,
    prompts: 0,
    toolCalls: 0,
    toolErrors: 0,
    started: null,
    ended: null,
    forkedFrom: null,
  }
  const isNew = events.map((event) => {
    const seq = session.nextSeq + growth.events
    const inserted = insertEvent(ledger, session.id, seq, event)
    if (inserted.kind === 'known') {
      if (inserted.session !== session.id) inherit(ledger, growth, inserted.session)
      return false
    }
    growth.events++
    indexEvent(ledger, session.id, seq, event.texts)
    count(growth, event)
    return true
  })
  return { isNew, growth }
}

/** A fork repeats the events of the session it came from: they stay there and are counted there. */
function inherit(ledger: Ledger, growth: Growth, from: number): void {
  growth.inherited++
  growth.forkedFrom ??= String(ledger.sql('SELECT uid FROM sessions WHERE id = ?').get(from)!.uid)
}

function count(growth: Growth, { kind, isToolError, tsMs }: PreparedEvent): void {
  if (kind === 'prompt') growth.prompts++
  if (kind === 'tool_call') growth.toolCalls++
  if (isToolError) growth.toolErrors++
  if (tsMs === null) return
  if (growth.started === null || tsMs < growth.started) growth.started = tsMs
  if (growth.ended === null || tsMs > growth.ended) growth.ended = tsMs
}

function writeBody({ layout }: Ledger, session: OpenSession, frames: Frame[], isReplaced: boolean): Body | null {
  const generation = generationOf(session.body?.file)
  if (frames.length === 0) return null
  const empty = (next: number): Body => ({ file: bodyFile(session.uid, next), bytes: 0, raw: 0, frames: 0 })
  const start = isReplaced ? empty(generation + 1) : (session.body ?? empty(generation))
  const body = appendBody(layout.bodies, start, frames, session.nextSeq)
  return isFragmented(body) ? repackBody(layout.bodies, body, bodyFile(session.uid, generation + 1)) : body
}

function generationOf(file: string | undefined): number {
  return Number(/\.(\d+)\.zst$/.exec(file ?? '')?.[1] ?? 0)
}

/** A folder that is gone cannot be asked for its remote, but another session there may have named it: both are one project. */
function assignProject({ ledger, config, projects }: CaptureContext, session: OpenSession, about: About): void {
  const cwd = session.cwd ?? about.cwd
  if (session.project !== null || !cwd) return
  const remote = about.remote ?? session.remote ?? undefined
  const name = `${cwd}\n${remote ?? ''}`
  let id = projects.get(name)
  if (id === undefined) {
    const project = projectOf(cwd, remote, config.projects)
    id =
      project.kind === 'remote'
        ? saveProjectRow(ledger, project)
        : (remoteProjectAt(ledger, cwd) ?? saveProjectRow(ledger, project))
    if (project.kind === 'remote') adoptFolder(ledger, cwd, id)
    projects.set(name, id)
  }
  saveProject(ledger, session.id, id)
}
