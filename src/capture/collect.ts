// Collects what a reader hands over, in memory and not yet redacted: sessions with their events and
// usage.
import type { ReaderOutput, SessionOutput } from '../agents/agent.ts'
import { isHandedOverText } from '../core/conversation/handed-over.ts'
import { stripInjected } from '../core/injected-text.ts'
import { type Event, nativeId, type SessionDetails, type Usage, type UsageLimit } from '../core/session.ts'
import { newestLimits } from '../core/usage/rate-limits.ts'

/** Characters in a part: enough for whole frames of a body, little enough to keep memory small. */
export const partSize = 3_000_000

export interface CollectedSession {
  about: SessionDetails
  events: Event[]
  usages: Map<string, Usage>
}

export interface CollectedData {
  sessions: Map<string, CollectedSession>
  problems: { offset: number; reason: string }[]
  unknownTypes: Map<string, number>
  /** The latest ones. */
  rateLimits: readonly UsageLimit[]
  /** In characters. */
  size: number
  /** The lines of a log, to restore it. */
  copy?: CollectedCopy
}

/** An event that a line has added to a session. */
export interface LineEvent {
  session: string
  /** Its place among the events of the session in this part. */
  index: number
  event: Event
}

/** The lines of a part. Not redacted yet. */
export interface CollectedCopy {
  /** The session whose events they refer to; undefined if there is none. */
  session: string | undefined
  from: number
  lines: CopyLine[]
}

export interface CopyLine {
  /** Undefined if it was too long to be read. */
  text: string | undefined
  /** Only if it is not UTF-8. */
  bytes?: Buffer
  /** In the file, without the line break. */
  length: number
  /** Whether a line break follows. */
  isWhole: boolean
  /** Whether all of it is JSON. */
  isParsed: boolean
  /** Its events, which are those that the lines refer to. */
  events: LineEvent[]
}

export interface Collector {
  out: ReaderOutput
  /** Characters collected so far; a large file is written in parts. */
  size(): number
  /** Returns the events that were collected since the last call. */
  takeEvents(): LineEvent[]
  /** Whether `isFull()` has returned true to a reader since the last `take()`. */
  wasFull(): boolean
  /** Returns everything collected since the last call. */
  take(): CollectedData
}

export interface CollectorOptions {
  /** Keep an event that the transcript repeats once. */
  isDistinct?: boolean
  /** Characters after which a document may stop. */
  fullSize?: number
}

export function createCollector({ isDistinct = false, fullSize = partSize }: CollectorOptions = {}): Collector {
  let load = emptyData()
  let wasFull = false
  let latest: LineEvent[] = []
  /** The same key again is the same event. By session and key. */
  let keys = new Map<string, Map<string, LineEvent>>()
  const knownEvents = (native: string) => {
    const known = keys.get(native) ?? new Map<string, LineEvent>()
    keys.set(native, known)
    return known
  }
  const session = (native: string): CollectedSession => {
    let gathered = load.sessions.get(native)
    if (!gathered) {
      gathered = { about: {}, events: [], usages: new Map() }
      load.sessions.set(native, gathered)
    }
    return gathered
  }
  const outputOf = (native: string): SessionOutput => ({
    about(fields) {
      const parent = fields.parent === undefined ? {} : { parent: nativeId(fields.parent) }
      mergeDetails(session(native).about, { ...fields, ...parent })
    },
    event(event) {
      event.text = stripInjected(event.text)
      if (event.kind === 'prompt' && isHandedOverText(event.text)) event.kind = 'context'
      const { events } = session(native)
      const known = isDistinct ? knownEvents(native) : undefined
      const before = known?.get(event.key)
      if (before) {
        // Its line refers to the event that is kept.
        latest.push(before)
        return
      }
      const added = { session: native, index: events.length, event }
      known?.set(event.key, added)
      latest.push(added)
      events.push(event)
      load.size += event.text.length + (event.input === undefined ? 0 : sizeOf(event.input)) + 200
    },
    usage(usage) {
      if (!isPlausible(usage)) return
      const { usages } = session(native)
      const known = usages.get(usage.key)
      if (!known || usage.output >= known.output) usages.set(usage.key, usage)
    },
  })
  const out: ReaderOutput = {
    session: (named) => outputOf(nativeId(named)),
    isFull() {
      if (load.size > fullSize) wasFull = true
      return load.size > fullSize
    },
    problem: (offset, reason) => load.problems.push({ offset, reason }),
    unknownType: (type) => load.unknownTypes.set(type, (load.unknownTypes.get(type) ?? 0) + 1),
    rateLimits(limits) {
      if (limits.length > 0) load.rateLimits = newestLimits([...load.rateLimits, ...limits])
    },
  }
  return {
    out,
    size: () => load.size,
    takeEvents() {
      const taken = latest
      latest = []
      return taken
    },
    wasFull: () => wasFull,
    take() {
      const taken = load
      load = emptyData()
      keys = new Map()
      wasFull = false
      return taken
    },
  }
}

function emptyData(): CollectedData {
  return { sessions: new Map(), problems: [], unknownTypes: new Map(), rateLimits: [], size: 0 }
}

/** Later values win; a title wins only over one of its own rank or less. */
function mergeDetails(about: SessionDetails, fields: SessionDetails): void {
  const { title, titleRank, started, ended, ...rest } = fields
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) Object.assign(about, { [name]: value })
  if (started !== undefined && (about.started === undefined || started < about.started)) about.started = started
  if (ended !== undefined && (about.ended === undefined || ended > about.ended)) about.ended = ended
  if (title !== undefined && (titleRank ?? 0) >= (about.titleRank ?? 0)) {
    about.title = title
    about.titleRank = titleRank ?? 0
  }
}

/** Larger counts are corrupt data, and their sum would overflow SQLite's integers. */
const maxTokens = 1e12

function isPlausible({ input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }: Usage): boolean {
  return [input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning].every(
    (tokens) => Number.isInteger(tokens) && tokens >= 0 && tokens <= maxTokens,
  )
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 0
  for (const item of Object.values(value)) size += sizeOf(item)
  return size
}
