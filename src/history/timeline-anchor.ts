// Resolves the argument of `recollect timeline`: a session, an event, a memory, a commit, a day, or
// a search query.

import { type Clock, isoTime } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import { ownCommand } from '../core/shell/command-line.ts'
import type { Zone } from '../core/units.ts'
import { memoryNamed } from '../learn/change.ts'
import type { Memory } from '../memory/memory.ts'
import { isEmptyQuery, parseQuery } from '../search/query.ts'
import { search } from '../search/search.ts'
import type { Ledger } from '../store/ledger.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'
import { type CommitMoment, commitsByHash, eventTimeAt, lastActivityMs } from '../store/sessions/timeline.ts'

export interface AnchorContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  project: string | null
}

export interface AnchorRange {
  fromMs: number
  toMs: number
}

export type Anchor = AnchorRange &
  (
    | { kind: 'session'; session: SessionView }
    | { kind: 'event'; session: SessionView; seq: number }
    | { kind: 'memory'; memory: Memory }
    | { kind: 'commit'; commit: CommitMoment }
    | { kind: 'time' }
  )

/** An empty argument means the last activity. */
export function findAnchor(context: AnchorContext, asked: string): Anchor {
  const { ledger, clock, project } = context
  if (asked === '') return timeAnchor(lastActivityMs(ledger, project) ?? clock.nowMs())
  const found = dayAnchor(context, asked) ?? namedAnchor(ledger, asked) ?? searchAnchor(context, asked)
  if (found) return found
  throw new UserError(`Nothing found for "${asked}"`, 'Give the id of a session or memory, a day, or other words.', 1)
}

function timeAnchor(ms: number): Anchor {
  return { kind: 'time', fromMs: ms, toMs: ms }
}

function dayAnchor({ clock, zone }: AnchorContext, asked: string): Anchor | undefined {
  const nowMs = clock.nowMs()
  const named = { today: nowMs, yesterday: nowMs - 86_400_000 }[asked]
  const day = named === undefined ? asked : zone.day(isoTime(named))
  if (/^\d{4}-\d\d-\d\d$/.test(day)) {
    const fromMs = zone.startOfDay(day)
    if (Number.isNaN(fromMs))
      throw new UserError(`Not a date: "${asked}"`, 'For example: recollect timeline 2026-09-01')
    // A day may have 23 or 25 hours: 36 hours later is always the next day.
    const toMs = zone.startOfDay(zone.day(isoTime(fromMs + 36 * 3_600_000))) - 1
    return { kind: 'time', fromMs, toMs }
  }
  const minute = /^(\d{4}-\d\d-\d\d)[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.exec(asked)
  if (!minute) return undefined
  const [, date, hours, minutes, offset] = minute
  const ms = offset ? Date.parse(asked) : zone.startOfDay(date!) + Number(hours) * 3_600_000 + Number(minutes) * 60_000
  return Number.isNaN(ms) ? undefined : timeAnchor(ms)
}

/** Ids contain a digit, a colon or a hash sign; other words are searched for. */
function namedAnchor(ledger: Ledger, asked: string): Anchor | undefined {
  if (/^m-\w+$/.test(asked)) return memoryAnchor(memoryNamed(ledger, asked))
  if (!/^\S*[\d:#]\S*$/.test(asked)) return undefined
  return sessionAnchor(ledger, asked) ?? commitAnchor(ledger, asked)
}

function sessionAnchor(ledger: Ledger, asked: string): Anchor | undefined {
  const [, id, place] = /^(.+?)(?:#(\d+))?$/s.exec(asked)!
  const found = findSessions(ledger, id!)
  if (found.length > 1)
    throw new UserError(
      `"${id}" matches ${found.length} sessions`,
      `Choose one: ${found.map((one) => one.id).join(', ')}`,
    )
  const [session] = found
  if (!session) return undefined
  return place === undefined ? wholeSession(session) : eventAnchor(ledger, session, Number(place))
}

function wholeSession(session: SessionView): Anchor {
  const { id, started, ended } = session
  if (started === null || ended === null)
    throw new UserError(`The time of ${id} is not known`, `See: ${ownCommand('show', id)}`, 1)
  return { kind: 'session', session, fromMs: Date.parse(started), toMs: Date.parse(ended) }
}

function eventAnchor(ledger: Ledger, session: SessionView, seq: number): Anchor {
  if (seq >= session.counts.events)
    throw new UserError(`${session.id} has no event ${seq}`, `Its last one is ${session.counts.events - 1}.`, 1)
  const ms = Date.parse(eventTimeAt(ledger, session.id, seq) ?? session.started ?? '')
  if (Number.isNaN(ms)) return wholeSession(session)
  return { kind: 'event', session, seq, fromMs: ms, toMs: ms }
}

function memoryAnchor(memory: Memory): Anchor {
  const ms = Date.parse(memory.validFrom)
  return { kind: 'memory', memory, fromMs: ms, toMs: ms }
}

function commitAnchor(ledger: Ledger, asked: string): Anchor | undefined {
  if (!/^[0-9a-f]{7,64}$/i.test(asked)) return undefined
  const [commit, ...others] = commitsByHash(ledger, asked)
  if (!commit) return undefined
  if (others.some(({ hash }) => hash !== commit.hash))
    throw new UserError(`"${asked}" matches more than one commit`, 'Give more of its hash.')
  return { kind: 'commit', commit, fromMs: Date.parse(commit.at), toMs: Date.parse(commit.at) }
}

/** The best result of a search. */
function searchAnchor({ ledger, clock, project }: AnchorContext, words: string): Anchor | undefined {
  const query = parseQuery(words)
  if (isEmptyQuery(query)) return undefined
  const { results } = search(ledger, query, { limit: 1, nowMs: clock.nowMs(), project: project ?? undefined })
  const [hit] = results
  return hit && namedAnchor(ledger, hit.id)
}
