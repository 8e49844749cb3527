// Tells pages what is new, by server-sent events. All of them share one timer and the activity index;
// the ledger says cheaply whether another process has written, and only then is it read.
import { plural } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { countMemories } from '../store/memories/memories.ts'
import { dataVersion } from '../store/sessions/session-facts.ts'
import type { ActivityIndex, SessionChange } from './activity.ts'

export interface LiveChange {
  text: string
  url: string
  /** Ids of sessions that are new or have grown. */
  sessions: string[]
}

export interface LiveFeed {
  /** A stream of changes; it ends when the client goes away. */
  open(signal: AbortSignal): ReadableStream<Uint8Array>
  close(): void
}

const intervalMs = 1000
/** Keeps proxies from closing the connection. */
const maxQuietMs = 20_000

type Controller = ReadableStreamDefaultController<Uint8Array>

export function createLiveFeed(activity: ActivityIndex, ledger: () => Ledger): LiveFeed {
  const encoder = new TextEncoder()
  const clients = new Set<Controller>()
  let watch: Watch | undefined
  let timer: NodeJS.Timeout | undefined
  let quietMs = 0

  const send = (text: string) => {
    quietMs = 0
    const bytes = encoder.encode(text)
    for (const client of clients) client.enqueue(bytes)
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
    watch?.end()
    watch = undefined
  }
  const leave = (client: Controller) => {
    if (!clients.delete(client)) return
    client.close()
    if (clients.size === 0) stop()
  }
  const close = () => {
    for (const client of [...clients]) leave(client)
  }
  const tick = () => {
    try {
      const change = watch?.next()
      quietMs += intervalMs
      if (change) send(`event: change\ndata: ${JSON.stringify(change)}\n\n`)
      else if (quietMs >= maxQuietMs) send(': still here\n\n')
    } catch {
      close() // the ledger was replaced; browsers connect again
    }
  }
  return {
    open: (signal) => {
      let client: Controller
      return new ReadableStream({
        start(controller) {
          client = controller
          clients.add(client)
          watch ??= watchLedger(activity, ledger())
          timer ??= setInterval(tick, intervalMs)
          client.enqueue(encoder.encode('retry: 3000\n\n'))
          signal.addEventListener('abort', () => leave(client))
        },
        cancel() {
          clients.delete(client)
          if (clients.size === 0) stop()
        },
      })
    },
    close,
  }
}

interface Watch {
  /** What has changed since the last call, if anything. */
  next(): LiveChange | undefined
  end(): void
}

export function watchLedger(activity: ActivityIndex, ledger: Ledger): Watch {
  activity.version(ledger) // what is there already is not new
  let version = dataVersion(ledger)
  let memories = memoryCount(ledger)
  let changed: SessionChange[] = []
  const end = activity.onChange((found) => {
    changed.push(...found.filter(({ events }) => events !== 0))
  })
  return {
    next() {
      const current = dataVersion(ledger)
      if (current === version && changed.length === 0) return undefined
      version = current
      activity.version(ledger)
      const counted = memoryCount(ledger)
      const change = describe(changed, counted - memories)
      memories = counted
      changed = []
      return change
    },
    end,
  }
}

function describe(changed: readonly SessionChange[], memories: number): LiveChange | undefined {
  const events = changed.reduce((sum, one) => sum + one.events, 0)
  const added = changed.filter(({ isNew }) => isNew).length
  const parts = [
    added > 0 && plural(added, 'new session'),
    events > 0 && plural(events, 'new event'),
    memories > 0 && plural(memories, 'new memory', 'new memories'),
  ].filter((part) => part !== false)
  if (parts.length === 0) return undefined
  const sessions = [...new Set(changed.map(({ id }) => id))]
  return { text: parts.join(', '), url: sessions.length > 0 ? '/sessions' : '/memories', sessions }
}

function memoryCount(ledger: Ledger): number {
  const { kept, candidates, inbox } = countMemories(ledger)
  return kept + candidates + inbox
}
