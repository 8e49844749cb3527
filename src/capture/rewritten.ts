// Keeps what a document no longer tells. Agents rewrite their documents: they cut off messages, clear old
// outputs, or write a shorter copy beside a longer one. What was captured before stays in the session, at
// its place; an event that is told in other words is not kept twice.
import type { Ledger } from '../store/ledger.ts'
import { bodyState, readableEvents } from '../store/sessions/bodies.ts'
import { eventsOf, type PackedEvent, packEvents } from '../store/sessions/body-frames.ts'
import { hashKey, summariseEvent } from '../store/sessions/events.ts'
import type { OpenSession } from '../store/sessions/sessions.ts'
import { type StoredUsage, sessionUsage } from '../store/sessions/usage.ts'
import { eventKeysBetween } from '../store/sync/sent-sessions.ts'
import type { SessionWrite } from './prepare.ts'

/** An event with its key as `hashKey` made it. */
export type ToldEvent = PackedEvent & { key: string }

export interface RewrittenSession {
  /** With the events that the document no longer has. */
  content: Pick<SessionWrite, 'events' | 'frames'>
  /** What responses used of which the document has no record any more. */
  usages: StoredUsage[]
}

/**
 * What the session is to be replaced by. Undefined if the text of events that the document no longer has
 * cannot be read: then nothing may be replaced.
 */
export function rewrittenSession(
  ledger: Ledger,
  session: OpenSession,
  write: SessionWrite,
): RewrittenSession | undefined {
  const keys = eventKeysBetween(ledger, session.id, 0, session.nextSeq)
  const stored = storedEvents(ledger, session, keys)
  const usages = untoldUsages(sessionUsage(ledger, session.id, { from: 0, limit: -1 }), write)
  if (!stored) {
    const known = new Set(write.events.map(({ key }) => key))
    return [...keys.values()].every((key) => known.has(key)) ? { content: write, usages } : undefined
  }
  const told = [...eventsOf(write.frames)].map((event, index) => ({ ...event, key: write.events[index]!.key }))
  const { events, isAsTold } = withUntold(stored, told)
  if (isAsTold) return { content: write, usages }
  const content = {
    events: events.map(({ key, ...event }) => ({ key, light: summariseEvent(event) })),
    frames: packEvents(events),
  }
  return { content, usages }
}

/** Undefined if not all of them can be read. */
function storedEvents(
  { layout }: Ledger,
  { body, nextSeq }: OpenSession,
  keys: ReadonlyMap<number, string>,
): ToldEvent[] | undefined {
  if (nextSeq === 0) return []
  if (!body || bodyState(layout.bodies, body.file, body.bytes) !== 'whole') return undefined
  const events: ToldEvent[] = []
  for (const { seq, ...event } of readableEvents(layout.bodies, body.file, body.bytes)) {
    const key = keys.get(seq)
    if (key !== undefined) events.push({ ...event, key })
  }
  return events.length === nextSeq ? events : undefined
}

/** The events that are told now, with those that were told only before behind the event that they followed. */
export function withUntold(
  before: readonly ToldEvent[],
  now: readonly ToldEvent[],
): { events: ToldEvent[]; isAsTold: boolean } {
  const earlier = new Map(before.map((event) => [event.key, event]))
  const told = new Map(now.map((event) => [event.key, event]))
  const changed = createMatcher(
    now.filter((event) => !isSame(earlier.get(event.key), event)),
    lastKeys(before),
  )
  const kept = new Map<string, ToldEvent[]>()
  let place = ''
  const keep = (event: ToldEvent) => kept.set(place, [...(kept.get(place) ?? []), event])
  for (const event of before) {
    const again = told.get(event.key)
    if (again && isSame(event, again)) {
      place = again.key
      continue
    }
    const match = changed.takeSame(event) ?? (again ? undefined : changed.takeContinued(event))
    const version = match ?? again
    if (!version) {
      keep(event)
      continue
    }
    const merged = mergedVersions(event, told.get(version.key)!)
    if (merged.earlier) keep(merged.earlier)
    told.set(version.key, merged.now)
    place = version.key
  }
  const isAsTold = kept.size === 0 && now.every((event) => told.get(event.key) === event)
  const events = now.flatMap((event) => [told.get(event.key)!, ...(kept.get(event.key) ?? [])])
  return { events: [...(kept.get('') ?? []), ...events], isAsTold }
}

