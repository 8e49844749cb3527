// Syncs sessions of the configured projects in the user's own space. A session is one head item
// plus parts with events and usage, sent by the machine that captured it.
import { importDetails, importUsages, type RemoteSessionDetails } from '../../capture/import-remote.ts'
import { isoTime } from '../../core/clock.ts'
import type { SessionDetails } from '../../core/session.ts'
import { isSessionDeleted } from '../../store/deletion/deletions.ts'
import type { StoredUsage } from '../../store/sessions/usage.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import {
  deleteReceivedSession,
  markWithdrawn,
  receivedSession,
  saveReceivedSession,
} from '../../store/sync/received-sessions.ts'
import {
  resetSentSessions,
  type SentPart,
  type SentSession,
  type SessionToSync,
  sentIds,
  sentPart,
  sentSession,
  sessionToSync,
} from '../../store/sync/sent-sessions.ts'
import { serverItem } from '../../store/sync/spaces.ts'
import { type SessionHead, type SessionUsages, sessionDocument } from '../documents.ts'
import { deletedHash, hashOfDocument } from '../item-hash.ts'
import type { DesiredState, MergeResult, SyncContext, SyncedKind } from '../item-kind.ts'
import { isSessionSynced } from '../privacy.ts'
import type { SyncItem } from '../protocol.ts'
import { applyEvents, writeOverdueParts } from './receive-events.ts'
import {
  eventsDocument,
  headDocument,
  headId,
  machineId,
  outgoingEvents,
  partId,
  usagesDocument,
} from './session-document.ts'
import { enqueueSessions } from './session-parts.ts'

export const sessionKind: SyncedKind = {
  kind: 'session',
  *idsIn({ ledger }, space) {
    if (space !== ownSpace) return
    resetSentSessions(ledger, space)
    for (let after = ''; ; ) {
      const page = sentIds(ledger, after, 500)
      if (page.length === 0) return
      yield* page
      after = page.at(-1)!
    }
  },
  desiredState,
  statementHash: hashOfDocument,
  mergeRemote: mergeSession,
  enqueueChanged(context, space) {
    if (space === ownSpace) writeOverdueParts(context)
    return enqueueSessions(context, space)
  },
}

const unmanaged: DesiredState = { kind: 'unmanaged' }

function desiredState(context: SyncContext, space: string, id: string): DesiredState {
  const { ledger, config } = context
  const part = sentPart(ledger, id)
  const sent = sentSession(ledger, part ? { uid: part.uid } : { item: id })
  if (space !== ownSpace || !sent) return unmanaged
  const session = sessionToSync(ledger, sent.uid)
  if (!isOurs(context, sent, session)) return unmanaged
  if (!session || sent.isWithdrawn || !isSessionSynced(config, session.project)) return { kind: 'absent' }
  return part ? desiredPart(context, session, part) : desiredHead(context, session)
}

/**
 * False if another machine has sent at least as many events: that machine then owns the session.
 */
function isOurs({ ledger }: SyncContext, { uid }: SentSession, session: SessionToSync | undefined): boolean {
  const received = receivedSession(ledger, uid)
  return received === undefined || (session?.isCaptured === true && session.events > received.events)
}

/** The server keeps sessions whose body was evicted here. */
function desiredHead(context: SyncContext, session: SessionToSync): DesiredState {
  const isAgedOut = session.body === null && session.events > 0
  return isAgedOut ? unmanaged : { kind: 'document', document: headDocument(context, session) }
}

function desiredPart(context: SyncContext, session: SessionToSync, part: SentPart): DesiredState {
  const { id, hash, first, number } = part
  if (hash === null) return unmanaged
  if (hash === deletedHash) return { kind: 'absent' }
  // Equal to the server by its hash, so the body need not be read.
  if (serverItem(context.ledger, ownSpace, id)?.hash === hash) return unmanaged
  if (part.part === 'usages') {
    const document = usagesDocument(context, session, number)
    return document ? { kind: 'document', document } : unmanaged
  }
  if (!session.body || first < session.evictedThrough) return unmanaged
  try {
    const events = Array.from(outgoingEvents(context, session, part), ({ event }) => event)
    return events.length > 0 ? { kind: 'document', document: eventsDocument(session, number, events) } : unmanaged
  } catch {
    // The body is missing or damaged; `doctor` reports it.
    return unmanaged
  }
}

function mergeSession(context: SyncContext, space: string, item: SyncItem): MergeResult {
  if (space !== ownSpace) return 'unsupported'
  // The sending machine withdrew it; the local copy stays until the user removes it.
  if (item.document === null) {
    markWithdrawn(context.ledger, item.id)
    return 'unchanged'
  }
  const parsed = sessionDocument.safeParse(item.document)
  if (!parsed.success) return 'unsupported'
  const document = parsed.data
  if (isSessionDeleted(context.ledger, document.uid)) return 'unchanged'
  switch (document.part) {
    case 'head':
      return item.id === headId(document.uid) ? applyHead(context, document) : 'unsupported'
    case 'events':
      return item.id === partId(document.uid, 'events', document.number)
        ? applyEvents(context, item.id, document)
        : 'unsupported'
    case 'usages':
      return item.id === partId(document.uid, 'usages', document.number)
        ? applyUsages(context, document)
        : 'unsupported'
    default:
      return document satisfies never
  }
}

function applyHead(context: SyncContext, head: SessionHead): MergeResult {
  const { ledger } = context
  const { uid, agent, origin, machine, events } = head
  if (machine === machineId(ledger)) {
    deleteReceivedSession(ledger, uid)
    return 'unchanged'
  }
  saveReceivedSession(ledger, { uid, item: headId(uid), origin, machine, events })
  return importDetails(context, { uid, agent }, descriptionOf(head, context.home)) ? 'applied' : 'unchanged'
}

function descriptionOf(head: SessionHead, home: string | undefined): RemoteSessionDetails {
  const { agent, parent, project, projectKind, forkedFrom, inherited } = head
  const about: SessionDetails = { kind: head.sessionKind, titleRank: head.titleRank }
  if (parent?.startsWith(`${agent}:`)) about.parent = parent.slice(agent.length + 1)
  for (const name of ['branch', 'remote', 'model', 'version', 'title', 'started', 'ended'] as const) {
    const value = head[name]
    if (value !== null) about[name] = value
  }
  return {
    about,
    project: project === null || projectKind === null ? null : { key: withHome(project, home), kind: projectKind },
    fork: forkedFrom === null ? null : { from: forkedFrom, inherited },
  }
}

function withHome(project: string, home: string | undefined): string {
  return home && /^~(?:\/|$)/.test(project) ? home + project.slice(1) : project
}

function applyUsages(context: SyncContext, { uid, agent, usages }: SessionUsages): MergeResult {
  importUsages(
    context,
    { uid, agent },
    usages.map((row): StoredUsage => {
      const [key, atMs, model, input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning, costUsd, isOwn, isLeast] =
        row
      const tokens = { input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }
      const own = isOwn && costUsd !== null ? { costUsd } : {}
      const usage = { key, ts: atMs === null ? null : isoTime(atMs), model, ...tokens, ...own, isLowerBound: isLeast }
      return { usage, costUsd }
    }),
  )
  return 'applied'
}
