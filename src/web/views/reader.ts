// The reader of one session: prompts and final answers first, everything on request. A session may
// have a hundred thousand events, so it is rendered in parts.
import { existsSync } from 'node:fs'
import { type ResumableAgent, resumeCommand, shortId } from '../../core/session.ts'
import { ownCommand } from '../../core/shell/command-line.ts'
import { formatCount, formatDuration, formatUsd, plural, type Zone } from '../../core/units.ts'
import { type Digest, readDigest } from '../../digest/digest.ts'
import { sessionDocument } from '../../export/html/session-page.ts'
import { renderEvent } from '../../html/events.ts'
import { type Html, html } from '../../html/html.ts'
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesOfSession } from '../../store/memories/memories.ts'
import { sessionRowId } from '../../store/memories/usage.ts'
import { readableEvents, type StoredEvent } from '../../store/sessions/bodies.ts'
import { eventPlaces, promptSeqBefore } from '../../store/sessions/events.ts'
import { bodyOfSession } from '../../store/sessions/session-bodies.ts'
import { childrenOf, findSessions, type SessionView } from '../../store/sessions/sessions.ts'
import { sessionUsage } from '../../store/sessions/usage.ts'
import { shortLine } from '../../text/truncate.ts'
import { agentDot, outcomeChip, timeOf } from '../components.ts'
import {
  NotFoundError,
  numberIn,
  type PageRequest,
  type PageResult,
  type PageRoute,
  urlOfSession,
  urlWith,
} from '../request.ts'

export const readerRoutes: PageRoute[] = [
  { method: 'GET', path: '/sessions/:id', handle: reader },
  { method: 'GET', path: '/sessions/:id/part', handle: readerPart },
  { method: 'GET', path: '/sessions/:id/next', handle: nextEvent },
  { method: 'GET', path: '/sessions/:id/file', handle: sessionFile },
  { method: 'GET', path: '/event/:id/:event', handle: namedEvent },
]

function reader(request: PageRequest): PageResult {
  const { ledger, query, app } = request
  const session = sessionOf(request)
  const digest = readDigest(ledger, session.id)
  const at = numberIn(query, 'at')
  const part = renderPart(request, session, at === undefined ? 0 : firstOfExchange(ledger, request, at))
  const resume = resumeOf(app.agents, session)
  const handoff = handoffCommand(session)
  const about = aboutSession(request, session, digest)
  const main = html`<div class="head"><h1>${session.title ?? shortId(session.id)}</h1>${outcomeChip(session.outcome)}${session.kind !== 'work' && html`<span class="chip">${session.kind}</span>`}</div>
<div class="reader"><div>
<details class="narrow-only panel"><summary>About the session</summary><div class="stack">${about}</div></details>
<div class="bar-top"><div class="tabs" role="group" aria-label="What is shown">${modeLink(request, 'focus', 'Focused')}${modeLink(request, 'all', 'Everything')}</div>
<span class="row" role="group" aria-label="Jump to">${jump(session, 'prompt', 'n', 'Next prompt')}${jump(session, 'error', 'e', 'Next error')}${jump(session, 'edit', 'd', 'Next edit')}</span>
${resume !== undefined && html`<button type="button" data-copy="${resume}" title="${resume}" data-key="y">Copy resume command</button>`}<button type="button" data-copy="${handoff}" title="${handoff}">Copy handoff command</button><a class="button ghost" href="/sessions/${encodeURIComponent(session.id)}/file">Save as HTML</a></div>
${part.before}<div class="events" id="events" data-session="${session.id}">${part.html}</div></div>
<aside class="reader-side panel stack" aria-label="About the session">${about}</aside></div>`
  return { kind: 'page', title: session.title ?? session.id, section: 'sessions', main }
}

/** To another agent than its own. */
function handoffCommand({ id, agent }: SessionView): string {
  return ownCommand('handoff', shortId(id), '--to', agent === 'codex' ? 'claude' : 'codex')
}

/** If the agent no longer has the transcript, it is restored first. */
function resumeOf(agents: readonly ResumableAgent[], { id, transcript }: SessionView): string | undefined {
  const command = resumeCommand(agents, id)
  if (command === undefined || (transcript && existsSync(transcript.path))) return command?.join(' ')
  return ownCommand('resume', shortId(id))
}

