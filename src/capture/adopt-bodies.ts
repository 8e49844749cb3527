// Adopts body files that no session names, as after the ledger was lost or a run was killed. A file
// becomes the body of its session. If the session has another body, events that it lacks are added
// to it, and only then the file is removed. Nothing is deleted that is not stored elsewhere.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Agent } from '../agents/agent.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { betterProject, namedProject, projectOf } from '../core/project/project.ts'
import type { SessionDetails } from '../core/session.ts'
import { isSessionDeleted } from '../store/deletion/deletions.ts'
import type { Ledger } from '../store/ledger.ts'
import { indexEvent, unindexEvents } from '../store/search/index-session.ts'
import {
  type BodyContents,
  bodyContents,
  bodyFault,
  bodyState,
  headerOf,
  type KeyedEvent,
  parseBodyFile,
  readableEvents,
} from '../store/sessions/bodies.ts'
import { type BodyHeader, packEvents } from '../store/sessions/body-frames.ts'
import {
  hasEventKey,
  hashKey,
  insertEvent,
  maxEventSeq,
  placeOfEvent,
  summariseEvent,
} from '../store/sessions/events.ts'
import {
  deleteScheduledBodies,
  isBodyNamed,
  orphanedBodies,
  scheduleBodyDeletion,
} from '../store/sessions/evictions.ts'
import { upsertProject } from '../store/sessions/projects.ts'
import { attachBody, bodyOfSession } from '../store/sessions/session-bodies.ts'
import {
  assignProject,
  growSession,
  type OpenSession,
  openSession,
  type SessionGrowth,
  updateSessionDetails,
} from '../store/sessions/sessions.ts'
import { clearProblems, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { saveFork } from '../store/sync/received-sessions.ts'
import { unpackKey } from './packed-keys.ts'
import { addToSession, countEvent, emptyGrowth } from './write.ts'

export interface AdoptContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'projects'>
  agents: readonly Pick<Agent, 'id'>[]
}

export interface AdoptReport {
  /** Sessions that have their body again. */
  adopted: string[]
  /** Files whose events are in another body of their session. */
  merged: number
  /** Files of which no event can be read; they are kept. */
  unreadable: string[]
}

/**
 * `keyed` adopts the bodies that have the keys of their events, before transcripts are read: events
 * that are read again are then known. The others are adopted afterwards and compared by content
 * with what was read.
 */
export function adoptBodies(context: AdoptContext, which: 'keyed' | 'all'): AdoptReport {
  const { ledger } = context
  const report: AdoptReport = { adopted: [], merged: 0, unreadable: [] }
  deleteScheduledBodies(ledger)
  for (const orphan of readOrphans(context, report)) {
    if (which === 'keyed' && !orphan.contents.isKeyed) continue
    ledger.transaction(() => {
      if (isSessionDeleted(ledger, orphan.uid)) return scheduleBodyDeletion(ledger, orphan.file)
      // Another process may have committed the file meanwhile, or deleted it.
      const contents = isBodyNamed(ledger, orphan.file) ? undefined : readContents(ledger, orphan.file)
      if (contents) adoptOne(context, { ...orphan, contents }, report)
    })
    deleteScheduledBodies(ledger)
  }
  if (which === 'all') report.unreadable = report.unreadable.filter((file) => !setAsideReplaced(context, file))
  return report
}

/** Moves an unreadable file away if its session has another body. */
function setAsideReplaced({ ledger, agents }: AdoptContext, file: string): boolean {
  const { bodies } = ledger.layout
  const { uid } = sessionOf(file, headerOf(bodies, file, statSync(join(bodies, file)).size), agents)
  return ledger.transaction(() => {
    const isReplaced = bodyOfSession(ledger, uid) !== null && !isBodyNamed(ledger, file)
    if (isReplaced) setAside(ledger, file)
    return isReplaced
  })
}

function readContents({ layout }: Ledger, file: string): BodyContents | undefined {
  return existsSync(join(layout.bodies, file)) ? bodyContents(layout.bodies, file) : undefined
}

interface Orphan {
  file: string
  uid: string
  agent: string
  contents: BodyContents
}

