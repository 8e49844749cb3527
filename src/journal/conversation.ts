// Reads the conversation of a session from its body: each prompt with the replies up to the next
// one.
import type { EventKind } from '../core/session.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import type { DaySegment } from './segments.ts'

export interface JournalExchange {
  /** ISO time of the prompt. */
  at: string | null
  /** Empty for replies before the first prompt. */
  prompt: string
  replies: string[]
}

/** Empty if the body was evicted or cannot be read; the digest still exists. */
export function exchangesOf(ledger: Ledger, uid: string, { fromSeq, toSeq }: DaySegment): JournalExchange[] {
  const body = bodyOfSession(ledger, uid)
  if (!body) return []
  try {
    return groupExchanges(readBody(ledger.layout.bodies, body.file, body.bytes, fromSeq), toSeq)
  } catch {
    return []
  }
}

function groupExchanges(events: Iterable<StoredEvent>, toSeq: number): JournalExchange[] {
  const exchanges: JournalExchange[] = []
  for (const { seq, kind, text, ts, undoes } of events) {
    if (seq >= toSeq) break
    if (undoes) exchanges.splice(Math.max(0, exchanges.length - undoes))
    if (isPrompt(kind, text)) {
      if (isRepeated(exchanges.at(-1), text)) exchanges.pop()
      exchanges.push({ at: ts, prompt: text, replies: [] })
    } else if (kind === 'reply') {
      if (exchanges.length === 0) exchanges.push({ at: ts, prompt: '', replies: [] })
      exchanges.at(-1)!.replies.push(text)
    }
  }
  return exchanges
}

/** A slash command counts as a prompt only with arguments. */
function isPrompt(kind: EventKind, text: string): boolean {
  return kind === 'prompt' || (kind === 'command' && /\S\s+\S/.test(text))
}

/** Aider writes `/ask why` and then `why`. */
function isRepeated(last: JournalExchange | undefined, prompt: string): boolean {
  return last !== undefined && last.replies.length === 0 && last.prompt.endsWith(prompt.trim())
}
