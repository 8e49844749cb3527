// Builds the documents of a session: the head, and parts with events or usage. Each is built on
// demand from the body, one part in memory at a time. Events are redacted again with the current
// rules and cut to a size that fits into a part and into PostgreSQL.
import { createHash, randomUUID } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { cutMiddle } from '../../core/redact/cut-middle.ts'
import { isSecretValue } from '../../core/redact/redact.ts'
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

/** Session ids of agents may contain any character, item ids may not; others are hashed. */
export function headId(uid: string): string {
  if (/^[a-z0-9-]+:[A-Za-z0-9._@+=-]{1,200}$/.test(uid)) return `session:${uid}`
  const agent = uid.slice(0, uid.indexOf(':')).replace(/[^a-z0-9-]/g, '')
  return `session:${agent}:~${createHash('sha256').update(uid).digest('hex').slice(0, 32)}`
}

export function partId(uid: string, part: SentPart['part'], number: number): string {
  return `${headId(uid)}:${part === 'usages' ? 'u' : ''}${number}`
}

/** Distinguishes machines with the same name. */
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
    // The remote may be known only from the local checkout, which other machines do not have.
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

/** The year 10,000: ISO dates have four digits. */
const maxMs = Date.UTC(10_000, 0)

/** An event ready to be sent, with its size as JSON. */
interface OutgoingEvent {
  seq: number
  event: Event
  bytes: number
}

/** Reads, redacts and truncates the events from `first` up to `next`. */
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
      through = seq + keysPerQuery
      keys = eventKeysBetween(ledger, id, seq, Math.min(through, next))
    }
    const key = keys.get(seq)
    if (key !== undefined) yield { seq, ...cleanEvent({ ...event, key }, redact) }
  }
}

const keysPerQuery = 500

export function eventsDocument({ uid, agent }: SessionToSync, number: number, events: Event[]): ItemDocument {
  return { part: 'events', uid, agent, number, events } as unknown as ItemDocument
}

/** The largest number that fits into a part. */
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

type Redact = SyncContext['redact']

/** Larger events, as JSON, are truncated. */
const maxEventBytes = 230_000

/** The key is a hash, although its name reads like that of a secret. */
function cleanEvent({ key, ...event }: Event, redact: Redact): { event: Event; bytes: number } {
  for (const max of [Number.POSITIVE_INFINITY, 80_000, 20_000, 4000]) {
    const bounded = { ...(cleanValue(jsonOf(event), { redact, max }) as Record<string, Json>), key }
    const bytes = sizeOf(bounded)
    if (bytes <= maxEventBytes) return { event: bounded as unknown as Event, bytes }
  }
  // Too many small values or paths: keep the text alone.
  const { input: _, files: __, replaces: ___, ...rest } = event
  const clean = cleanValue(jsonOf({ ...rest, input: '[too large to be sent]' }), { redact, max: 4000 })
  const left = { ...(clean as Record<string, Json>), key }
  return { event: left as unknown as Event, bytes: sizeOf(left) }
}

/** Events are JSON, but their type does not express that. */
function jsonOf(event: Omit<Event, 'key'>): Json {
  return event as unknown as Json
}

interface CleanOptions {
  redact: Redact
  /** Longer texts keep their start and end. */
  max: number
}

/** A copy without secrets, no deeper than a server accepts. */
function cleanValue(value: Json, cleaning: CleanOptions, name = '', depth = 0): Json {
  if (typeof value === 'string') return cleanText(value, cleaning, name)
  if (typeof value === 'number') return isOrdinary(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return cleanText(JSON.stringify(value), cleaning, name)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, cleaning, name, depth + 1))
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] =>
    // Object.fromEntries would set the prototype.
    item === undefined || key === '__proto__'
      ? []
      : [[cleanText(key, cleaning, key), cleanValue(item, cleaning, key, depth + 1)]],
  )
  return Object.fromEntries(entries)
}

const maxDepth = 12

/** PostgreSQL writes very large and small numbers with all digits, and the server refuses them. */
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
  return cutMiddle(text, { max, end: Math.floor(max / 5) }).toWellFormed()
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
