// The day of the journal that tells of the message a memory comes from. A session over midnight has an
// entry on each of its days.
import type { Zone } from '../core/units.ts'
import type { Evidence, Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import type { SourceSession } from '../store/wiki/compile-inputs.ts'

interface MessageDayContext {
  ledger: Ledger
  zone: Zone
  sessions: ReadonlyMap<string, SourceSession>
}

/** Finds each day once. */
export function messageDays(context: MessageDayContext) {
  const known = new Map<Evidence, string | undefined>()
  return (memory: Pick<Memory, 'validFrom'>, evidence: Evidence): string | undefined => {
    if (!known.has(evidence)) known.set(evidence, dayOfMessage(context, memory, evidence))
    return known.get(evidence)
  }
}

/** Reads the text of a session only if it has several days and the memory does not say which. */
function dayOfMessage(
  { ledger, zone, sessions }: MessageDayContext,
  { validFrom }: Pick<Memory, 'validFrom'>,
  evidence: Evidence,
): string | undefined {
  const days = sessions.get(evidence.session ?? '')?.days ?? []
  if (days.length <= 1) return days[0]
  const said = zone.day(validFrom)
  if (days.includes(said)) return said
  const at = placeOfMessage(ledger, evidence)?.at
  const day = at && zone.day(at)
  return day && days.includes(day) ? day : days[0]
}

/** Where a message is in its session. */
interface MessagePlace {
  seq: number
  at: string | null
}

/** Undefined if the message is no longer stored. */
export function placeOfMessage(ledger: Ledger, evidence: Evidence): MessagePlace | undefined {
  const body = evidence.session === null ? null : bodyOfSession(ledger, evidence.session)
  if (!body) return undefined
  try {
    for (const event of readBody(ledger.layout.bodies, body.file, body.bytes))
      if (isMessage(event, evidence)) return { seq: event.seq, at: event.ts }
  } catch {
    // The text is damaged; `recollect doctor` reports it.
  }
  return undefined
}

function isMessage({ id, kind, text }: StoredEvent, { event, quote }: Evidence): boolean {
  return event === null ? kind === 'prompt' && quote !== '' && text.includes(quote) : id === event
}
