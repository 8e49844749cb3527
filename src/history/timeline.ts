// What happened around something, in order of time: sessions and their turning points, memories, commits, days of the journal. One
// line each, with the id for the next step.
import { isoTime } from '../core/clock.ts'
import type { TimeWindow } from '../store/sessions/timeline.ts'
import { type Anchor, type AnchorContext, anchorOf } from './timeline-anchor.ts'
import { anchored, type Happening, sources } from './timeline-entries.ts'

export interface TimelineOptions {
  /** How far around it is looked; around a day only if that was asked for. */
  aroundMs: number
  isWide: boolean
  sinceMs?: number | undefined
  limit: number
}

export interface Timeline {
  from: string
  to: string
  project: string | null
  happenings: Happening[]
  /** More was there: the nearest are told. */
  left: number
}

export function timeline(context: AnchorContext, asked: string, options: TimelineOptions): Timeline {
  const anchor = anchorOf(context, asked)
  const window = windowOf(context, anchor, asked === '', options)
  const all = distinct([...anchored(context, anchor), ...sources.flatMap((source) => source(context, window))])
  const told = nearest(all, window, anchor, options.limit).sort(inOrder)
  const { fromMs, toMs, project } = window
  return { from: isoTime(fromMs), to: isoTime(toMs), project, happenings: told, left: all.length - told.length }
}

/** Of each kind as many as are told in all: the nearest may be of one kind. */
function windowOf(context: AnchorContext, anchor: Anchor, isLatest: boolean, options: TimelineOptions): TimeWindow {
  const { aroundMs, isWide, sinceMs, limit } = options
  const isDay = anchor.kind === 'time' && anchor.toMs > anchor.fromMs
  const wide = isDay && !isWide ? 0 : aroundMs
  const fromMs =
    sinceMs === undefined ? anchor.fromMs - wide : isLatest ? sinceMs : Math.max(sinceMs, anchor.fromMs - wide)
  const nearMs = anchor.kind === 'time' && !isDay ? anchor.toMs : (anchor.fromMs + anchor.toMs) / 2
  return {
    fromMs,
    toMs: anchor.toMs + wide,
    centreMs: nearMs,
    project: context.project ?? projectOf(anchor),
    limit: limit + 1,
  }
}

/** What happened elsewhere at the same time is rarely what was asked for. */
function projectOf(anchor: Anchor): string | null {
  switch (anchor.kind) {
    case 'session':
    case 'event':
      return anchor.session.project
    case 'memory':
      return anchor.memory.project
    case 'commit':
      return anchor.commit.project
    case 'time':
      return null
    default:
      return anchor satisfies never
  }
}

/** The anchor comes first, and wins over the same thing found in the window. */
function distinct(all: Happening[]): Happening[] {
  const known = new Map<string, Happening>()
  for (const one of all) {
    const isTold = one.kind === 'turning point' && known.has(`event ${one.id}`)
    const key = one.kind === 'event' ? `event ${one.id}` : `${one.kind} ${one.id} ${Date.parse(one.at)} ${one.what}`
    if (!isTold && !known.has(key)) known.set(key, one)
  }
  return [...known.values()]
}

function nearest(
  all: Happening[],
  { centreMs: nearMs }: TimeWindow,
  { fromMs, toMs }: Anchor,
  limit: number,
): Happening[] {
  const distance = ({ at, isAnchor }: Happening) => {
    const ms = Date.parse(at)
    if (isAnchor) return -1
    return ms >= fromMs && ms <= toMs ? 0 : Math.abs(ms - nearMs)
  }
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, limit)
}

/** What happened in the moment in which a session ended was before its end. */
function inOrder(a: Happening, b: Happening): number {
  const isEnd = ({ kind, what }: Happening) => (kind === 'session' && what.startsWith('ended') ? 1 : 0)
  return Date.parse(a.at) - Date.parse(b.at) || isEnd(a) - isEnd(b)
}
