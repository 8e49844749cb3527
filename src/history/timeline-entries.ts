// One kind of thing after the other, as lines of a timeline.
import { isoTime } from '../core/clock.ts'
import { commandOf, pathsOf } from '../core/commands.ts'
import { readDigest } from '../digest/digest.ts'
import { attributionText } from '../memory/attribution.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/sessions.ts'
import {
  type CommitMoment,
  commitsInWindow,
  eventTimeAt,
  journalDaysBetween,
  type MemoryMoment,
  memoryChanges,
  memoryMoments,
  sessionsInWindow,
  type TimelineSession,
  type TimeWindow,
} from '../store/sessions/timeline.ts'
import { oneLine, truncate } from '../text/truncate.ts'
import type { Anchor, AnchorContext } from './timeline-anchor.ts'

export interface Happening {
  at: string
  kind: 'session' | 'turning point' | 'event' | 'memory' | 'journal' | 'commit'
  /** `began`, `ended: success`, `correction`, `said`, `superseded` … */
  what: string
  /** For `recollect show`, or the day for `recollect journal`. */
  id: string
  agent: string | null
  project: string | null
  text: string
  isAnchor: boolean
}

/** Each tells of one kind of thing in the window. */
export const sources = [sessions, memories, changes, commits, journal]

/** What was asked for is told whether or not it lies in the window. */
export function anchored(context: AnchorContext, anchor: Anchor): Happening[] {
  switch (anchor.kind) {
    case 'session': {
      const { session } = anchor
      return [sessionHappening({ ...session, uid: session.id, text: session.title }, 'began', session.started!, true)]
    }
    case 'event':
      return [eventHappening(context, anchor)]
    case 'memory':
      return momentsOf(anchor.memory).map((moment) => memoryHappening(moment, true))
    case 'commit':
      return [commitHappening(anchor.commit, true)]
    case 'time':
      return []
    default:
      return anchor satisfies never
  }
}

function eventHappening({ ledger }: AnchorContext, anchor: Extract<Anchor, { kind: 'event' }>): Happening {
  const { session, seq, fromMs } = anchor
  const event = eventAt(ledger, session.id, seq)
  const [what, text] = event ? wordsOf(event) : ['', 'its text is no longer there']
  const { agent, project } = session
  const about = { at: isoTime(fromMs), id: `${session.id}#${seq}`, agent, project }
  return { ...about, kind: 'event', what, text: truncate(oneLine(text), longestLine), isAnchor: true }
}

/** Whose word it is follows from the kind: machine text has the user's role as well. */
function wordsOf({ kind, text, tool, input, files }: StoredEvent): [what: string, text: string] {
  switch (kind) {
    case 'prompt':
    case 'command':
    case 'shell':
      return ['you said', text]
    case 'reply':
    case 'thinking':
      return ['agent said', text]
    case 'tool_call':
      return ['agent ran', `${tool ?? ''} ${commandOf(input) || pathsOf(input).join(' ')}`]
    case 'tool_result':
    case 'test_run':
      return ['tool printed', text]
    case 'edit':
      return ['edited', (files ?? []).map(({ path }) => path).join(' ')]
    case 'interrupt':
      return ['you stopped the agent', text]
    case 'error':
    case 'compaction':
    case 'context':
    case 'lifecycle':
      return [kind, text]
    default:
      return kind satisfies never
  }
}

function eventAt(ledger: Ledger, uid: string, seq: number): StoredEvent | undefined {
  const body = bodyOfSession(ledger, uid)
  if (!body) return undefined
  try {
    for (const event of readBody(ledger.layout.bodies, body.file, body.bytes, seq))
      return event.seq === seq ? event : undefined
  } catch {
    return undefined // gone or damaged: the time of it is known
  }
  return undefined
}

function sessions({ ledger }: AnchorContext, window: TimeWindow): Happening[] {
  return sessionsInWindow(ledger, window).flatMap((session) => {
    const { uid, title, started, ended, outcome, quality } = session
    const about = { ...session, text: title }
    const how = quality === 'good' && outcome ? `ended: ${outcome}` : 'ended'
    const points = pointsOf(ledger, session).filter(({ at }) => isIn(at, window))
    const edges = [
      sessionHappening(about, 'began', started, false),
      sessionHappening({ ...about, uid }, how, ended, false),
    ]
    const inside = edges.filter(({ at }) => isIn(at, window))
    // One that was going on all the while is told of by its beginning.
    return [...(inside.length + points.length > 0 ? inside : [edges[0]!]), ...points]
  })
}