/** Answers that an agent is still writing are among the last events. */
const maxUnfinished = 3

function lastKeys(events: readonly ToldEvent[]): ReadonlySet<string> {
  return new Set(events.slice(-maxUnfinished).map(({ key }) => key))
}

/** Events that tell under another key what an event told; each is taken once. */
interface Matcher {
  takeSame(event: ToldEvent): ToldEvent | undefined
  /** The result of the same call, or the answer that this one was the beginning of. */
  takeContinued(event: ToldEvent): ToldEvent | undefined
}

/** Agents without ids make keys of the place or the content, which may change. */
function createMatcher(events: readonly ToldEvent[], unfinished: ReadonlySet<string>): Matcher {
  const byContent = Map.groupBy(events, contentOf)
  const left = new Set(events)
  const take = (found: ToldEvent | undefined) => {
    if (found) left.delete(found)
    return found
  }
  const isResultOf = (event: ToldEvent) => (other: ToldEvent) => other.call === event.call && other.kind === event.kind
  const continues = (event: ToldEvent) => (other: ToldEvent) =>
    other.kind === event.kind && other.role === event.role && other.text.startsWith(event.text)
  return {
    takeSame: (event) => take(byContent.get(contentOf(event))?.find((other) => left.has(other))),
    takeContinued(event) {
      if (event.call) return take([...left].find(isResultOf(event)))
      return unfinished.has(event.key) ? take([...left].find(continues(event))) : undefined
    },
  }
}

function contentOf({ kind, role, tool, text, input, files }: ToldEvent): string {
  return JSON.stringify([kind, role, tool, text, input, files])
}

function isSame(before: ToldEvent | undefined, now: ToldEvent): boolean {
  return before?.text === now.text && contentOf(before) === contentOf(now)
}

/** Somebody said it, so another text is not the same in other words. */
const saidKinds: readonly string[] = ['prompt', 'command', 'shell', 'reply']

/**
 * The same event with another text: what is told now, and the earlier text if it is lost otherwise. Agents
 * put a note in the place of an old output, or show how far a command is: such lines are kept in front.
 */
function mergedVersions(before: ToldEvent, now: ToldEvent): { now: ToldEvent; earlier?: ToldEvent } {
  if (includesText(now.text, before.text)) return { now }
  const wasSaid = now.text !== '' && saidKinds.includes(before.kind)
  if (wasSaid) {
    const key = hashKey('', `${before.key}/${before.text}`)
    return { now, earlier: { ...before, key } }
  }
  if (before.text.includes(now.text)) return { now: { ...now, text: before.text } }
  const lost = before.text.split('\n').filter((line) => !includesText(now.text, line))
  return { now: { ...now, text: [...lost, now.text].join('\n') } }
}

/** A secret that was removed from the text counts as told. */
function includesText(text: string, part: string): boolean {
  if (text.includes(part)) return true
  const [first, ...rest] = text.split(/\[(?:secret: [\w-]+|private)\]/)
  if (rest.length === 0 || !part.startsWith(first!)) return false
  let at = first!.length
  return rest.every((piece) => {
    at = part.indexOf(piece, at)
    return at >= 0
  })
}

/**
 * Usage of which less may be told than before. What has another key now is recognised by the model and the time
 * of the response.
 */
function untoldUsages(before: readonly StoredUsage[], { agent, usages }: SessionWrite): StoredUsage[] {
  const known = new Set(before.map(({ usage }) => usage.key))
  const outputs = new Map(usages.map(({ key, output }) => [hashKey(agent, key), output]))
  const renamed = new Set(usages.filter(({ key }) => !known.has(hashKey(agent, key))).map(responseOf))
  return before.filter(({ usage }) => {
    const output = outputs.get(usage.key)
    if (output === undefined) return !renamed.has(responseOf(usage))
    return usage.isLowerBound === true || output < usage.output
  })
}

function responseOf({ ts, model }: { ts: string | null; model: string | null }): string {
  return `${ts === null ? '' : Date.parse(ts)} ${model}`
}
