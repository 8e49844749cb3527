// Finds the words around a quote in the conversation that it was taken from.
import { isSystemError } from '../../core/errors.ts'
import type { Evidence } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { readableEvents } from '../../store/sessions/bodies.ts'
import { bodyOfSession } from '../../store/sessions/session-bodies.ts'
import { ellipsize, oneLine, truncateStart } from '../../text/truncate.ts'

export interface QuoteInContext {
  before: string
  quote: string
  after: string
}

/** Undefined if the conversation is gone or does not contain the words. `reach` is in characters. */
export function quoteInContext(ledger: Ledger, evidence: Evidence, reach: number): QuoteInContext | undefined {
  const { session, event, quote } = evidence
  const wanted = oneLine(quote)
  if (session === null || wanted === '') return undefined
  const body = bodyOfSession(ledger, session)
  if (!body) return undefined
  try {
    for (const one of readableEvents(ledger.layout.bodies, body.file, body.bytes)) {
      if (event ? one.id !== event : one.kind !== 'prompt') continue
      const text = oneLine(one.text)
      const at = text.indexOf(wanted)
      if (at < 0) continue
      return {
        before: endOf(text.slice(0, at), reach),
        quote: wanted,
        after: ellipsize(text.slice(at + wanted.length), reach),
      }
    }
  } catch (error) {
    // The review goes on without the words around: the body was deleted meanwhile.
    if (!isSystemError(error)) throw error
  }
  return undefined
}

function endOf(text: string, max: number): string {
  if (text.length <= max) return text
  const end = truncateStart(text, max - 1)
  return `…${end.slice(end.indexOf(' ') + 1)}`
}
