// Turns what was read into what can be written: drops ignored sessions, redacts text, adds prices
// of tokens. The result is plain data, because it may be made in another thread.
import { createHash } from 'node:crypto'
import { matchesGlob } from '../core/paths.ts'
import type { Event, SessionDetails, Usage, UsageLimit } from '../core/session.ts'
import { type BodyFrame, packEvents } from '../store/sessions/body-frames.ts'
import { type EventSummary, hashKey, summariseEvent } from '../store/sessions/events.ts'
import type { Cursor } from '../store/sessions/transcripts.ts'
import type { CollectedSession } from './collect.ts'
import type { CaptureSources, IgnoreFilter, PrepareTools, TranscriptPart } from './context.ts'
import { type PreparedCopy, prepareBeside, prepareCopy } from './copies/copy-lines.ts'
import { ignoredFolders } from './discover.ts'
import { packKey } from './packed-keys.ts'
import { redactAll } from './redact-batch.ts'

export interface SessionWrite {
  /** Path of the transcript. */
  path: string
  /** Whether it is only a list of sessions. */
  isIndex?: boolean
  agent: string
  native: string
  about: SessionDetails
  events: PreparedEvent[]
  /** The events' text, packed, because most of it is never read again. */
  frames: BodyFrame[]
  usages: PricedUsage[]
  /**
   * Hash of a whole session of a document, which is merged into the stored session. Undefined for a log,
   * whose events are only added.
   */
  contentHash?: string
  /** The lines that the events were read from; missing if they are not of a log. */
  copy?: PreparedCopy
}

/** An event without its text: its key, and the fields that search and digest need. */
export interface PreparedEvent {
  key: string
  light: EventSummary
}

export interface PricedUsage extends Usage {
  /** Null if the model has no known price. */
  price: number | null
}

/** The cursor behind a part, and what could not be read in it. */
export interface PartEnd {
  agent: string
  cursor: Cursor
  from: number
  problems: { offset: number; reason: string }[]
  unknownTypes: [type: string, count: number][]
  rateLimits: readonly UsageLimit[]
  /** The lines of a part in which no session is named. */
  copy?: PreparedCopy
}

export interface PreparedBatch {
  writes: SessionWrite[]
  ends: PartEnd[]
  redactions: Record<string, number>
}

export function prepareBatch(parts: readonly TranscriptPart[], tools: PrepareTools): PreparedBatch {
  const { redact, priceOf, isIgnored } = tools
  const kept: { part: TranscriptPart; native: string; gathered: CollectedSession; contentHash?: string }[] = []
  for (const part of parts) {
    if (part.found.transcript.shape === 'log') {
      if (isLogIgnored(part, isIgnored)) dropIgnored(part)
      else if (isTooEarly(part)) readAgain(part)
      for (const [native, gathered] of part.data.sessions) kept.push({ part, native, gathered })
    } else {
      for (const [native, gathered] of part.data.sessions) {
        if (!isIgnored(gathered.about.cwd)) kept.push({ part, native, gathered, contentHash: hashOf(gathered) })
      }
    }
  }
  const { counts: redactions, ...removed } = redactAll(
    kept.map(({ gathered }) => gathered),
    parts,
    redact,
  )
  const copyOf = ({ found: { transcript }, data }: Pick<TranscriptPart, 'found' | 'data'>) => {
    if (!data.copy) return {}
    const copy = prepareCopy(transcript.path, data.copy, removed, redact)
    const beside = transcript.shape === 'log' && data.copy.from === 0 ? transcript.beside : undefined
    return { copy: { ...copy, frames: [...copy.frames, ...(beside ? prepareBeside(beside, redact) : [])] } }
  }
  return {
    redactions,
    writes: kept.map(({ part, native, gathered, contentHash }) => ({
      path: part.found.transcript.path,
      ...(isIndex(part) ? { isIndex: true } : {}),
      agent: part.found.agent.id,
      native,
      about: gathered.about,
      ...packed(gathered.events, part.found.agent.id),
      usages: [...gathered.usages.values()].map((usage) => ({ ...usage, price: priceOf(usage) })),
      ...(ownerOf(part) === native ? copyOf(part) : {}),
      ...(contentHash === undefined ? {} : { contentHash }),
    })),
    ends: parts.map(({ found, data, cursor, from }) => ({
      agent: found.agent.id,
      cursor,
      from,
      problems: data.problems,
      unknownTypes: [...data.unknownTypes],
      rateLimits: data.rateLimits,
      ...(data.sessions.size === 0 ? copyOf({ found, data }) : {}),
    })),
  }
}

function isIndex({ found: { transcript } }: TranscriptPart): boolean {
  return transcript.shape === 'log' && transcript.isIndex === true
}

/** The session that keeps the lines of a part. */
function ownerOf({ data }: TranscriptPart): string | undefined {
  return data.copy?.session ?? data.sessions.keys().next().value
}

/** The keys of the ledger can be made from the body, so that it can replace a lost one. */
function packed(events: readonly Event[], agent: string): Pick<SessionWrite, 'events' | 'frames'> {
  return {
    events: events.map((event) => ({ key: hashKey(agent, event.key), light: summariseEvent(event) })),
    frames: packEvents(events.map((event) => ({ ...event, key: packKey(agent, event) }))),
  }
}

/**
 * A log names its folder only once, so the whole file is ignored from then on, later parts
 * included.
 */
function isLogIgnored({ found, data }: TranscriptPart, isIgnored: IgnoreFilter): boolean {
  const { path } = found.transcript
  const isHere = [...data.sessions.values()].some(({ about }) => isIgnored(about.cwd))
  if (isHere) isIgnored.logs.add(path)
  return isHere || isIgnored.logs.has(path)
}

/** Keeps nothing of a log in an ignored folder but the fact that it is ignored. */
function dropIgnored({ cursor, data }: TranscriptPart): void {
  cursor.isIgnored = true
  cursor.state = undefined
  data.sessions.clear()
  data.problems = []
  data.unknownTypes.clear()
  data.rateLimits = []
  data.copy = undefined
}

/**
 * Whether a log has only begun: it names no session yet, or tells neither its folder, which may be
 * ignored, nor what was said.
 */
function isTooEarly(part: TranscriptPart): boolean {
  if (part.from !== 0 || isIndex(part)) return false
  return [...part.data.sessions.values()].every(
    ({ about, events, usages }) => about.cwd === undefined && events.length === 0 && usages.size === 0,
  )
}

/** The lines are read again with the next ones, so that their session keeps all of them. */
function readAgain({ cursor, data }: TranscriptPart): void {
  Object.assign(cursor, { offset: 0, head: null, tail: null, state: undefined })
  data.copy = undefined
}

export function createIgnoreFilter({ config, machine }: Pick<CaptureSources, 'config' | 'machine'>): IgnoreFilter {
  const patterns = ignoredFolders(config, machine)
  const isIgnored = (cwd: string | undefined) =>
    cwd !== undefined && patterns.some((pattern) => matchesGlob(cwd, pattern))
  return Object.assign(isIgnored, { logs: new Set<string>() })
}

function hashOf({ about, events, usages }: CollectedSession): string {
  const content = JSON.stringify([about, events, [...usages.values()]])
  return createHash('sha1').update(content).digest('base64url')
}