function readerPart(request: PageRequest): PageResult {
  const session = sessionOf(request)
  const { html: part } = renderPart(request, session, numberIn(request.query, 'from') ?? 0)
  return { kind: 'fragment', html: part }
}

const maxScanned = 20_000

/** Leads to the next event of a kind, also beyond what has been loaded. */
function nextEvent(request: PageRequest): PageResult {
  const { ledger, query } = request
  const session = sessionOf(request)
  const after = numberIn(query, 'after') ?? -1
  const kind = query.get('kind')
  const isWanted = (event: StoredEvent) =>
    kind === 'error'
      ? event.kind === 'error' || event.error !== undefined || (event.tests?.failed ?? 0) > 0
      : event.kind === kind
  let scanned = 0
  for (const event of eventsFrom(ledger, session, after + 1)) {
    if (isWanted(event)) return { kind: 'redirect', to: `${urlIn(query, session, event.seq)}` }
    if (++scanned >= maxScanned) break
  }
  return { kind: 'redirect', to: after < 0 ? urlOfSession(session.id) : urlIn(query, session, after) }
}

function sessionFile(request: PageRequest): PageResult {
  const session = sessionOf(request)
  const content = sessionDocument(request.ledger, session, { zone: request.app.zone })
  return { kind: 'file', type: 'text/html; charset=utf-8', name: `${shortId(session.id)}.html`, content }
}

/** Evidence names the agent's own record id; the reader counts events. */
function namedEvent(request: PageRequest): PageResult {
  const session = sessionOf(request)
  for (const { id, seq } of eventsFrom(request.ledger, session, 0))
    if (id === request.params.event) return { kind: 'redirect', to: urlOfSession(session.id, seq) }
  return { kind: 'redirect', to: urlOfSession(session.id) }
}

/** A jump to an error or an edit shows everything, because the focused view leaves them out. */
function urlIn(query: URLSearchParams, session: SessionView, seq: number): string {
  const mode = query.get('kind') === 'prompt' && query.get('view') !== 'all' ? '' : '&view=all'
  return `/sessions/${encodeURIComponent(session.id)}?at=${seq}${mode}#e${seq}`
}

function sessionOf({ ledger, params }: PageRequest): SessionView {
  const [session, ...others] = findSessions(ledger, params.id!)
  if (session && (others.length === 0 || session.id === params.id)) return session
  throw new NotFoundError(`There is no session ${params.id}`, 'It may have been deleted. Choose one from the list.')
}

type ReaderView = 'focus' | 'all'

function viewIn(query: URLSearchParams): ReaderView {
  return query.get('view') === 'all' ? 'all' : 'focus'
}

interface ReaderPart {
  html: Html
  before: Html | undefined
}

const maxEvents = 120
/** A view must stay small, however long the texts are. */
const maxPartLength = 90_000

function renderPart(request: PageRequest, session: SessionView, from: number): ReaderPart {
  const { ledger, query, app } = request
  const view = viewIn(query)
  const number = numberOf(ledger, session)
  const whole = numberIn(query, 'whole')
  const wanted = view === 'focus' && whole === undefined ? focusedSeqs(ledger, number, from) : undefined
  const marks = marksOf(memoriesOfSession(ledger, session.id))
  const spend = spendOf(ledger, number)
  const options = {
    zone: app.zone,
    urlOf: (seq: number) =>
      `${urlWith({ path: urlOfSession(session.id), query: modeOnly(query) }, { at: seq })}#e${seq}`,
    marks,
    spend,
  }
  const parts: Html[] = []
  let length = 0
  let next: number | undefined
  for (const event of eventsFrom(ledger, session, whole ?? from)) {
    if (whole !== undefined && event.seq !== whole) break
    if (wanted && !wanted.has(event.seq)) {
      if (event.seq > wanted.last) {
        next = event.seq
        break
      }
      continue
    }
    if (parts.length >= maxEvents || length > maxPartLength) {
      next = event.seq
      break
    }
    const rendered = renderEvent(event, { ...options, isWhole: whole !== undefined })
    parts.push(rendered)
    length += rendered.toString().length
  }
  if (parts.length === 0 && from === 0) parts.push(emptyText(session))
  return {
    html: html`${parts}${next !== undefined && moreLink(request, session, next)}`,
    before:
      from > 0 && whole === undefined
        ? html`<p class="small"><a href="${urlWith({ path: urlOfSession(session.id), query: modeOnly(query) }, {})}">From the beginning</a> (this part begins at #${from})</p>`
        : undefined,
  }
}

