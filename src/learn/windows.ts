// The part of a session that no judge has seen, in windows of a few exchanges, oldest first.
import { join } from 'node:path'
import type { Ledger } from '../store/ledger.ts'
import type { UnlearnedSession } from '../store/memories/learning.ts'
import { readBody, type SessionBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { promptSeqBefore, replySeqBefore } from '../store/sessions/events.ts'
import { exchangesIn, type SessionExchange, type Utterance } from './exchanges.ts'

export interface LearnWindow {
  /** What has to be judged. */
  said: Utterance[]
  /** What was judged before, for what can only be seen together. */
  earlier: Utterance[]
  /** The exchanges that it closes, and the place behind the last of them. */
  turns: number
  fromSeq: number
  toSeq: number
}

/** A deep pass looks at so many exchanges at once. */
export const deepTurns = 5
/** A model reads no more than this at once. */
const maxCharacters = 12_000

/** What of a session is read: plain data, so that it can be read in another thread. */
export interface SessionRange {
  /** The folder of bodies. */
  bodies: string
  body: SessionBody
  learnedThrough: number
  events: number
  /** The first prompt of the exchanges that were judged before and come along, and the reply before it. */
  first: number
  start: number
}

export function rangeOf(
  ledger: Ledger,
  { id, learnedThrough, events }: UnlearnedSession,
  body: SessionBody,
): SessionRange {
  const first = learnedThrough === 0 ? 0 : promptSeqBefore(ledger, id, learnedThrough, deepTurns - 2)
  const start = replySeqBefore(ledger, id, first) ?? first
  return { bodies: ledger.layout.bodies, body, learnedThrough, events, first, start }
}

export interface WindowOptions {
  /** The agent has answered: its last exchange is whole, too. */
  isOver: boolean
  /** Exchanges that the agent itself made a memory of are left to it. */
  isLeftToAgent(files: string[]): boolean
  /** The text could not be read to its end. */
  onDamaged(path: string, error: unknown): void
  /** Prompts that were taken back, by their record ids. */
  onRetracted(ids: string[]): void
}

export function* windowsOf(stretch: SessionRange, options: WindowOptions): Generator<LearnWindow> {
  const { learnedThrough: from } = stretch
  let earlier: Utterance[] = []
  let window: LearnWindow = { said: [], earlier, turns: 0, fromSeq: from, toSeq: from }
  for (const exchange of exchangesOf(stretch, options)) {
    const all = options.isLeftToAgent(exchange.files) ? [] : exchange.said
    // A turn that was judged may have gone on since: only what was typed since is new.
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

/** Only whole exchanges; a few that were judged before come first. */
function* exchangesOf(stretch: SessionRange, options: WindowOptions): Generator<SessionExchange> {
  const { learnedThrough, events, first } = stretch
  const onTakenBack = (ids: string[], seq: number) => {
    if (seq >= learnedThrough) options.onRetracted(ids)
  }
  for (const exchange of exchangesIn(eventsFrom(stretch, options), first, onTakenBack)) {
    if (exchange.isClosed) yield exchange
    else if (options.isOver) yield { ...exchange, toSeq: events }
  }
}

function* eventsFrom({ bodies, body, start }: SessionRange, { onDamaged }: WindowOptions): Generator<StoredEvent> {
  try {
    yield* readBody(bodies, body.file, body.bytes, start)
  } catch (error) {
    onDamaged(join(bodies, body.file), error)
  }
}

function sizeOf(said: Utterance[]): number {
  return said.reduce((sum, { before, prompt, after }) => sum + before.length + prompt.length + after.length, 0)
}