/** Of several files of one session the one with most events comes first. */
function readOrphans({ ledger, agents }: AdoptContext, report: AdoptReport): Orphan[] {
  const orphans: Orphan[] = []
  for (const file of orphanedBodies(ledger)) {
    const contents = readContents(ledger, file)
    if (contents) orphans.push({ file, ...sessionOf(file, contents.header, agents), contents })
    else report.unreadable.push(file)
  }
  return orphans.sort((a, b) => b.contents.lastSeq - a.contents.lastSeq || (a.uid < b.uid ? -1 : 1))
}

/** Bodies of earlier versions have no header: the name has most of the id and a hash of all of it. */
function sessionOf(
  file: string,
  header: BodyHeader | undefined,
  agents: AdoptContext['agents'],
): Pick<Orphan, 'uid' | 'agent'> {
  if (header) return { uid: header.session, agent: header.agent }
  const name = parseBodyFile(file)
  const candidates = name ? agents.flatMap(({ id }) => possibleIds(id, name.readable)) : []
  const found = candidates.find(({ uid }) => createHash('sha1').update(uid).digest('hex').startsWith(name!.hash))
  return found ?? { uid: `unknown:${basename(file, '.zst')}`, agent: 'unknown' }
}

const separators = ['/', '_', '@', '.', ':', '#', ' ']

/** The name may lack the beginning of the agent's id; `_` stands for any other character. */
function possibleIds(agent: string, readable: string): Pick<Orphan, 'uid' | 'agent'>[] {
  const prefix = `${agent.replace(/[^A-Za-z0-9-]+/g, '_')}_`
  const cut = [...prefix].findIndex((_, at) => readable.startsWith(prefix.slice(at)))
  if (cut < 0) return []
  let natives = ['']
  for (const character of readable.slice(prefix.length - cut)) {
    const choices = character === '_' && natives.length < 1000 ? separators : [character]
    natives = natives.flatMap((native) => choices.map((choice) => native + choice))
  }
  return natives.map((native) => ({ uid: `${agent}:${native}`, agent }))
}

function adoptOne(context: AdoptContext, orphan: Orphan, report: AdoptReport): void {
  const { ledger } = context
  const { bodies } = ledger.layout
  const session = openSession(ledger, orphan.uid, orphan.agent, modifiedAt(context, orphan))
  const hasBody = session.body !== null && bodyState(bodies, session.body.file, session.body.bytes) !== 'missing'
  const isShared = !hasBody && session.nextSeq === 0 && hasEventsOfOthers(ledger, session, orphan)
  if (isShared && orphan.contents.header) describe(context, session, orphan.contents.header)
  if (!hasBody && !isShared) {
    attach(context, session, orphan)
    report.adopted.push(orphan.uid)
    return
  }
  const added = addMissing(context, session, orphan)
  if (added) report.adopted.push(orphan.uid)
  else report.merged++
  const { file, bytes } = orphan.contents.body
  // The text of evicted events is nowhere else, although their keys are known.
  if (session.evictedThrough > 0 || bodyFault(bodies, file, bytes, 'content')) setAside(ledger, file)
  else scheduleBodyDeletion(ledger, file)
}

/** Whether events are in another session now, as those of a fork that was released. */
function hasEventsOfOthers(ledger: Ledger, { id }: OpenSession, orphan: Orphan): boolean {
  for (const { key } of eventsOfOrphan(ledger, orphan)) {
    const place = placeOfEvent(ledger, key)
    if (place && place.session !== id) return true
  }
  return false
}

/** The file becomes the body as it is: places of events do not change. */
function attach(context: AdoptContext, session: OpenSession, orphan: Orphan): void {
  const { ledger } = context
  const { contents } = orphan
  if (contents.header) describe(context, session, contents.header)
  unindexEvents(ledger, session.id, maxEventSeq)
  const growth: SessionGrowth = emptyGrowth()
  let last: number | null = null
  for (const { seq, key, ...event } of eventsOfOrphan(ledger, orphan)) {
    const light = summariseEvent(event)
    const inserted = insertEvent(ledger, session.id, seq, light, key)
    if (inserted.kind === 'new') countEvent(growth, light)
    else if (inserted.session !== session.id) continue
    last = indexEvent(ledger, { session: session.id, seq }, light, last)
  }
  const isNewer = contents.lastSeq >= session.nextSeq
  growSession(ledger, session.id, { ...growth, events: isNewer ? contents.lastSeq + 1 - session.nextSeq : 0 })
  attachBody(ledger, session.id, contents.body, contents.firstSeq, modifiedAt(context, orphan))
}

