import { UserError } from '../core/errors.ts'
import type { Zone } from '../core/units.ts'
import { type Digest, readDigest } from '../digest/digest.ts'
import { bodyState, readBody, type StoredEvent } from '../store/bodies.ts'
import type { Ledger } from '../store/ledger.ts'
import { bodyOfSession, findSession, type SessionView } from '../store/sessions.ts'
import { eventText } from './event-text.ts'
import { evidence, notice } from './evidence.ts'

export interface GetInput {
  session: string
  from?: number
  limit: number
}

/** What an answer may take; the marks and the notice come on top. */
const mostCharacters = 19_000

export function getSession(ledger: Ledger, { session: asked, from, limit }: GetInput, zone: Zone): string {
  // The id of a search result is the session with the place of the exchange.
  const [, id, place] = /^(.+?)(?:#(\d+))?$/s.exec(asked)!
  const session = oneSession(ledger, id!)
  const head = headText(session, readDigest(ledger, session.id), zone)
  const first = from ?? Number(place ?? 0)
  const { lines, next } = take(eventsOf(ledger, session, first), limit, mostCharacters - head.length, zone)
  const { project, title, started, agent } = session
  const source = { session: session.id, agent, project, date: started, title, from: first }
  const rest = next === undefined ? '' : `\n\nThere is more: session_get with from ${next}.`
  return `${notice}\n\n${evidence(source, [head, ...lines].filter(Boolean).join('\n'))}${rest}`
}

function oneSession(ledger: Ledger, id: string): SessionView {
  const found = findSession(ledger, id)
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new UserError(`No session "${id}"`, 'session_search gives the ids of sessions.', 1)
  throw new UserError(
    `"${id}" fits ${found.length} sessions`,
    `Which one? ${found.map((session) => session.id).join(', ')}`,
  )
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

function eventsOf(ledger: Ledger, session: SessionView, first: number): Iterable<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (!body) return []
  if (bodyState(ledger.layout.bodies, body.file, body.bytes) !== 'whole')
    throw new UserError(
      `The text of ${session.id} is missing from the store`,
      'If its transcript is still there: recollect rebuild, then recollect sweep',
      3,
    )
  return readBody(ledger.layout.bodies, body.file, body.bytes, first)
}

/** Whole events, as many as fit. */
function take(
  events: Iterable<StoredEvent>,
  limit: number,
  most: number,
  zone: Zone,
): { lines: string[]; next?: number } {
  const lines: string[] = []
  let size = 0
  for (const event of events) {
    const line = eventText(event, zone)
    if (!line) continue
    if (lines.length === limit || (lines.length > 0 && size + line.length > most)) return { lines, next: event.seq }
    lines.push(line)
    size += line.length + 1
  }
  return { lines }
}
