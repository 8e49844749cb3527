// Stores sessions that other machines captured, through the same writer as local ones, so that an
// event with a known key is not written twice. They have no transcript here and are not learned
// from again.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { namedProject, type Project } from '../core/project/project.ts'
import type { Event, SessionDetails } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import { packEvents } from '../store/sessions/body-frames.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import { upsertProject } from '../store/sessions/projects.ts'
import { assignProject, openSession, updateSessionDetails } from '../store/sessions/sessions.ts'
import { type StoredUsage, saveHashedUsage, sessionUsage } from '../store/sessions/usage.ts'
import { saveFork, skipLearning } from '../store/sync/received-sessions.ts'
import { addToSession } from './write.ts'

export interface RemoteImportContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'projects'>
}

export interface RemoteSession {
  uid: string
  agent: string
}

/**
 * Like all functions here, to be called inside a transaction. The keys of events are from
 * `hashKey`.
 */
export function importEvents(
  context: RemoteImportContext,
  { uid, agent }: RemoteSession,
  events: readonly Event[],
): void {
  writeImported(context, { uid, agent }, { about: {}, events, isReplaced: false })
}

/** Replaces all events, because the origin has rewritten the session. Usage is kept. */
export function replaceImportedEvents(
  context: RemoteImportContext,
  named: RemoteSession,
  { about, fork }: Omit<RemoteSessionDetails, 'project'>,
  events: readonly Event[],
): void {
  const { ledger, clock } = context
  const { id } = openSession(ledger, named.uid, named.agent, isoTime(clock.nowMs()))
  const usages = sessionUsage(ledger, id, { from: 0, limit: -1 })
  writeImported(context, named, { about, events, isReplaced: true })
  if (fork) saveFork(ledger, id, fork)
  importUsages(context, named, usages)
}

export function importUsages(
  { ledger, clock }: RemoteImportContext,
  { uid, agent }: RemoteSession,
  usages: StoredUsage[],
): void {
  const { id } = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  for (const { usage, costUsd } of usages) saveHashedUsage(ledger, id, usage, costUsd)
}

export interface RemoteSessionDetails {
  about: SessionDetails
  project: Pick<Project, 'key' | 'kind'> | null
  fork: { from: string; inherited: number } | null
}

/**
 * Has no effect on a session that was captured from its own transcript on this machine; returns
 * whether it had one.
 */
export function importDetails(
  context: RemoteImportContext,
  { uid, agent }: RemoteSession,
  described: RemoteSessionDetails,
): boolean {
  const { ledger, clock, config } = context
  const session = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  if (session.source !== null) return false
  const { about, project, fork } = described
  updateSessionDetails(ledger, session.id, agent, about)
  if (fork) saveFork(ledger, session.id, fork)
  if (project)
    assignProject(ledger, session.id, upsertProject(ledger, namedProject(project.key, project.kind, config.projects)))
  return true
}

interface ImportedContent {
  about: SessionDetails
  events: readonly Event[]
  isReplaced: boolean
}

function writeImported(
  { ledger, clock }: RemoteImportContext,
  { uid, agent }: RemoteSession,
  { about, events, isReplaced }: ImportedContent,
): void {
  const session = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  const before = { events: session.nextSeq }
  const prepared = events.map((event) => ({ key: event.key, light: summariseEvent(event) }))
  const content = { agent, about, events: prepared, frames: packEvents(events), usages: [] }
  addToSession({ ledger, clock }, session, content, isReplaced)
  skipLearning(ledger, session.id, before)
}
