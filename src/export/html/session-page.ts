// One session as a page that stands alone. Everything is redacted again, because the file may be
// shared and the rules may know more than when the session was captured.
import { createRedactor } from '../../core/redact/redact.ts'
import { type Json, shortId } from '../../core/session.ts'
import { formatCount, formatUsd, plural, type Zone } from '../../core/units.ts'
import { renderEvent } from '../../html/events.ts'
import { type Html, html } from '../../html/html.ts'
import { renderStandalone } from '../../html/standalone-page.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { readableEvents, type StoredEvent } from '../../store/sessions/bodies.ts'
import { bodyOfSession } from '../../store/sessions/session-bodies.ts'
import { findSessions, listSessions, type SessionView } from '../../store/sessions/sessions.ts'
import type { ExportedSession } from '../export-data.ts'

export interface SessionPageOptions {
  zone: Zone
  /** Only prompts, final answers and errors. */
  isFocused?: boolean
}

/** A site of more sessions would take gigabytes. */
const maxSessionPages = 500

/** Focused pages of the latest sessions, and of those that memories come from. */
export function sessionPages(ledger: Ledger, memories: readonly Memory[], zone: Zone): Map<string, ExportedSession> {
  const cited = new Set(memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])))
  const latest = listSessions(ledger, { isConversation: true, limit: maxSessionPages })
  const known = new Set(latest.map(({ id }) => id))
  const others = [...cited].filter((id) => !known.has(id)).flatMap((id) => findSessions(ledger, id).slice(0, 1))
  const pages = [...latest, ...others].map((session): [string, ExportedSession] => {
    const { title, main } = sessionContent(ledger, session, { zone, isFocused: true })
    const about = [session.started ? zone.day(session.started) : '', session.agent, session.projectName ?? '']
    return [session.id, { title, main, about: about.filter(Boolean).join(', ') }]
  })
  return new Map(pages)
}

/** The file of one session, with everything in it. */
export function sessionDocument(ledger: Ledger, session: SessionView, options: SessionPageOptions): string {
  const { title, main } = sessionContent(ledger, session, options)
  const footer = html`<p>A session with ${session.agent}, saved by Recollect without secrets that it knows.</p>`
  return renderStandalone({ title, main, footer })
}

export function sessionContent(
  ledger: Ledger,
  session: SessionView,
  { zone, isFocused = false }: SessionPageOptions,
): { title: string; main: Html } {
  const clean = cleaner()
  const title = clean(session.title ?? shortId(session.id))
  const events = isFocused ? focused(eventsOf(ledger, session)) : eventsOf(ledger, session)
  const rendered: Html[] = []
  for (const event of events)
    rendered.push(renderEvent(cleanEvent(event, clean), { zone, urlOf: (seq) => `#e${seq}`, isStatic: true }))
  const main = html`<h1>${title}</h1>
<p class="facts">${factsOf(session, zone).join(' · ')}</p>
${rendered.length === 0 ? html`<p class="empty">The conversation is no longer stored.</p>` : html`<div class="events">${rendered}</div>`}`
  return { title, main }
}

function factsOf(session: SessionView, zone: Zone): string[] {
  const { agent, model, projectName, started, outcome, counts, tokens, costUsd, isCostLowerBound } = session
  return [
    agent,
    model ?? '',
    projectName ?? '',
    started ? zone.minute(started) : '',
    outcome ?? '',
    plural(counts.prompts, 'prompt'),
    plural(counts.toolCalls, 'call'),
    tokens.output > 0 ? `${formatCount(tokens.output)} tokens out` : '',
    costUsd === null ? '' : formatUsd(costUsd, isCostLowerBound),
    session.id,
  ].filter(Boolean)
}

function* eventsOf(ledger: Ledger, session: SessionView): Generator<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (body) yield* readableEvents(ledger.layout.bodies, body.file, body.bytes)
}

/** Prompts, the last reply of each exchange, errors and interruptions. */
function* focused(events: Iterable<StoredEvent>): Generator<StoredEvent> {
  let reply: StoredEvent | undefined
  for (const event of events) {
    if (event.kind === 'reply') {
      reply = event
      continue
    }
    if (event.kind === 'prompt' && reply) {
      yield reply
      reply = undefined
    }
    if (event.kind === 'prompt' || event.kind === 'error' || event.kind === 'interrupt') yield event
  }
  if (reply) yield reply
}

function cleaner(): (text: string) => string {
  const { clean } = createRedactor()
  return clean
}

function cleanEvent(event: StoredEvent, clean: (text: string) => string): StoredEvent {
  const input = event.input === undefined ? {} : { input: cleanJson(event.input, clean) }
  return { ...event, text: clean(event.text), ...input }
}

function cleanJson(value: Json, clean: (text: string) => string): Json {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleanJson(item, clean))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleanJson(item ?? null, clean)]))
}
