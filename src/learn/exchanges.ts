// Groups the events of a session into exchanges: a prompt, the texts the user typed until the next
// one, and the agent's replies around them. Events are streamed and texts truncated, so memory use
// does not grow with the session.

import type { Evidence } from '../memory/memory.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { truncate, truncateMiddle } from '../text/truncate.ts'
import { mayBeTyped, userTextOf } from './user-text.ts'

/** A text that the user typed, with the agent's replies before and after it. */
export interface Utterance {
  seq: number
  /** The agent's own record id. */
  event: string
  at: string | null
  before: string
  prompt: string
  after: string
}

/** The utterance that evidence of the session is from; agents without record ids are told by words. */
export function utteranceOf(said: readonly Utterance[], { event, quote }: Evidence): Utterance | undefined {
  if (event) return said.find((one) => one.event === event)
  return said.find((one) => one.event === '' && one.prompt.includes(quote))
}

export interface SessionExchange {
  fromSeq: number
  /** Behind its last event. */
  toSeq: number
  said: Utterance[]
  /** Files that the agent changed meanwhile. */
  files: string[]
  /** The next prompt has been read, so the exchange is complete. */
  isClosed: boolean
}

const maxPromptLength = 16_000
const maxReplyLength = 3000
const maxFiles = 50
const maxSaid = 20

/** Prompts that the user rewound within this many exchanges are left out. */
const lookAhead = 20

/**
 * Events before `fromSeq` only provide the agent's last reply. `onRetracted` gets the record ids of
 * rewound prompts, which may have been judged already.
 */
export function* exchangesIn(
  agent: string,
  events: Iterable<StoredEvent>,
  fromSeq = 0,
  onRetracted: (ids: string[], seq: number) => void = () => {},
): Generator<SessionExchange> {
  const waiting: SessionExchange[] = []
  const typed: string[] = []
  const calls = new Map<string, StoredEvent>()
  let open: SessionExchange | undefined
  let lastReply = ''
  let previous: StoredEvent | undefined
  const wordsOf = (event: StoredEvent) => {
    const near = event.kind === 'context' ? previous : calls.get(event.call ?? '')
    return userTextOf(event, { agent, tool: event.tool, near })
  }
  for (const event of events) {
    if (event.kind === 'tool_call' && event.call) remember(calls, event.call, event)
    const words = event.seq < fromSeq || !mayBeTyped(event) ? '' : wordsOf(event)
    previous = event
    // A turn that seemed over may continue: text typed then opens a new exchange.
    if (words !== '' && (!open || event.kind === 'prompt' || event.kind === 'command')) {
      if (open) waiting.push({ ...open, toSeq: event.seq, isClosed: true })
      open = { fromSeq: event.seq, toSeq: event.seq + 1, said: [], files: [], isClosed: false }
      while (waiting.length > lookAhead) yield waiting.shift()!
    }
    if (event.kind === 'prompt') typed.push(event.id)
    if (event.undoes) {
      onRetracted(typed.splice(-event.undoes), event.seq)
      dropRewound(waiting, open, event.undoes)
      open = undefined
    }
    if (!open) {
      if (event.kind === 'reply') lastReply = truncate(event.text, maxReplyLength)
      continue
    }
    open.toSeq = event.seq + 1
    if (words !== '' && open.said.length < maxSaid) {
      const prompt = truncateMiddle(words, maxPromptLength)
      open.said.push({ seq: event.seq, event: event.id, at: event.ts, before: lastReply, prompt, after: '' })
    } else if (event.kind === 'reply') {
      lastReply = truncateMiddle(event.text, maxReplyLength)
      const last = open.said.at(-1)
      if (last) last.after = withReply(last.after, event.text)
    } else if (event.kind === 'edit' && open.files.length < maxFiles) {
      open.files.push(...(event.files ?? []).map(({ path }) => path))
    }
  }
  yield* waiting
  if (open) yield open
}

/** Removes the rewound exchanges. The prompt that replaces them comes next. */
function dropRewound(waiting: SessionExchange[], open: SessionExchange | undefined, undoes: number): void {
  const taken = open ? undoes - 1 : undoes
  if (taken > 0) waiting.splice(-taken)
}

/** The beginning shows whether the agent agreed, the end how the turn ended. */
function withReply(after: string, reply: string): string {
  if (after === '') return truncate(reply, maxReplyLength)
  return `${truncate(after.split(gap)[0]!, maxReplyLength / 3)}${gap}${truncateMiddle(reply, (maxReplyLength * 2) / 3)}`
}

const gap = '\n[...]\n'

function remember(calls: Map<string, StoredEvent>, call: string, event: StoredEvent): void {
  calls.set(call, event)
  if (calls.size > 50) calls.delete(calls.keys().next().value!)
}
