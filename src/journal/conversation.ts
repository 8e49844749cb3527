// What was said in a session, from its body: each prompt with the replies up to the next one.
import type { EventKind } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/sessions.ts'

export interface Exchange {
  /** ISO time of the prompt. */
  at: string | null
  /** '' for what an agent said before anybody asked. */
  prompt: string
  replies: string[]
}

/** Empty where the body has been let go or cannot be read: the digest is there all the same. */
export function exchangesOf(ledger: Ledger, uid: string): Exchange[] {
  const body = bodyOfSession(ledger, uid)
  if (!body) return []
  try {
    return group(readBody(ledger.layout.bodies, body.file, body.bytes))
  } catch {
    return []
  }
}

function group(events: Iterable<StoredEvent>): Exchange[] {
  const exchanges: Exchange[] = []
  for (const { kind, text, ts, undoes } of events) {
    if (undoes) exchanges.splice(Math.max(0, exchanges.length - undoes))
    if (isAsking(kind, text)) {
      if (isRepeated(exchanges.at(-1), text)) exchanges.pop()
      exchanges.push({ at: ts, prompt: text, replies: [] })
    } else if (kind === 'reply') {
      if (exchanges.length === 0) exchanges.push({ at: ts, prompt: '', replies: [] })
      exchanges.at(-1)!.replies.push(text)
    }
  }
  return exchanges
}

/** A slash command alone says nothing; with words behind it, it is a prompt. */
function isAsking(kind: EventKind, text: string): boolean {
  return kind === 'prompt' || (kind === 'command' && /\S\s+\S/.test(text))
}

/** Aider writes `/ask why` and then `why`. */
function isRepeated(last: Exchange | undefined, prompt: string): boolean {
  return last !== undefined && last.replies.length === 0 && last.prompt.endsWith(prompt.trim())
}