interface SessionAbout {
  uid: string
  agent: string
  project: string | null
  text: string | null
}

function sessionHappening(
  { uid, agent, project, text }: SessionAbout,
  what: string,
  at: string,
  isAnchor: boolean,
): Happening {
  return {
    at,
    kind: 'session',
    what,
    id: uid,
    agent,
    project,
    text: truncate(oneLine(text ?? ''), longestLine),
    isAnchor,
  }
}

function pointsOf(ledger: Ledger, { uid, agent, project, started }: TimelineSession): Happening[] {
  const points = readDigest(ledger, uid)?.turningPoints ?? []
  return points.map(({ seq, kind, text }) => {
    const about = { at: eventTimeAt(ledger, uid, seq) ?? started, id: `${uid}#${seq}`, agent, project }
    return { ...about, kind: 'turning point', what: kind, text: truncate(oneLine(text), longestLine), isAnchor: false }
  })
}

function memories({ ledger }: AnchorContext, window: TimeWindow): Happening[] {
  return memoryMoments(ledger, window).map((moment) => memoryHappening(moment, false))
}

function momentsOf(memory: Memory): MemoryMoment[] {
  const { validFrom, confirmedAt, supersededAt } = memory
  return [
    { ...memory, what: 'said' as const, at: validFrom },
    ...(confirmedAt === validFrom ? [] : [{ ...memory, what: 'said again' as const, at: confirmedAt }]),
    ...(supersededAt === null ? [] : [{ ...memory, what: 'superseded' as const, at: supersededAt }]),
  ]
}

/** Whose word it is stands with it: `agent said` is not `user said`. */
function memoryHappening(
  { at, what, id, project, kind, text, supersededBy, ...told }: MemoryMoment,
  isAnchor: boolean,
): Happening {
  const how =
    what === 'superseded'
      ? `superseded by ${supersededBy}`
      : what === 'said'
        ? attributionText(told)
        : `${attributionText(told)}, again`
  const about = { at, kind: 'memory' as const, what: how, id, agent: null, project }
  return { ...about, text: `${kind}: ${truncate(oneLine(text), longestLine)}`, isAnchor }
}

function changes({ ledger }: AnchorContext, window: TimeWindow): Happening[] {
  return memoryChanges(ledger, window).map(({ at, change, id, project, state, text }) => ({
    at,
    kind: 'memory' as const,
    what: change,
    id,
    agent: null,
    project,
    text: state === 'forgotten' ? '' : truncate(oneLine(text), longestLine),
    isAnchor: false,
  }))
}

function commits({ ledger }: AnchorContext, window: TimeWindow): Happening[] {
  return commitsInWindow(ledger, window).map((commit) => commitHappening(commit, false))
}

function commitHappening({ hash, at, project, message }: CommitMoment, isAnchor: boolean): Happening {
  return {
    at,
    kind: 'commit',
    what: '',
    id: hash,
    agent: null,
    project,
    text: truncate(oneLine(message.split('\n')[0]!), longestLine),
    isAnchor,
  }
}

/** A day stands before what happened in it. */
function journal({ ledger, zone }: AnchorContext, { fromMs, toMs, project }: TimeWindow): Happening[] {
  return journalDaysBetween(ledger, zone.day(isoTime(fromMs)), zone.day(isoTime(toMs)), project).map(
    ({ day, entries }) => ({
      at: isoTime(zone.startOfDay(day)),
      kind: 'journal',
      what: '',
      id: day,
      agent: null,
      project: null,
      text: entries === 1 ? '1 entry' : `${entries} entries`,
      isAnchor: false,
    }),
  )
}

function isIn(at: string, { fromMs, toMs }: TimeWindow): boolean {
  const ms = Date.parse(at)
  return ms >= fromMs && ms <= toMs
}

const longestLine = 300