function modeOnly(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams(query.get('view') === 'all' ? { view: 'all' } : {})
}

function emptyText(session: SessionView): Html {
  const reason = session.evictedAt
    ? 'The conversation was deleted to save space; what is known about it is beside.'
    : 'This session has no events.'
  return html`<p class="empty">${reason}</p>`
}

/** Loaded when it comes into view; without a script it is a link. */
function moreLink({ query }: PageRequest, session: SessionView, next: number): Html {
  const path = `/sessions/${encodeURIComponent(session.id)}`
  const mode = query.get('view') === 'all' ? '&view=all' : ''
  return html`<p class="loading" data-more="${next}" hx-get="${path}/part?from=${next}${mode}" hx-trigger="revealed" hx-swap="outerHTML"><a href="${path}?at=${next}${mode}">More</a></p>`
}

function* eventsFrom(ledger: Ledger, session: SessionView, fromSeq: number): Generator<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (body) yield* readableEvents(ledger.layout.bodies, body.file, body.bytes, { fromSeq })
}

/** Exchanges of one part. */
const maxExchanges = 40

interface FocusedSeqs {
  last: number
  has(seq: number): boolean
}

/** Prompts, the last reply of each exchange, and what interrupted it. */
function focusedSeqs(ledger: Ledger, session: number, from: number): FocusedSeqs {
  const kinds = ['prompt', 'reply', 'interrupt', 'compaction', 'error'] as const
  const chosen = new Set<number>()
  let lastReply: number | undefined
  let prompts = 0
  let last = from
  for (const { seq, kind } of eventPlaces(ledger, session, { fromSeq: from, kinds })) {
    if (kind === 'prompt' && ++prompts > maxExchanges) break
    if (kind === 'prompt' && lastReply !== undefined) chosen.add(lastReply)
    if (kind === 'prompt') lastReply = undefined
    if (kind === 'reply') lastReply = seq
    else chosen.add(seq)
    last = seq
  }
  if (lastReply !== undefined) chosen.add(lastReply)
  return { last, has: (seq) => chosen.has(seq) }
}

/** A link to an event begins with the prompt before it, for context. */
function firstOfExchange(ledger: Ledger, request: PageRequest, at: number): number {
  if (viewIn(request.query) === 'all') return Math.max(0, at - 3)
  const number = numberOf(ledger, sessionOf(request))
  return promptSeqBefore(ledger, number, at + 1)
}

function numberOf(ledger: Ledger, { id }: SessionView): number {
  return sessionRowId(ledger, id) ?? 0
}

function marksOf(memories: readonly Memory[]): (event: StoredEvent) => Html | undefined {
  const shown = memories.filter(({ state }) => state !== 'forgotten')
  const byEvent = Map.groupBy(
    shown.flatMap((memory) => memory.evidence.flatMap(({ event }) => (event ? [{ event, memory }] : []))),
    ({ event }) => event,
  )
  return ({ id }) => {
    const found = byEvent.get(id)
    if (!found) return undefined
    return html`${[...new Set(found.map(({ memory }) => memory))].map(
      (memory) =>
        html`<a class="memory-mark" href="/memories/${memory.id}">${memory.state === 'kept' ? 'Memory' : 'Candidate'}: ${shortLine(memory.text, 160)}</a>`,
    )}`
  }
}

/** Usage has no place in the session, so it belongs to the last prompt before its time. */
function spendOf(ledger: Ledger, session: number): (seq: number) => string | undefined {
  const prompts = [...eventPlaces(ledger, session, { kinds: ['prompt'] })].filter(({ tsMs }) => tsMs !== null)
  const totals = new Map<number, { tokens: number; costUsd: number }>()
  let at = 0
  for (const { usage, costUsd } of sessionUsage(ledger, session, { from: 0, limit: 100_000 })) {
    if (usage.ts === null || prompts.length === 0) continue
    const ms = Date.parse(usage.ts)
    while (at + 1 < prompts.length && prompts[at + 1]!.tsMs! <= ms) at++
    const total = totals.get(prompts[at]!.seq) ?? { tokens: 0, costUsd: 0 }
    totals.set(prompts[at]!.seq, {
      tokens: total.tokens + usage.input + usage.cacheRead + usage.cacheWrite + usage.cacheWrite1h + usage.output,
      costUsd: total.costUsd + (costUsd ?? 0),
    })
  }
  return (seq) => {
    const total = totals.get(seq)
    return total && `${formatCount(total.tokens)} tokens, ${formatUsd(total.costUsd)}`
  }
}

