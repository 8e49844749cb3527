import * as z from 'zod'
import { evidence, notice } from '../core/evidence.ts'
import type { Zone } from '../core/units.ts'
import { type Digest, readDigest } from '../digest/digest.ts'
import type { Ledger } from '../store/ledger.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import type { SessionView } from '../store/sessions/sessions.ts'
import { eventText } from './event-text.ts'
import { eventsOf, parseHitId, sessionAsked } from './stored-session.ts'

export const getSessionInput = z.strictObject({
  session: z
    .string()
    .min(1)
    .max(500)
    .describe('the id of a session or of a search result, or a part that only one session has'),
  from: z.int().min(0).optional().describe('the event to begin with, as a search result names it'),
  limit: z.int().min(1).max(500).default(200).describe('how many events at most'),
})

/** What an answer may take; the marks and the notice come on top. */
export const maxCharacters = 19_000

export function getSession(ledger: Ledger, input: z.infer<typeof getSessionInput>, zone: Zone): string {
  const { session: id, place } = parseHitId(input.session)
  const session = sessionAsked(ledger, id)
  const { text, next } = sessionText(ledger, session, { ...input, from: input.from ?? place ?? 0 }, zone)
  const rest = next === undefined ? '' : `\n\nThere is more: session_get with from ${next}.`
  return `${notice}\n\n${text}${rest}`
}

export interface Part {
  from: number
  /** The place behind the last event that is wanted. */
  to?: number
  limit: number
}

/** `next` is the first event that no longer fits. */
export function sessionText(
  ledger: Ledger,
  session: SessionView,
  { from, to = Number.POSITIVE_INFINITY, limit }: Part,
  zone: Zone,
): { text: string; next?: number } {
  const head = headText(session, readDigest(ledger, session.id), zone)
  const events = before(to, eventsOf(ledger, session, from))
  const { lines, next } = take(events, limit, maxCharacters - head.length, zone)
  const { project, title, started, agent } = session
  const source = { session: session.id, agent, project, date: started, title, from }
  return {
    text: evidence(source, [head, ...lines].filter(Boolean).join('\n')),
    ...(next === undefined ? {} : { next }),
  }
}

function headText(session: SessionView, digest: Digest | null, zone: Zone): string {
  const files = (digest?.files ?? []).slice(0, 10).map(({ path }) => path)
  const errors = (digest?.errors ?? []).slice(0, 5).map(({ count, message }) => `${count}× ${message.slice(0, 200)}`)
  const lines = [
    ['goal', digest?.goal],
    ['outcome', digest && `${digest.outcome}: ${digest.because}`],
    ['files', files.join(', ')],
    ['errors', errors.join(' | ')],
    ['events', String(session.counts.events)],
    ['text', session.evictedAt && `let go on ${zone.day(session.evictedAt)}; the digest is what is left`],
    ['last reply', session.evictedAt && digest?.lastReply],
  ]
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${value.replace(/\s+/g, ' ')}`] : [])).join('\n')
}

function* before(to: number, events: Iterable<StoredEvent>): Generator<StoredEvent> {
  for (const event of events) {
    if (event.seq >= to) return
    yield event
  }
}

/** Whole events, as many as fit. */
function take(
  events: Iterable<StoredEvent>,
  limit: number,
  max: number,
  zone: Zone,
): { lines: string[]; next?: number } {
  const lines: string[] = []
  let size = 0
  for (const event of events) {
    const line = eventText(event, zone)
    if (!line) continue
    if (lines.length === limit || (lines.length > 0 && size + line.length > max)) return { lines, next: event.seq }
    lines.push(line)
    size += line.length + 1
  }
  return { lines }
}
