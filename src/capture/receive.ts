// Sessions that other machines captured come in through the same writer as those that are read here: an event whose key is known is
// not written again, whoever brought it. They have no transcript here, and what is said of them elsewhere is not learned here.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { namedProject, type Project } from '../core/project.ts'
import type { Event, SessionDetails } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import { packEvents } from '../store/sessions/bodies.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import { upsertProject } from '../store/sessions/projects.ts'
import { assignProject, openSession, updateSessionDetails } from '../store/sessions/sessions.ts'
import { type StoredUsage, saveHashedUsage, sessionUsage } from '../store/sessions/usage.ts'
import { saveFork, skipLearning } from '../store/sync/received-sessions.ts'
import { addToSession } from './write.ts'

export interface ReceiveContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'projects'>
}

/** Which session, as its own machine calls it. */
export interface Named {
  uid: string
  agent: string
}

/** All of these inside a transaction. The keys of events are from `hashKey`. */
export function receiveEvents(context: ReceiveContext, { uid, agent }: Named, events: readonly Event[]): void {
  write(context, { uid, agent }, { about: {}, events, isReplaced: false })
}

/** What was written of it before was written anew where it comes from. What it consumed stays. */
export function replaceEvents(
  context: ReceiveContext,
  named: Named,
  { about, fork }: Omit<Description, 'project'>,
  events: readonly Event[],
): void {
  const { ledger, clock } = context
  const { id } = openSession(ledger, named.uid, named.agent, isoTime(clock.nowMs()))
  const usages = sessionUsage(ledger, id, { from: 0, limit: -1 })
  write(context, named, { about, events, isReplaced: true })
  if (fork) saveFork(ledger, id, fork)
  receiveUsages(context, named, usages)
}

export function receiveUsages({ ledger, clock }: ReceiveContext, { uid, agent }: Named, usages: StoredUsage[]): void {
  const { id } = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  for (const { usage, costUsd } of usages) saveHashedUsage(ledger, id, usage, costUsd)
}

export interface Description {
  about: SessionDetails
  project: Pick<Project, 'key' | 'kind'> | null
  fork: { from: string; inherited: number } | null
}

/** What is known of a session here, from its own transcript, is not changed by what another machine says of it. */
export function describeReceived(context: ReceiveContext, { uid, agent }: Named, described: Description): boolean {
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

interface Writing {
  about: SessionDetails
  events: readonly Event[]
  isReplaced: boolean
}

function write({ ledger, clock }: ReceiveContext, { uid, agent }: Named, { about, events, isReplaced }: Writing): void {
  const session = openSession(ledger, uid, agent, isoTime(clock.nowMs()))
  const before = { events: session.nextSeq }
  const prepared = events.map((event) => ({ key: event.key, light: summariseEvent(event) }))
  const content = { agent, about, events: prepared, frames: packEvents(events), usages: [] }
  addToSession({ ledger, clock }, session, content, isReplaced)
  skipLearning(ledger, session.id, before)
}
