// From what was read to what can be written: ignored sessions are dropped, text is redacted, tokens get their price. The
// result is plain data, so that it can be made in another thread.
import { createHash } from 'node:crypto'
import { matchesGlob } from '../core/paths.ts'
import type { SessionDetails, Usage } from '../core/session.ts'
import { type BodyFrame, packEvents } from '../store/sessions/bodies.ts'
import { type EventSummary, hashKey, summariseEvent } from '../store/sessions/events.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import { crossBorder, type Redact } from './border.ts'
import { ignoredFolders, type Sources } from './discover.ts'
import type { Gathered } from './gather.ts'
import type { Part } from './read.ts'

export interface SessionWrite {
  /** The transcript that it comes from. */
  path: string
  agent: string
  native: string
  about: SessionDetails
  events: PreparedEvent[]
  /** Their text, packed: most of what is stored is never looked at again. */
  frames: BodyFrame[]
  usages: PricedUsage[]
  /** Hash of a document's whole session: it replaces what was stored. Undefined for a log, which only adds. */
  contentHash?: string
}

/** An event without its text: its key, and what search and digest need of it. */
export interface PreparedEvent {
  key: string
  light: EventSummary
}

export interface PricedUsage extends Usage {
  /** null: the model has no known price. */
  price: number | null
}

/** Where a transcript was left, and what could not be read of it. */
export interface PartEnd {
  agent: string
  cursor: Cursor
  from: number
  bad: { offset: number; reason: string }[]
  unknown: [type: string, count: number][]
}

export interface Prepared {
  writes: SessionWrite[]
  ends: PartEnd[]
  redactions: Record<string, number>
}

export interface Tools {
  redact: Redact
  priceOf(usage: Usage): number | null
  isIgnored: IsIgnored
  /** Whether whoever writes has nothing to do meanwhile: then compressing is left to them. */
  isWriterIdle?(): boolean
}

export function prepare(parts: readonly Part[], tools: Tools): Prepared {
  const { redact, priceOf, isIgnored } = tools
  const kept: { part: Part; native: string; gathered: Gathered; contentHash?: string }[] = []
  for (const part of parts) {
    if (part.one.transcript.shape === 'log') {
      if (isLogIgnored(part, isIgnored)) forget(part)
      for (const [native, gathered] of part.load.sessions) kept.push({ part, native, gathered })
    } else {
      for (const [native, gathered] of part.load.sessions) {
        if (!isIgnored(gathered.about.cwd)) kept.push({ part, native, gathered, contentHash: hashOf(gathered) })
      }
    }
  }
  const redactions = crossBorder(
    kept.map(({ gathered }) => gathered),
    parts,
    redact,
  )
  const isCompressed = !tools.isWriterIdle?.()
  return {
    redactions,
    writes: kept.map(({ part, native, gathered, contentHash }) => ({
      path: part.one.transcript.path,
      agent: part.one.agent.id,
      native,
      about: gathered.about,
      events: gathered.events.map((event) => ({
        key: hashKey(part.one.agent.id, event.key),
        light: summariseEvent(event),
      })),
      frames: packEvents(gathered.events, isCompressed),
      usages: [...gathered.usages.values()].map((usage) => ({ ...usage, price: priceOf(usage) })),
      ...(contentHash === undefined ? {} : { contentHash }),
    })),
    ends: parts.map(({ one, load, cursor, from }) => ({
      agent: one.agent.id,
      cursor,
      from,
      bad: load.bad,
      unknown: [...load.unknown],
    })),
  }
}

/** A log names its folder once: what follows in the same file, also in a later part, is ignored with it. */
function isLogIgnored({ one, load }: Part, isIgnored: IsIgnored): boolean {
  const { path } = one.transcript
  const isHere = [...load.sessions.values()].some(({ about }) => isIgnored(about.cwd))
  if (isHere) isIgnored.logs.add(path)
  return isHere || isIgnored.logs.has(path)
}

/** Of a log in an ignored folder nothing stays but that it is ignored. */
function forget({ cursor, load }: Part): void {
  cursor.isIgnored = true
  cursor.state = undefined
  load.sessions.clear()
  load.bad = []
  load.unknown.clear()
}

export interface IsIgnored {
  (cwd: string | undefined): boolean
  /** Logs that were found to be ignored in this run. */
  logs: Set<string>
}

export function ignoring({ config, machine }: Pick<Sources, 'config' | 'machine'>): IsIgnored {
  const patterns = ignoredFolders(config, machine)
  const isIgnored = (cwd: string | undefined) =>
    cwd !== undefined && patterns.some((pattern) => matchesGlob(cwd, pattern))
  return Object.assign(isIgnored, { logs: new Set<string>() })
}

function hashOf({ about, events, usages }: Gathered): string {
  const content = JSON.stringify([about, events, [...usages.values()]])
  return createHash('sha1').update(content).digest('base64url')
}
