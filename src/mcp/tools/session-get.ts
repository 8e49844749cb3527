import * as z from 'zod'
import { commandOf, pathsOf } from '../../core/commands.ts'
import { formatCount, type Zone } from '../../core/units.ts'
import { type Digest, readDigest } from '../../digest/digest.ts'
import { evidenceNotice, tellName, wrapEvidence } from '../../gate/evidence.ts'
import { tellCall, tellLines, type Voice } from '../../gate/gate.ts'
import { printedForm, printedLines } from '../../gate/printed.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import type { SessionView } from '../../store/sessions/sessions.ts'
import { shortLine } from '../../text/truncate.ts'
import { eventsOf, parseHitId, requireSession } from '../lookup.ts'

export const sessionGetInput = z.strictObject({
  session: z.string().min(1).max(500).describe('id of a session or of a search result, or a unique part of it'),
  from: z.int().min(0).optional().describe('event to start from, as in a search result'),
  limit: z.int().min(1).max(500).default(200).describe('maximum number of events'),
})

/** Maximum length of an answer, without the evidence tags and the notice. */
export const maxCharacters = 19_000

export function sessionGet(ledger: Ledger, input: z.infer<typeof sessionGetInput>, zone: Zone): string {
  const { session: id, place } = parseHitId(input.session)
  const session = requireSession(ledger, id)
  const { text, next } = sessionText(ledger, session, { ...input, from: input.from ?? place ?? 0 }, zone)
  const rest = next === undefined ? '' : `\n\nTo continue: session_get with from ${next}.`
  return `${evidenceNotice}\n\n${text}${rest}`
}

export interface EventRange {
  from: number
  /** The event after the last one to return. */
  to?: number
  limit: number
}

/** `next` is the first event that did not fit. */
export function sessionText(
  ledger: Ledger,
  session: SessionView,
  { from, to = Number.POSITIVE_INFINITY, limit }: EventRange,
  zone: Zone,
): { text: string; next?: number } {
  const head = headText(session, readDigest(ledger, session.id), zone)
  const events = eventsBefore(to, eventsOf(ledger, session, from))
  const { project, title, started, agent, cwd } = session
  const textOf = eventTexts(zone, cwd)
  const { lines, next } = fittingLines(events, limit, maxCharacters - head.length, textOf)
  const source = { session: session.id, agent, project, date: started, title, from }
  return {
    text: wrapEvidence(source, [head, ...lines].filter(Boolean).join('\n')),
    ...(next === undefined ? {} : { next }),
  }
}

function headText(session: SessionView, digest: Digest | null, zone: Zone): string {
  const files = (digest?.files ?? []).slice(0, 10).map(({ path }) => tellName(path))
  const errors = (digest?.errors ?? [])
    .slice(0, 5)
    .map(({ count, message }) => `${count}× ${printedForm(message) || '…'}`)
  const lines = [
    ['goal', digest && tellLines(digest.goal, 'person')],
    ['kind', digest?.kind],
    ['outcome', digest && `${digest.outcome}: ${digest.because}`],
    ['files', files.join(', ')],
    ['errors', errors.join(' | ')],
    ['events', String(session.counts.events)],
    ['text', session.evictedAt && `deleted on ${zone.day(session.evictedAt)} to save space; only the digest is left`],
    ['last reply', session.evictedAt && digest && tellLines(digest.lastReply, 'agent')],
  ]
  return lines.flatMap(([name, value]) => (value ? [`${name}: ${value.replace(/\s+/g, ' ')}`] : [])).join('\n')
}

function* eventsBefore(to: number, events: Iterable<StoredEvent>): Generator<StoredEvent> {
  for (const event of events) {
    if (event.seq >= to) return
    yield event
  }
}

/** Complete events, as many as fit. */
function fittingLines(
  events: Iterable<StoredEvent>,
  limit: number,
  max: number,
  textOf: (event: StoredEvent) => string,
): { lines: string[]; next?: number } {
  const lines: string[] = []
  let size = 0
  for (const event of events) {
    const line = textOf(event)
    if (!line) continue
    if (lines.length === limit || (lines.length > 0 && size + line.length > max)) return { lines, next: event.seq }
    lines.push(line)
    size += line.length + 1
  }
  return { lines }
}

/** Gives each event as a line: sequence number, time, speaker, text; '' for internal events. */
function eventTexts(zone: Zone, cwd: string | null): (event: StoredEvent) => string {
  // The names in a call may be told of its output.
  let call = ''
  return (event) => {
    if (event.kind === 'tool_call') call = callText(event)
    const [who, text] = speakerAndText(event, call, cwd)
    const time = event.ts ? ` ${zone.minute(event.ts)}` : ''
    return text ? `[${event.seq}${time}] ${who}: ${text}` : ''
  }
}

function speakerAndText(event: StoredEvent, call: string, cwd: string | null): [who: string, text: string] {
  const said = (voice: Voice, max: number) => tellLines(truncateWithNote(event.text, max), voice)
  switch (event.kind) {
    case 'prompt':
    case 'command':
    case 'shell':
      return ['user', said('person', 4000)]
    case 'reply':
      return ['agent', said('agent', 4000)]
    case 'tool_call': {
      const told = commandOf(event.input) ? tellCall(call, cwd) : tellName(truncateWithNote(call, 400))
      return [`agent ran ${toolName(event.tool)}`, truncateWithNote(told, 400)]
    }
    case 'tool_result':
    case 'test_run':
      return [resultState(event), printedLines(event.text, call) || '…']
    case 'edit':
      return ['edited', (event.files ?? []).map(({ path, change }) => `${tellName(path)} (${change})`).join(', ')]
    case 'error':
      return ['error', printedLines(event.text) || '…']
    case 'interrupt':
      return ['user', '(stopped the agent)']
    case 'compaction':
      return ['compaction', said('agent', 1500)]
    case 'thinking':
    case 'context':
    case 'lifecycle':
      return ['', '']
    default:
      event.kind satisfies never
      return ['', '']
  }
}

/** Servers name their tools themselves. */
export function toolName(tool: string | undefined): string {
  return shortLine(tellName(tool ?? 'a tool'), 60)
}

function callText({ input }: StoredEvent): string {
  const short = (_: string, value: unknown) =>
    typeof value === 'string' && (value.length > maxArgument || value.includes('\n'))
      ? `… (${formatCount(value.length)} characters)`
      : value
  return commandOf(input) || pathsOf(input).join(' ') || JSON.stringify(input ?? {}, short)
}

/** Longer arguments are texts and code that the call wrote somewhere. */
const maxArgument = 200

function resultState({ error, exit, tests }: StoredEvent): string {
  const counted = tests ? `, ${tests.passed} tests passed, ${tests.failed} failed` : ''
  const hasFailed = error !== undefined || Boolean(exit)
  return `tool output${hasFailed ? ` (${error ?? 'failed'})` : ''}${counted}`
}

function truncateWithNote(text: string, max: number): string {
  const whole = text.trim()
  return whole.length <= max ? whole : `${whole.slice(0, max)}… (${formatCount(whole.length - max)} more characters)`
}
