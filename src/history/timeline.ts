// Builds the timeline around an anchor: sessions and their turning points, memories, commits and
// journal days in order of time, one line each, with the id for `recollect show`.
import { isoTime } from '../core/clock.ts'
import type { TimeWindow } from '../store/sessions/timeline.ts'
import { type Anchor, type AnchorContext, findAnchor } from './timeline-anchor.ts'
import { anchorEntries, entrySources, type TimelineEntry } from './timeline-entries.ts'

export interface TimelineOptions {
  /** Time before and after the anchor; around a day only with `isWide`. */
  aroundMs: number
  isWide: boolean
  sinceMs?: number | undefined
  limit: number
}

export interface Timeline {
  from: string
  to: string
  project: string | null
  happenings: TimelineEntry[]
  /** Number of entries left out; the nearest are shown. */
  left: number
}

export function timeline(context: AnchorContext, asked: string, options: TimelineOptions): Timeline {
  const anchor = findAnchor(context, asked)
  const window = windowOf(context, anchor, asked === '', options)
  const all = removeDuplicates([
    ...anchorEntries(context, anchor),
    ...entrySources.flatMap((source) => source(context, window)),
  ])
  const shown = takeNearest(all, window, anchor, options.limit).sort(compareTime)
  const { fromMs, toMs, project } = window
  return { from: isoTime(fromMs), to: isoTime(toMs), project, happenings: shown, left: all.length - shown.length }
}

/** The limit applies to each kind, because the nearest entries may be of one kind. */
function windowOf(context: AnchorContext, anchor: Anchor, isLatest: boolean, options: TimelineOptions): TimeWindow {
  const { aroundMs, isWide, sinceMs, limit } = options
  const isDay = anchor.kind === 'time' && anchor.toMs > anchor.fromMs
  const wide = isDay && !isWide ? 0 : aroundMs
  const fromMs =
    sinceMs === undefined ? anchor.fromMs - wide : isLatest ? sinceMs : Math.max(sinceMs, anchor.fromMs - wide)
  const centreMs = anchor.kind === 'time' && !isDay ? anchor.toMs : (anchor.fromMs + anchor.toMs) / 2
  return {
    fromMs,
    toMs: anchor.toMs + wide,
    centreMs,
    project: context.project ?? projectOf(anchor),
    limit: limit + 1,
  }
}

/** Limits the timeline to the project of the anchor. */
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

/** The anchor comes first and replaces the same entry of the window. */
function removeDuplicates(all: TimelineEntry[]): TimelineEntry[] {
  const known = new Map<string, TimelineEntry>()
  for (const one of all) {
    const isTold = one.kind === 'turning point' && known.has(`event ${one.id}`)
    const key = one.kind === 'event' ? `event ${one.id}` : `${one.kind} ${one.id} ${Date.parse(one.at)} ${one.what}`
    if (!isTold && !known.has(key)) known.set(key, one)
  }
  return [...known.values()]
}

function takeNearest(
  all: TimelineEntry[],
  { centreMs }: TimeWindow,
  { fromMs, toMs }: Anchor,
  limit: number,
): TimelineEntry[] {
  const distance = ({ at, isAnchor }: TimelineEntry) => {
    const ms = Date.parse(at)
    if (isAnchor) return -1
    return ms >= fromMs && ms <= toMs ? 0 : Math.abs(ms - centreMs)
  }
  return all.toSorted((a, b) => distance(a) - distance(b)).slice(0, limit)
}

/** The end of a session sorts after other entries of the same time. */
function compareTime(a: TimelineEntry, b: TimelineEntry): number {
  const isEnd = ({ kind, what }: TimelineEntry) => (kind === 'session' && what.startsWith('ended') ? 1 : 0)
  return Date.parse(a.at) - Date.parse(b.at) || isEnd(a) - isEnd(b)
}
