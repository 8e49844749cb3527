// What one transcript handed over, before it is written: sessions with their events, in memory and not yet redacted.
import type { ReaderOutput } from '../agents/agent.ts'
import { stripInjected } from '../core/injected-text.ts'
import type { Event, SessionDetails, Usage } from '../core/session.ts'

/** How much text a part holds; large enough for whole frames of a body, small enough for little memory. */
export const partSize = 3_000_000

export interface Gathered {
  about: SessionDetails
  events: Event[]
  usages: Map<string, Usage>
}

/** What was gathered since the last time it was taken away. */
export interface Load {
  sessions: Map<string, Gathered>
  bad: { offset: number; reason: string }[]
  unknown: Map<string, number>
  /** Characters held. */
  size: number
}

export interface Gathering {
  out: ReaderOutput
  /** So that a large file is written in parts. */
  size(): number
  /** Whether the reader was told that it is enough for now. */
  wasFull(): boolean
  take(): Load
}

export function gather(): Gathering {
  let load = emptyLoad()
  let wasFull = false
  const session = (native: string): Gathered => {
    let gathered = load.sessions.get(native)
    if (!gathered) {
      gathered = { about: {}, events: [], usages: new Map() }
      load.sessions.set(native, gathered)
    }
    return gathered
  }
  const out: ReaderOutput = {
    session: (native) => ({
      about: (fields) => merge(session(native).about, fields),
      event(event) {
        event.text = stripInjected(event.text)
        session(native).events.push(event)
        load.size += event.text.length + (event.input === undefined ? 0 : sizeOf(event.input)) + 200
      },
      usage(usage) {
        if (!isSound(usage)) return
        const { usages } = session(native)
        const known = usages.get(usage.key)
        if (!known || usage.output >= known.output) usages.set(usage.key, usage)
      },
    }),
    isFull() {
      if (load.size > partSize) wasFull = true
      return load.size > partSize
    },
    problem: (offset, reason) => load.bad.push({ offset, reason }),
    unknownType: (type) => load.unknown.set(type, (load.unknown.get(type) ?? 0) + 1),
  }
  return {
    out,
    size: () => load.size,
    wasFull: () => wasFull,
    take() {
      const taken = load
      load = emptyLoad()
      wasFull = false
      return taken
    },
  }
}

function emptyLoad(): Load {
  return { sessions: new Map(), bad: [], unknown: new Map(), size: 0 }
}

/** Later values win; a title only over one of its own rank or less. */
export function merge(about: SessionDetails, fields: SessionDetails): void {
  const { title, titleRank, started, ended, ...rest } = fields
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) Object.assign(about, { [name]: value })
  if (started !== undefined && (about.started === undefined || started < about.started)) about.started = started
  if (ended !== undefined && (about.ended === undefined || ended > about.ended)) about.ended = ended
  if (title !== undefined && (titleRank ?? 0) >= (about.titleRank ?? 0)) {
    about.title = title
    about.titleRank = titleRank ?? 0
  }
}

/** More tokens than this are damage, not use: SQLite could not even add them up. */
const maxTokens = 1e12

function isSound({ input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning }: Usage): boolean {
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