function modeLink(request: PageRequest, view: ReaderView, label: string): Html {
  const isCurrent = viewIn(request.query) === view
  return html`<a href="${urlWith(request, { view: view === 'all' ? 'all' : undefined, whole: undefined })}"${isCurrent && html` aria-current="true"`} data-key="${view === 'all' ? 'a' : 'f'}">${label}</a>`
}

/** Without a script the server finds the first one. */
function jump(session: SessionView, kind: 'prompt' | 'error' | 'edit', key: string, label: string): Html {
  return html`<a class="button ghost" href="/sessions/${encodeURIComponent(session.id)}/next?kind=${kind}" data-jump="${kind}" data-key="${key}">${label} <kbd>${key}</kbd></a>`
}

function aboutSession(request: PageRequest, session: SessionView, digest: Digest | null): Html {
  const { ledger, app } = request
  const children = childrenOf(ledger, session.id)
  const { counts, tokens } = session
  const facts: [string, Html | string | undefined | false][] = [
    [
      'Id',
      html`<code>${session.id}</code> <button type="button" class="ghost" data-copy="${session.id}">Copy</button>`,
    ],
    ['Agent', html`${agentDot(request, session.agent)} ${session.version ?? ''}`],
    ['Model', session.model ?? undefined],
    [
      'Project',
      html`<a href="/sessions?project=${encodeURIComponent(session.project ?? '')}">${session.projectName}</a>`,
    ],
    ['Branch', session.branch ?? undefined],
    ['Time', whenOf(app.zone, session)],
    ['Active', digest ? formatDuration(digest.activeMs) : undefined],
    ['Outcome', digest ? `${digest.outcome}: ${digest.because}` : undefined],
    [
      'Counts',
      `${plural(counts.prompts, 'prompt')}, ${plural(counts.toolCalls, 'call')}, ${plural(counts.toolErrors, 'error')}`,
    ],
    [
      'Tokens',
      tokens.output > 0 &&
        `${formatCount(tokens.input)} in, ${formatCount(tokens.cacheRead)} cached, ${formatCount(tokens.output)} out`,
    ],
    ['Cost', formatUsd(session.costUsd, session.isCostLowerBound)],
    [
      'With subagents',
      session.totalCostUsd !== session.costUsd && formatUsd(session.totalCostUsd, session.isTotalCostLowerBound),
    ],
    [
      'Started by',
      session.parent !== null && html`<a href="${urlOfSession(session.parent)}">${shortId(session.parent)}</a>`,
    ],
  ]
  return html`<dl class="facts">${facts.map(([name, value]) => value !== undefined && value !== false && value !== '' && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${thread(session, digest)}${fileList(digest)}
${children.length > 0 && html`<div><h2>Subagents</h2><ul class="rows">${children.map((child) => html`<li><a href="${urlOfSession(child.id)}">${child.title ?? shortId(child.id)}</a> <span class="quiet">${formatUsd(child.costUsd, child.isCostLowerBound)}</span></li>`)}</ul></div>`}`
}

/** The list of sessions has the day as a heading. */
function whenOf(zone: Zone, { started, ended }: SessionView): string {
  const time = timeOf(zone, started, ended)
  const from = started ?? ended
  // A time over midnight names both days.
  return from === null || time.includes(' to ') ? time : `${zone.day(from)} ${time}`
}

function thread(session: SessionView, digest: Digest | null): Html | undefined {
  const parts = digest?.thread ?? []
  if (parts.length < 2) return undefined
  return html`<div><h2>Asked</h2><ol class="rows">${parts.map(({ seq, text }) => html`<li><a href="${urlOfSession(session.id, seq)}">#${seq}</a> ${shortLine(text, 160)}</li>`)}</ol></div>`
}

function fileList(digest: Digest | null): Html | undefined {
  const files = digest?.files ?? []
  if (files.length === 0) return undefined
  return html`<details><summary>${plural(files.length, 'file')} changed</summary><ul class="rows">${files.slice(0, 50).map(({ path, added, removed }) => html`<li><a href="/files?path=${encodeURIComponent(path)}">${path}</a> <span class="quiet">+${added} −${removed}</span></li>`)}</ul></details>`
}
