// A session as items: a head that says which one it is, and parts with its events and with what it consumed. Each is made when it
// is looked at, from the body, and only one at a time is held.
import { createHash, randomUUID } from 'node:crypto'
import { isoTime } from '../core/clock.ts'
import type { Event, Json } from '../core/session.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody } from '../store/sessions/bodies.ts'
import { sessionUsage } from '../store/sessions/usage.ts'
import { eventKeysBetween, type SentPart, type SessionToSync } from '../store/sync/sent-sessions.ts'
import { truncate } from '../text/truncate.ts'
import { cleanEvent, cleanValue } from './clean-event.ts'
import type { SessionUsages } from './documents.ts'
import type { ItemDocument } from './protocol.ts'
import type { TravelContext } from './traveller.ts'

/** The id of a session's head. Ids of agents may hold anything; those of items may not. */
export function headId(uid: string): string {
  if (/^[a-z0-9-]+:[A-Za-z0-9._@+=-]{1,200}$/.test(uid)) return `session:${uid}`
  const agent = uid.slice(0, uid.indexOf(':')).replace(/[^a-z0-9-]/g, '')
  return `session:${agent}:~${createHash('sha256').update(uid).digest('hex').slice(0, 32)}`
}

export function partId(uid: string, part: SentPart['part'], number: number): string {
  return `${headId(uid)}:${part === 'usages' ? 'u' : ''}${number}`
}

/** Tells this machine from another of the same name. */
export function machineId(ledger: Ledger): string {
  const known = readValue(ledger, 'machine')
  if (typeof known === 'string') return known
  const made = randomUUID()
  writeValue(ledger, 'machine', made)
  return made
}

export function headOf({ ledger, origin, home, redact }: TravelContext, session: SessionToSync): ItemDocument {
  const { uid, agent, project, projectKind } = session
  const short = (value: string | null) => (value === null ? null : truncate(value, 1000))
  const said = {
    sessionKind: session.kind,
    parent: session.parent,
    forkedFrom: session.forkedFrom,
    inherited: session.inherited,
    project: project === null ? null : withoutHome(project, home),
    projectKind,
    // Where only the folder told the remote, there is no such folder on the other machine.
    remote: short(session.remote ?? (projectKind === 'remote' && project ? `https://${project}` : null)),
    branch: short(session.branch),
    model: short(session.model),
    version: short(session.version),
    title: short(session.title),
    titleRank: session.titleRank,
    started: momentOf(session.startedMs),
    ended: momentOf(session.endedMs),
    events: session.events,
    origin: truncate(origin, 200),
  }
  const clean = cleanValue(said, { redact, max: Number.POSITIVE_INFINITY }) as Record<string, Json>
  return { part: 'head', uid, agent, ...clean, machine: machineId(ledger) } as ItemDocument
}

function withoutHome(path: string, home: string | undefined): string {
  return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path
}

function momentOf(ms: number | null): string | null {
  return ms !== null && ms > 0 && ms < maxMs ? isoTime(ms) : null
}

/** Later years have more than four digits. */
const maxMs = Date.UTC(10_000, 0)

/** An event with its place and what it takes as JSON. */
export interface Travelling {
  seq: number
  event: Event
  bytes: number
}

/** The events of a session between two places, ready to leave. */
export function* travellingEvents(
  { ledger, redact }: TravelContext,
  { id, body }: SessionToSync,
  { first, next }: Pick<SentPart, 'first' | 'next'>,
): Generator<Travelling> {
  if (!body) return
  let keys = new Map<number, string>()
  let through = first
  for (const { seq, ...event } of readBody(ledger.layout.bodies, body.file, body.bytes, first)) {
    if (seq >= next) return
    if (seq >= through) {
      through = seq + keysAtOnce
      keys = eventKeysBetween(ledger, id, seq, Math.min(through, next))
    }
    const key = keys.get(seq)
    if (key !== undefined) yield { seq, ...cleanEvent({ ...event, key }, redact) }
  }
}

const keysAtOnce = 500

export function eventsDocument({ uid, agent }: SessionToSync, number: number, events: Event[]): ItemDocument {
  return { part: 'events', uid, agent, number, events } as unknown as ItemDocument
}

/** More would not fit. */
export const usagesPerPart = 1000

export function usagesDocument(
  { ledger, redact }: TravelContext,
  { id, uid, agent }: SessionToSync,
  number: number,
): ItemDocument | undefined {
  const rows = sessionUsage(ledger, id, { from: number * usagesPerPart, limit: usagesPerPart })
  if (rows.length === 0) return undefined
  const usages = rows.map(({ usage, costUsd }): SessionUsages['usages'][number] => {
    const { key, ts, input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = usage
    const model = usage.model === null ? null : truncate(usage.model, 100)
    const tokens = [input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning] as const
    const atMs = ts === null ? null : Date.parse(ts)
    return [key, atMs, model, ...tokens, costUsd, usage.costUsd !== undefined, usage.isLowerBound ?? false]
  })
  return {
    part: 'usages',
    uid,
    agent,
    number,
    usages: cleanValue(usages, { redact, max: Number.POSITIVE_INFINITY }),
  } as unknown as ItemDocument
}
