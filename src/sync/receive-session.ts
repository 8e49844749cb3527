// A session of another machine comes in: described by its head, with its events and what it consumed part by part.
import { type Description, describeReceived, receiveUsages } from '../capture/receive.ts'
import { isoTime } from '../core/clock.ts'
import type { About } from '../core/session.ts'
import type { StoredUsage } from '../store/sessions/usage.ts'
import { ownSpace } from '../store/sync/outbox.ts'
import { deleteReceivedSession, markWithdrawn, saveReceivedSession } from '../store/sync/received-sessions.ts'
import { type SessionHead, type SessionUsages, sessionDocument } from './documents.ts'
import type { Item } from './protocol.ts'
import { meetEvents } from './receive-events.ts'
import { headId, machineId, partId } from './session-document.ts'
import type { Meeting, TravelContext } from './traveller.ts'

export function meetSession(context: TravelContext, space: string, item: Item): Meeting {
  if (space !== ownSpace) return 'not understood'
  // Withdrawn where it comes from: what is here stays until a person removes it.
  if (item.document === null) {
    markWithdrawn(context.ledger, item.id)
    return 'same'
  }
  const parsed = sessionDocument.safeParse(item.document)
  if (!parsed.success) return 'not understood'
  const document = parsed.data
  switch (document.part) {
    case 'head':
      return item.id === headId(document.uid) ? meetHead(context, document) : 'not understood'
    case 'events':
      return item.id === partId(document.uid, 'events', document.number)
        ? meetEvents(context, item.id, document)
        : 'not understood'
    case 'usages':
      return item.id === partId(document.uid, 'usages', document.number)
        ? meetUsages(context, document)
        : 'not understood'
    default:
      return document satisfies never
  }
}

function meetHead(context: TravelContext, head: SessionHead): Meeting {
  const { ledger } = context
  const { uid, agent, origin, machine, events } = head
  if (machine === machineId(ledger)) {
    deleteReceivedSession(ledger, uid)
    return 'same'
  }
  saveReceivedSession(ledger, { uid, item: headId(uid), origin, machine, events })
  return describeReceived(context, { uid, agent }, descriptionOf(head, context.home)) ? 'taken' : 'same'
}

function descriptionOf(head: SessionHead, home: string | undefined): Description {
  const { agent, parent, project, projectKind, forkedFrom, inherited } = head
  const about: About = { kind: head.sessionKind, titleRank: head.titleRank }
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

function meetUsages(context: TravelContext, { uid, agent, usages }: SessionUsages): Meeting {
  receiveUsages(
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
  return 'taken'
}
