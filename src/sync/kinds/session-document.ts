// A session as items: a head that says which one it is, and parts with its events and with what it consumed. Each is made when it
// is looked at, from the body, and only one at a time is held.
import { createHash, randomUUID } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { isSecretValue } from '../../core/redact.ts'
import type { Event, Json } from '../../core/session.ts'
import { readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { readBody } from '../../store/sessions/bodies.ts'
import { sessionUsage } from '../../store/sessions/usage.ts'
import { eventKeysBetween, type SentPart, type SessionToSync } from '../../store/sync/sent-sessions.ts'
import { truncate } from '../../text/truncate.ts'
import type { SessionUsages } from '../documents.ts'
import type { SyncContext } from '../item-kind.ts'
import type { ItemDocument } from '../protocol.ts'

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

export function headDocument({ ledger, origin, home, redact }: SyncContext, session: SessionToSync): ItemDocument {
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
    started: isoTimeOrNull(session.startedMs),
    ended: isoTimeOrNull(session.endedMs),
    events: session.events,
    origin: truncate(origin, 200),
  }
  const clean = cleanValue(said, { redact, max: Number.POSITIVE_INFINITY }) as Record<string, Json>
  return { part: 'head', uid, agent, ...clean, machine: machineId(ledger) } as ItemDocument
}

function withoutHome(path: string, home: string | undefined): string {
  return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path
}

function isoTimeOrNull(ms: number | null): string | null {
  return ms !== null && ms > 0 && ms < maxMs ? isoTime(ms) : null
}

/** Later years have more than four digits. */
const maxMs = Date.UTC(10_000, 0)

/** An event with its place and what it takes as JSON. */
export interface OutgoingEvent {
  seq: number
  event: Event
  bytes: number
}

/** The events of a session between two places, ready to leave. */
export function* outgoingEvents(
  { ledger, redact }: SyncContext,
  { id, body }: SessionToSync,
  { first, next }: Pick<SentPart, 'first' | 'next'>,
): Generator<OutgoingEvent> {
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
  { ledger, redact }: SyncContext,
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

// An event as it may leave this machine. It was redacted when it was captured; the rules may have learned more since, and the server
// refuses what looks like a secret. And it has to fit: into a part, and into what PostgreSQL can store.

type Redact = SyncContext['redact']

/** The largest event that is sent, as JSON; what is longer is cut. */
const maxEventBytes = 230_000

function cleanEvent(event: Event, redact: Redact): { event: Event; bytes: number } {
  for (const max of [Number.POSITIVE_INFINITY, 80_000, 20_000, 4000]) {
    const bounded = cleanValue(jsonOf(event), { redact, max })
    const bytes = sizeOf(bounded)
    if (bytes <= maxEventBytes) return { event: bounded as unknown as Event, bytes }
  }
  // Thousands of small values, or paths: what was said is kept.
  const { input: _, files: __, replaces: ___, ...rest } = event
  const left = cleanValue(jsonOf({ ...rest, input: '[too large to be sent]' }), { redact, max: 4000 })
  return { event: left as unknown as Event, bytes: sizeOf(left) }
}

/** Events are JSON; their types cannot say so. */
function jsonOf(event: Event): Json {
  return event as unknown as Json
}

interface CleanOptions {
  redact: Redact
  /** Longer texts keep their beginning and their end. */
  max: number
}

/** A copy without secrets, of the depth that a server takes. */
function cleanValue(value: Json, cleaning: CleanOptions, name = '', depth = 0): Json {
  if (typeof value === 'string') return cleanText(value, cleaning, name)
  if (typeof value === 'number') return isOrdinary(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return cleanText(JSON.stringify(value), cleaning, name)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, cleaning, name, depth + 1))
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] =>
    // A key of this name would be lost on the way.
    item === undefined || key === '__proto__'
      ? []
      : [[cleanText(key, cleaning, key), cleanValue(item, cleaning, key, depth + 1)]],
  )
  return Object.fromEntries(entries)
}

const maxDepth = 12

/** Others are not taken: PostgreSQL writes them out in full. */
function isOrdinary(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size > 1e-30 && size < 1e30)
}

function cleanText(text: string, { redact, max }: CleanOptions, name: string): string {
  const stored = truncateMiddle(text.replaceAll('\u0000', '').toWellFormed(), max)
  if (isSecretValue(name, stored)) return '[secret: password]'
  let clean = stored
  for (let pass = 0; pass < 3; pass++) {
    const { texts, counts } = redact([clean])
    if (Object.keys(counts).length === 0) return clean
    clean = texts[0]!
  }
  return '[left out: it looks like a secret]'
}

function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.floor(max / 5)
  const cut = `${text.slice(0, max - end)}\n[${text.length - max} characters cut]\n${text.slice(-end)}`
  return cut.toWellFormed()
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
