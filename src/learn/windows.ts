// Splits the part of a session that no judge has seen into windows of a few exchanges, oldest
// first.
import { join } from 'node:path'
import type { Ledger } from '../store/ledger.ts'
import type { UnlearnedSession } from '../store/memories/learning.ts'
import { readableEvents, type SessionBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore, replySeqBefore } from '../store/sessions/events.ts'
import { exchangesIn, type SessionExchange, type Utterance } from './exchanges.ts'

export interface LearnWindow {
  /** To be judged. */
  said: Utterance[]
  /** Judged before; context for statements that span several exchanges. */
  earlier: Utterance[]
  /** Number of exchanges that end in this window, and the place behind the last one. */
  turns: number
  fromSeq: number
  toSeq: number
}

/** Exchanges that a deep pass looks at together. */
export const deepTurns = 5
const maxCharacters = 12_000

/** The part of a session to read. Plain data, so that another thread can read it. */
export interface SessionRange {
  agent: string
  /** Folder of the bodies. */
  bodies: string
  body: SessionBody
  learnedThrough: number
  events: number
  /**
   * First prompt of the already judged exchanges that are read again as context, and the reply
   * before it.
   */
  first: number
  start: number
}

/** From an event on; the session must have a body. */
export function rangeOf(
  ledger: Ledger,
  { id, agent, events, body }: UnlearnedSession,
  learnedThrough: number,
): SessionRange {
  const first = learnedThrough === 0 ? 0 : promptSeqBefore(ledger, id, learnedThrough, deepTurns - 2)
  const start = replySeqBefore(ledger, id, first) ?? first
  return { agent, bodies: ledger.layout.bodies, body: body!, learnedThrough, events, first, start }
}

export interface WindowOptions {
  /** The agent has answered: the last exchange is complete. */
  isOver: boolean
  /** Whether the agent itself made a memory of an exchange that changed these files. */
  isLeftToAgent(exchange: SessionExchange): boolean
  /** A part of the text could not be read. */
  onDamaged(path: string, error: unknown): void
  /** Gets the record ids of prompts that the user rewound. */
  onRetracted(ids: string[]): void
  /** Gets every event that is read, in order. */
  onEvent(event: StoredEvent): void
  /** The events of the range, if they were read before. */
  events?: Iterable<StoredEvent> | undefined
}

export function* windowsOf(range: SessionRange, options: WindowOptions): Generator<LearnWindow> {
  const { learnedThrough: from } = range
  let earlier: Utterance[] = []
  let window: LearnWindow = { said: [], earlier, turns: 0, fromSeq: from, toSeq: from }
  for (const exchange of exchangesOf(range, options)) {
    const all = options.isLeftToAgent(exchange) ? [] : exchange.said
    // A judged turn may have continued: only text typed since then is new.
    const said = all.filter(({ seq }) => seq >= from)
    if (said.length < all.length) {
      earlier = [...earlier, ...all.filter(({ seq }) => seq < from)].slice(-deepTurns)
      window.earlier = earlier
    }
    if (exchange.toSeq <= from || (exchange.fromSeq < from && said.length === 0)) {
      if (exchange.toSeq > from) window.toSeq = exchange.toSeq
      continue
    }
    if (window.turns > 0 && (window.turns >= deepTurns || sizeOf(window.said) + sizeOf(said) > maxCharacters)) {
      yield window
      earlier = [...earlier, ...window.said].slice(1 - deepTurns)
      window = { said: [], earlier, turns: 0, fromSeq: window.toSeq, toSeq: window.toSeq }
    }
    window.said.push(...said)
    window.turns++
    window.toSeq = exchange.toSeq
  }
  if (window.turns > 0) yield window
}

/** Complete exchanges only, preceded by a few that were judged before. */
function* exchangesOf(range: SessionRange, options: WindowOptions): Generator<SessionExchange> {
  const { agent, learnedThrough, events, first } = range
  const onRetracted = (ids: string[], seq: number) => {
    if (seq >= learnedThrough) options.onRetracted(ids)
  }
  for (const exchange of exchangesIn(agent, eventsFrom(range, options), first, onRetracted)) {
    if (exchange.isClosed) yield exchange
    else if (options.isOver) yield { ...exchange, toSeq: events }
  }
}

function* eventsFrom(
  { bodies, body, start }: SessionRange,
  { onDamaged, onEvent, events: known }: WindowOptions,
): Generator<StoredEvent> {
  const path = join(bodies, body.file)
  const onDamage = (reason: string) => onDamaged(path, reason)
  try {
    const events = known ?? readableEvents(bodies, body.file, body.bytes, { fromSeq: start, onDamage })
    for (const event of events) {
      onEvent(event)
      yield event
    }
  } catch (error) {
    onDamaged(path, error)
  }
}

function sizeOf(said: Utterance[]): number {
  return said.reduce((sum, { before, prompt, after }) => sum + before.length + prompt.length + after.length, 0)
}
