// Tells pages what is new, by server-sent events. The ledger says cheaply whether another process
// has written; only then is it read.
import { plural } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { countMemories } from '../store/memories/memories.ts'
import { dataVersion, sessionFacts } from '../store/sessions/session-facts.ts'

export interface LiveChange {
  text: string
  url: string
  /** Ids of sessions that are new or have grown. */
  sessions: string[]
}

interface LedgerState {
  version: number
  captured: string
  /** Number of events by session. */
  events: Map<string, number>
  memories: number
}

const intervalMs = 1000
/** Keeps proxies from closing the connection. */
const maxQuietMs = 20_000

/** Ends when the client goes away. */
export function liveStream(ledger: () => Ledger, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout
  return new ReadableStream({
    start(controller) {
      let state = stateOf(ledger())
      let quietMs = 0
      controller.enqueue(encoder.encode('retry: 3000\n\n'))
      let isEnded = false
      const end = () => {
        if (isEnded) return
        isEnded = true
        clearInterval(timer)
        controller.close()
      }
      timer = setInterval(() => {
        const next = changesSince(ledger, state)
        // The ledger was replaced; the browser connects again.
        if (!next) return end()
        state = next.state
        quietMs = next.change ? 0 : quietMs + intervalMs
        if (next.change) controller.enqueue(encoder.encode(`event: change\ndata: ${JSON.stringify(next.change)}\n\n`))
        else if (quietMs >= maxQuietMs) {
          quietMs = 0
          controller.enqueue(encoder.encode(': still here\n\n'))
        }
      }, intervalMs)
      signal.addEventListener('abort', end)
    },
    cancel: () => clearInterval(timer),
  })
}

/** Undefined if the ledger can no longer be read. */
function changesSince(ledger: () => Ledger, state: LedgerState): ReturnType<typeof nextState> | undefined {
  try {
    return nextState(ledger(), state)
  } catch {
    return undefined
  }
}

function stateOf(ledger: Ledger): LedgerState {
  const facts = sessionFacts(ledger)
  return {
    version: dataVersion(ledger),
    captured: facts.reduce((last, { capturedAt }) => (capturedAt > last ? capturedAt : last), ''),
    events: new Map(facts.map(({ id, events }) => [id, events])),
    memories: memoryCount(ledger),
  }
}

/** What has changed since a state; without a change the same state. */
export function nextState(ledger: Ledger, state: LedgerState): { state: LedgerState; change?: LiveChange } {
  const version = dataVersion(ledger)
  if (version === state.version) return { state }
  const facts = sessionFacts(ledger, state.captured).filter(({ id, events }) => state.events.get(id) !== events)
  const memories = memoryCount(ledger)
  const events = facts.reduce((sum, one) => sum + one.events - (state.events.get(one.id) ?? 0), 0)
  const added = facts.filter(({ id }) => !state.events.has(id)).length
  const next = { version, captured: state.captured, events: state.events, memories }
  for (const one of facts) {
    next.events.set(one.id, one.events)
    if (one.capturedAt > next.captured) next.captured = one.capturedAt
  }
  const parts = [
    added > 0 && plural(added, 'new session'),
    events > 0 && plural(events, 'new event'),
    memories > state.memories && plural(memories - state.memories, 'new memory', 'new memories'),
  ].filter((part) => part !== false)
  if (parts.length === 0) return { state: next }
  const url = facts.length > 0 ? '/sessions' : '/memories'
  return { state: next, change: { text: parts.join(', '), url, sessions: facts.map(({ id }) => id) } }
}

function memoryCount(ledger: Ledger): number {
  const { kept, candidates, inbox } = countMemories(ledger)
  return kept + candidates + inbox
}
