// Creates the entries of a timeline, one function per kind.
import { isoTime } from '../core/clock.ts'
import { commandOf, pathsOf } from '../core/commands.ts'
import { readDigest } from '../digest/digest.ts'
import { attributionText } from '../memory/attribution.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
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

export interface TimelineEntry {
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

/** Each returns the entries of one kind in the window. */
export const entrySources = [sessionEntries, memoryEntries, changeEntries, commitEntries, journalEntries]

/** Entries of the anchor itself, also outside of the window. */
export function anchorEntries(context: AnchorContext, anchor: Anchor): TimelineEntry[] {
  switch (anchor.kind) {
    case 'session': {
      const { session } = anchor
      return [sessionEntry({ ...session, uid: session.id, text: session.title }, 'began', session.started!, true)]
    }
    case 'event':
      return [eventEntry(context, anchor)]
    case 'memory':
      return memoryMomentsOf(anchor.memory).map((moment) => memoryEntry(moment, true))
    case 'commit':
      return [commitEntry(anchor.commit, true)]
    case 'time':
      return []
    default:
      return anchor satisfies never
  }
}

function eventEntry({ ledger }: AnchorContext, anchor: Extract<Anchor, { kind: 'event' }>): TimelineEntry {
  const { session, seq, fromMs } = anchor
  const event = eventAt(ledger, session.id, seq)
  const [what, text] = event ? eventText(event) : ['', 'its text was deleted']
  const { agent, project } = session
  const about = { at: isoTime(fromMs), id: `${session.id}#${seq}`, agent, project }
  return { ...about, kind: 'event', what, text: truncate(oneLine(text), maxLineLength), isAnchor: true }
}

/** The speaker follows from the kind, because machine text also has the role `user`. */
function eventText({ kind, text, tool, input, files }: StoredEvent): [what: string, text: string] {
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
    return undefined // deleted or damaged: only its time is known
  }
  return undefined
}

function sessionEntries({ ledger }: AnchorContext, window: TimeWindow): TimelineEntry[] {
  return sessionsInWindow(ledger, window).flatMap((session) => {
    const { uid, title, started, ended, outcome, kind } = session
    const about = { ...session, text: title }
    const how = kind === 'work' && outcome ? `ended: ${outcome}` : 'ended'
    const points = turningPointEntries(ledger, session).filter(({ at }) => isIn(at, window))
    const edges = [sessionEntry(about, 'began', started, false), sessionEntry({ ...about, uid }, how, ended, false)]
    const inside = edges.filter(({ at }) => isIn(at, window))
    // A session that spans the whole window is shown by its start.
    return [...(inside.length + points.length > 0 ? inside : [edges[0]!]), ...points]
  })
}

interface SessionAbout {
  uid: string
  agent: string
  project: string | null
  text: string | null
}

function sessionEntry(
  { uid, agent, project, text }: SessionAbout,
  what: string,
  at: string,
  isAnchor: boolean,
): TimelineEntry {
  return {
    at,
    kind: 'session',
    what,
    id: uid,
    agent,
    project,
    text: truncate(oneLine(text ?? ''), maxLineLength),
    isAnchor,
  }
}

function turningPointEntries(ledger: Ledger, { uid, agent, project, started }: TimelineSession): TimelineEntry[] {
  const points = readDigest(ledger, uid)?.turningPoints ?? []
  return points.map(({ seq, kind, text }) => {
    const about = { at: eventTimeAt(ledger, uid, seq) ?? started, id: `${uid}#${seq}`, agent, project }
    return {
      ...about,
      kind: 'turning point',
      what: kind,
      text: truncate(oneLine(text), maxLineLength),
      isAnchor: false,
    }
  })
}

function memoryEntries({ ledger }: AnchorContext, window: TimeWindow): TimelineEntry[] {
  return memoryMoments(ledger, window).map((moment) => memoryEntry(moment, false))
}

function memoryMomentsOf(memory: Memory): MemoryMoment[] {
  const { validFrom, confirmedAt, supersededAt } = memory
  return [
    { ...memory, what: 'said' as const, at: validFrom },
    ...(confirmedAt === validFrom ? [] : [{ ...memory, what: 'said again' as const, at: confirmedAt }]),
    ...(supersededAt === null ? [] : [{ ...memory, what: 'superseded' as const, at: supersededAt }]),
  ]
}

/** Shows the attribution: `agent said` is not `user said`. */
function memoryEntry(
  { at, what, id, project, kind, text, supersededBy, ...memory }: MemoryMoment,
  isAnchor: boolean,
): TimelineEntry {
  const how =
    what === 'superseded'
      ? `superseded by ${supersededBy}`
      : what === 'said'
        ? attributionText(memory)
        : `${attributionText(memory)}, again`
  const about = { at, kind: 'memory' as const, what: how, id, agent: null, project }
  return { ...about, text: `${kind}: ${truncate(oneLine(text), maxLineLength)}`, isAnchor }
}

function changeEntries({ ledger }: AnchorContext, window: TimeWindow): TimelineEntry[] {
  return memoryChanges(ledger, window).map(({ at, change, id, project, state, text }) => ({
    at,
    kind: 'memory' as const,
    what: change,
    id,
    agent: null,
    project,
    text: state === 'forgotten' ? '' : truncate(oneLine(text), maxLineLength),
    isAnchor: false,
  }))
}

function commitEntries({ ledger }: AnchorContext, window: TimeWindow): TimelineEntry[] {
  return commitsInWindow(ledger, window).map((commit) => commitEntry(commit, false))
}

function commitEntry({ hash, at, project, message }: CommitMoment, isAnchor: boolean): TimelineEntry {
  return {
    at,
    kind: 'commit',
    what: '',
    id: hash,
    agent: null,
    project,
    text: truncate(oneLine(message.split('\n')[0]!), maxLineLength),
    isAnchor,
  }
}

/** A day sorts before the other entries of that day. */
function journalEntries({ ledger, zone }: AnchorContext, { fromMs, toMs, project }: TimeWindow): TimelineEntry[] {
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

const maxLineLength = 300
