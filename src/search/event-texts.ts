// Reads the events that a search shows. Events of one session are read together: a body is
// compressed in large frames, and reading on costs less than opening it again.

import type { HitSession } from '../store/search/passage-search.ts'
import { readIndexed, type StoredEvent } from '../store/sessions/bodies.ts'

/**
 * Events that cannot be read, because the body was deleted or is damaged, are missing in the
 * result.
 */
export function readEvents(bodies: string, { body }: Pick<HitSession, 'body'>, places: readonly number[]): EventsBySeq {
  const found: EventsBySeq = new Map()
  const left = [...new Set(places)].sort((a, b) => b - a)
  try {
    while (body && left.length > 0) {
      const before = left.length
      readOn(readIndexed(bodies, body.file, body.bytes, left.at(-1)), left, found)
      if (left.length === before) break
    }
  } catch {
    return found
  }
  return found
}

export type EventsBySeq = Map<number, StoredEvent>

/** Gap of events from which seeking is cheaper than reading on. */
const maxBetween = 500

/** Takes events from the end of `left` until the next gap is too large. */
function readOn(events: Iterable<StoredEvent>, left: number[], found: EventsBySeq): void {
  for (const event of events) {
    while (left.length > 0 && left.at(-1)! <= event.seq) found.set(left.pop()!, event)
    if (left.length === 0 || left.at(-1)! - event.seq > maxBetween) return
  }
}
