// From what was read to what can be written: ignored sessions are dropped, text is redacted, tokens get their price. The
// result is plain data, so that it can be made in another thread.
import { createHash } from 'node:crypto'
import { matchesGlob } from '../core/globs.ts'
import type { About, Event, Usage } from '../core/session.ts'
import { bodyLine, type Frame, packLines } from '../store/bodies.ts'
import type { Cursor } from '../store/cursors.ts'
import { type EventRow, hashKey, type SearchText } from '../store/events.ts'
import { searchTexts } from '../store/search-texts.ts'
import { crossBorder, type Redact } from './border.ts'
import { ignoredFolders, type Sources } from './discover.ts'
import type { Gathered } from './gather.ts'
import type { Part } from './read.ts'

export interface SessionWrite {
  agent: string
  native: string
  about: About
  events: PreparedEvent[]
  /** The full text of these events, compressed. */
  frames: Frame[]
  usages: PricedUsage[]
  /** Hash of a document's whole session: it replaces what was stored. Undefined for a log, which only adds. */
  contentHash?: string
}

/** An event in the form in which it is stored: its row and what people search for. Its text is in the frames. */
export interface PreparedEvent extends EventRow {
  texts: SearchText[]
  isToolError: boolean
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
}

export async function prepare(parts: readonly Part[], { redact, priceOf, isIgnored }: Tools): Promise<Prepared> {
  const kept: { part: Part; native: string; gathered: Gathered; contentHash?: string }[] = []
  for (const part of parts) {
    const { path, shape } = part.one.transcript
    for (const [native, gathered] of part.load.sessions) {
      if (isIgnored(path, gathered.about.cwd)) part.cursor.isIgnored = shape === 'log'
      else kept.push({ part, native, gathered, ...(shape === 'document' ? { contentHash: hashOf(gathered) } : {}) })
    }
  }
  const redactions = crossBorder(
    kept.map(({ gathered }) => gathered),
    redact,
  )
  return {
    redactions,
    writes: await Promise.all(
      kept.map(async ({ part, native, gathered, contentHash }) => ({
        agent: part.one.agent.id,
        native,
        about: gathered.about,
        events: gathered.events.map((event) => prepareEvent(part.one.agent.id, event)),
        usages: [...gathered.usages.values()].map((usage) => ({ ...usage, price: priceOf(usage) })),
        frames: await packLines(gathered.events.map(bodyLine)),
        ...(contentHash === undefined ? {} : { contentHash }),
      })),
    ),
    ends: parts.map(({ one, load, cursor, from }) => ({
      agent: one.agent.id,
      cursor,
      from,
      bad: load.bad,
      unknown: [...load.unknown],
    })),
  }
}

function prepareEvent(agent: string, event: Event): PreparedEvent {
  return {
    kind: event.kind,
    tsMs: event.ts === null ? null : Date.parse(event.ts),
    key: hashKey(agent, event.key),
    texts: searchTexts(event),
    isToolError: event.error !== undefined && (event.kind === 'tool_result' || event.kind === 'test_run'),
  }
}

export type IsIgnored = (path: string, cwd: string | undefined) => boolean

/** A log names its folder once: what follows in the same file is ignored with it. */
export function ignoring({ config, machine }: Pick<Sources, 'config' | 'machine'>): IsIgnored {
  const patterns = ignoredFolders(config, machine)
  const logs = new Set<string>()
  return (path, cwd) => {
    if (logs.has(path)) return true
    if (cwd === undefined || !patterns.some((pattern) => matchesGlob(cwd, pattern))) return false
    if (path.endsWith('.jsonl')) logs.add(path)
    return true
  }
}

function hashOf({ about, events, usages }: Gathered): string {
  const content = JSON.stringify([about, events, [...usages.values()]])
  return createHash('sha1').update(content).digest('base64url')
}
