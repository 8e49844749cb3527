// Writing what was gathered: rows, search index and body of each session, and the cursors, in one transaction. A cursor
// moves only together with what it stands for.
import { isoTime } from '../core/clock.ts'
import { projectOf } from '../core/project.ts'
import { type Event, sessionId } from '../core/session.ts'
import { appendBody, type Body, bodyFile, isFragmented, repackBody, type StoredEvent } from '../store/bodies.ts'
import { deleteEvents, indexEvent, insertEvent } from '../store/events.ts'
import type { Ledger } from '../store/ledger.ts'
import { saveProjectRow } from '../store/projects.ts'
import { retireBody } from '../store/retired.ts'
import { searchTexts } from '../store/search-texts.ts'
import {
  describeSession,
  emptySession,
  type Growth,
  growSession,
  type OpenSession,
  openSession,
  saveBody,
  saveContentHash,
  saveProject,
} from '../store/sessions.ts'
import { saveUsage } from '../store/usage.ts'
import type { CaptureContext, PriceOf } from './capture.ts'
import type { Gathered } from './gather.ts'

export interface SessionWrite {
  agent: string
  native: string
  gathered: Gathered
  /** Hash of a document's whole session: it replaces what was stored. Undefined for a log, which only adds. */
  contentHash?: string
}

/** Returns the number of events that are new. */
export function writeSession(context: CaptureContext, write: SessionWrite, priceOf: PriceOf): number {
  const { ledger, clock } = context
  const uid = sessionId(write.agent, write.native)
  const session = openSession(ledger, uid, write.agent, isoTime(clock.nowMs()))
  const isReplaced = write.contentHash !== undefined && !session.isNew && session.evictedThrough === 0
  if (isReplaced) {
    if (session.body) retireBody(ledger, session.body.file)
    deleteEvents(ledger, session.id)
    emptySession(ledger, session.id)
    session.nextSeq = 0
  }
  describeSession(ledger, session.id, write.agent, write.gathered.about)
  const { stored, growth } = insertEvents(ledger, session, write)
  growSession(ledger, session.id, growth)
  for (const usage of write.gathered.usages.values()) saveUsage(ledger, write.agent, session.id, usage, priceOf(usage))
  if (write.contentHash !== undefined) saveContentHash(ledger, session.id, write.contentHash)
  assignProject(context, session, write.gathered)
  if (stored.length > 0 || isReplaced) {
    const body = writeBody(ledger, session, stored, isReplaced)
    if (session.body && body?.file !== session.body.file) retireBody(ledger, session.body.file)
    saveBody(ledger, session.id, body, isoTime(clock.nowMs()))
  }
  return stored.length
}

function insertEvents(ledger: Ledger, session: OpenSession, { agent, gathered }: SessionWrite) {
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
  const stored: StoredEvent[] = []
  for (const event of gathered.events) {
    const seq = session.nextSeq + stored.length
    const inserted = insertEvent(ledger, agent, session.id, seq, event)
    if (inserted.kind === 'known') {
      if (inserted.session !== session.id) inherit(ledger, growth, inserted.session)
      continue
    }
    const { key: _, ...rest } = event
    stored.push({ seq, ...rest })
    indexEvent(ledger, session.id, seq, searchTexts(event))
    count(growth, event)
  }
  growth.events = stored.length
  return { stored, growth }
}

/** A fork repeats the events of the session it came from: they stay there and are counted there. */
function inherit(ledger: Ledger, growth: Growth, from: number): void {
  growth.inherited++
  growth.forkedFrom ??= String(ledger.sql('SELECT uid FROM sessions WHERE id = ?').get(from)!.uid)
}

function count(growth: Growth, event: Event): void {
  if (event.kind === 'prompt') growth.prompts++
  if (event.kind === 'tool_call') growth.toolCalls++
  if (event.error && (event.kind === 'tool_result' || event.kind === 'test_run')) growth.toolErrors++
  if (event.ts === null) return
  const ms = Date.parse(event.ts)
  if (growth.started === null || ms < growth.started) growth.started = ms
  if (growth.ended === null || ms > growth.ended) growth.ended = ms
}

function writeBody({ layout }: Ledger, session: OpenSession, stored: StoredEvent[], isReplaced: boolean): Body | null {
  const generation = generationOf(session.body?.file)
  if (stored.length === 0) return null
  const empty = (next: number): Body => ({ file: bodyFile(session.uid, next), bytes: 0, raw: 0, frames: 0 })
  const start = isReplaced ? empty(generation + 1) : (session.body ?? empty(generation))
  const body = appendBody(layout.bodies, start, stored)
  return isFragmented(body) ? repackBody(layout.bodies, body, bodyFile(session.uid, generation + 1)) : body
}

function generationOf(file: string | undefined): number {
  return Number(/\.(\d+)\.zst$/.exec(file ?? '')?.[1] ?? 0)
}

function assignProject({ ledger, config, projects }: CaptureContext, session: OpenSession, { about }: Gathered): void {
  const cwd = session.cwd ?? about.cwd
  if (session.project !== null || !cwd) return
  const remote = about.remote ?? session.remote ?? undefined
  const name = `${cwd}\n${remote ?? ''}`
  let id = projects.get(name)
  if (id === undefined) {
    id = saveProjectRow(ledger, projectOf(cwd, remote, config.projects))
    projects.set(name, id)
  }
  saveProject(ledger, session.id, id)
}