function describe({ ledger, config }: AdoptContext, session: OpenSession, header: BodyHeader): void {
  const { agent, cwd, remote, project, forkedFrom, inherited } = header
  updateSessionDetails(ledger, session.id, agent, detailsOf(header))
  if (forkedFrom) saveFork(ledger, session.id, { from: forkedFrom, inherited })
  if (session.project !== null || (!cwd && !project)) return
  const found = cwd
    ? betterProject(projectOf(cwd, remote ?? undefined, config.projects), project, config.projects)
    : namedProject(project!.key, project!.kind, config.projects)
  assignProject(ledger, session.id, upsertProject(ledger, found))
}

function detailsOf(header: BodyHeader): SessionDetails {
  const { kind, parent, agent, cwd, branch, remote, title, titleRank, model, agentVersion, startedAt } = header
  return {
    kind,
    ...(parent ? { parent: parent.startsWith(`${agent}:`) ? parent.slice(agent.length + 1) : parent } : {}),
    ...(cwd ? { cwd } : {}),
    ...(branch ? { branch } : {}),
    ...(remote ? { remote } : {}),
    ...(title ? { title, titleRank } : {}),
    ...(model ? { model } : {}),
    ...(agentVersion ? { version: agentVersion } : {}),
    ...(startedAt ? { started: startedAt } : {}),
  }
}

/** Adds the events that the session lacks; returns whether there were any. */
function addMissing(context: AdoptContext, session: OpenSession, orphan: Orphan): boolean {
  const { ledger } = context
  const { contents, agent } = orphan
  const stored = contents.isKeyed ? new Map<string, number>() : storedFingerprints(ledger, session)
  const missing: OrphanedEvent[] = []
  for (const event of eventsOfOrphan(ledger, orphan)) {
    if (hasEventKey(ledger, event.key)) continue
    const fingerprint = fingerprintOf(event)
    const left = stored.get(fingerprint) ?? 0
    stored.set(fingerprint, left - 1)
    if (left <= 0) missing.push(event)
  }
  if (missing.length === 0) return false
  const events = missing.map(({ key, seq: _, ...event }) => ({ key, light: summariseEvent(event) }))
  const frames = packEvents(missing.map(({ seq: _, ...event }) => event))
  addToSession(context, session, { agent, about: {}, events, frames, usages: [] }, false)
  return true
}

/** The key is as in the ledger. */
type OrphanedEvent = KeyedEvent & { key: string }

function* eventsOfOrphan(ledger: Ledger, { contents, agent, uid }: Orphan): Generator<OrphanedEvent> {
  const { file, bytes } = contents.body
  for (const event of readableEvents(ledger.layout.bodies, file, bytes))
    yield { ...event, key: unpackKey(agent, event) ?? madeUpKey(agent, uid, event.seq) }
}

/** How often the session has an event with this content. */
function storedFingerprints(ledger: Ledger, { body }: OpenSession): Map<string, number> {
  const counts = new Map<string, number>()
  if (!body || !existsSync(join(ledger.layout.bodies, body.file))) return counts
  for (const event of readableEvents(ledger.layout.bodies, body.file, body.bytes)) {
    const fingerprint = fingerprintOf(event)
    counts.set(fingerprint, (counts.get(fingerprint) ?? 0) + 1)
  }
  return counts
}

function fingerprintOf({ id, kind, role, ts, text, tool, call }: KeyedEvent): string {
  return createHash('sha1')
    .update(JSON.stringify([id, kind, role, ts, text, tool, call]))
    .digest('base64')
}

/** The key of an event whose own key is lost with the ledger. */
function madeUpKey(agent: string, uid: string, seq: number): string {
  return hashKey(agent, `adopted/${uid}/${seq}`)
}

/** Retention counts from the last growth; a file from the future counts from now. */
function modifiedAt({ ledger, clock }: AdoptContext, { contents }: Orphan): string {
  const { mtimeMs } = statSync(join(ledger.layout.bodies, contents.body.file))
  return isoTime(Math.min(mtimeMs, clock.nowMs()))
}

/** A damaged file is kept outside the bodies, although all that can be read of it is stored. */
function setAside(ledger: Ledger, file: string): void {
  const folder = join(ledger.layout.backups, 'damaged-bodies')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [from, to] = [join(ledger.layout.bodies, file), join(folder, basename(file))]
  renameSync(from, to)
  clearProblems(ledger, from, wholeFileOffset)
  ledger.onRollback(() => renameSync(to, from))
}
