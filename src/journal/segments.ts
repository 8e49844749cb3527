// Splits a session into the days on which it was active: each day has an entry of its own, in the
// journal file of that day.
import { isoTime } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  activeSpan,
  activeTimes,
  type EventTime,
  type JournalSession,
  type Spend,
  type SpendQuarter,
  spendOfSession,
} from '../store/wiki/journal.ts'

/** The part of a session on one day. */
export interface DaySegment {
  day: string
  /** Places of its events; `toSeq` is behind the last one. */
  fromSeq: number
  toSeq: number
  /** Times of its first and last event, null without dated events. */
  startMs: number | null
  endMs: number | null
  spend: Spend
  /** The days of the session before and after this one; null if there is none. */
  previousDay: string | null
  nextDay: string | null
}

/** Empty for a session without any date. */
export function segmentsOf(ledger: Ledger, session: JournalSession, dayAt: DayFinder): DaySegment[] {
  const segments = singleDay(ledger, session, dayAt) ?? splitByDay(activeTimes(ledger, session.id), session, dayAt)
  // One that has only usage is active when something was spent.
  if (segments.length === 0 && session.events > 0) segments.push(...undatedSegment(session, dayAt))
  addSpend(segments, spendOfSession(ledger, session.id), dayAt)
  if (segments.length === 0) segments.push(...undatedSegment(session, dayAt))
  return segments.map((segment, at) => ({
    ...segment,
    fromSeq: at === 0 ? 0 : Math.min(segment.fromSeq, session.events),
    toSeq: Math.min(segments[at + 1]?.fromSeq ?? session.events, session.events),
    previousDay: segments[at - 1]?.day ?? null,
    nextDay: segments[at + 1]?.day ?? null,
  }))
}

/** Those with new events, the one before them, which now says that the session went on, and the last. */
export function segmentsToWrite(segments: readonly DaySegment[], journaledThrough: number): DaySegment[] {
  if (journaledThrough === 0) return [...segments]
  const changed = segments.findIndex(({ toSeq }) => toSeq > journaledThrough)
  return segments.slice(Math.max(0, (changed < 0 ? segments.length : changed) - 1))
}

/** What `splitByDay` returns for a session of one day, without reading its events; else undefined. */
function singleDay(ledger: Ledger, session: JournalSession, dayAt: DayFinder): DaySegment[] | undefined {
  if (session.entries.some(({ through }) => through !== null)) return undefined
  const span = activeSpan(ledger, session.id)
  if (!span) return []
  const day = dayAt(span.fromMs)
  if (day !== dayAt(span.toMs)) return undefined
  return [{ ...newSegment(day, span.first.seq, span.first.ms), endMs: span.toMs }]
}

/**
 * Days only move forward: an event that is dated earlier than the one before it stays with it. What
 * was told once keeps its day, even if the time zone changes later.
 */
function splitByDay(events: Iterable<EventTime>, session: JournalSession, dayAt: DayFinder): DaySegment[] {
  const known = session.entries.filter(({ through }) => through !== null)
  const segments: DaySegment[] = []
  for (const { seq, ms } of events) {
    const day = known.find(({ through }) => seq < through!)?.day ?? dayAt(ms)
    const open = segments.at(-1)
    if (open && day <= open.day) open.endMs = Math.max(open.endMs!, ms)
    else segments.push(newSegment(day, seq, ms))
  }
  return segments
}

/** None without any date: the day on which a session was captured says nothing about it. */
function undatedSegment({ entries, started }: JournalSession, dayAt: DayFinder): DaySegment[] {
  const day = entries[0]?.day ?? (started ? dayAt(Date.parse(started)) : undefined)
  return day === undefined ? [] : [newSegment(day, 0, started ? Date.parse(started) : null)]
}

function newSegment(day: string, fromSeq: number, ms: number | null): DaySegment {
  const spend = { costUsd: 0, responses: 0, unpriced: 0 }
  return { day, fromSeq, toSeq: fromSeq, startMs: ms, endMs: ms, spend, previousDay: null, nextDay: null }
}

const quarterMs = 900_000

/** Subagents may go on while the session itself has no events: such a day has a segment without events. */
function addSpend(segments: DaySegment[], quarters: readonly SpendQuarter[], dayAt: DayFinder): void {
  for (const { quarter, ...spend } of quarters) {
    const ms = quarter === null ? null : quarter * quarterMs
    let segment = segmentAt(segments, ms)
    const isLater = segment && ms !== null && dayAt(ms) > segment.day && ms > (segment.endMs ?? ms)
    if (!segment || isLater) {
      if (ms === null) continue
      const place = segment ? segments.indexOf(segment) + 1 : 0
      segment = newSegment(dayAt(ms), segments[place]?.fromSeq ?? Number.MAX_SAFE_INTEGER, ms)
      segments.splice(place, 0, segment)
    }
    segment.spend.costUsd += spend.costUsd
    segment.spend.responses += spend.responses
    segment.spend.unpriced += spend.unpriced
  }
}

/** The last one that began by the end of this quarter of an hour. */
function segmentAt(segments: readonly DaySegment[], ms: number | null): DaySegment | undefined {
  if (ms === null) return segments.at(-1)
  return segments.findLast(({ startMs }) => (startMs ?? 0) < ms + quarterMs) ?? segments[0]
}

/** The day of a time in milliseconds. */
export type DayFinder = (ms: number) => string

/** Formatting every time would be slow, so the limits of days are remembered. */
export function dayFinder(zone: Zone): DayFinder {
  const known = new Map<number, { day: string; from: number; to: number }[]>()
  return (ms) => {
    const key = Math.floor(ms / dayMs)
    const ranges = known.get(key) ?? []
    const found = ranges.find(({ from, to }) => ms >= from && ms < to)
    if (found) return found.day
    const day = zone.day(isoTime(ms))
    const from = zone.startOfDay(day)
    // Days are 23 to 25 hours long.
    const to = zone.startOfDay(zone.day(isoTime(from + 26 * 3_600_000)))
    known.set(key, [...ranges, { day, from, to }])
    return day
  }
}

const dayMs = 86_400_000
