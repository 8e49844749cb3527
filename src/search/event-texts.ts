// The events that a search shows. Those of one session are read together: a body is compressed in large frames, and reading on
// in one costs less than opening it again.

import type { HitSession } from '../store/search/passage-search.ts'
import { readBody, type StoredEvent } from '../store/sessions/bodies.ts'

/** By their places. What cannot be read is missing: the body is gone or damaged. */
export function readEvents(bodies: string, { body }: HitSession, places: readonly number[]): FoundEvents {
  const found: FoundEvents = new Map()
  const left = [...new Set(places)].sort((a, b) => b - a)
  try {
    while (body && left.length > 0) {
      const before = left.length
      readOn(readBody(bodies, body.file, body.bytes, left.at(-1)), left, found)
      if (left.length === before) break
    }
  } catch {
    return found
  }
  return found
}

export type FoundEvents = Map<number, StoredEvent>

/** Further apart than this, the frames between them are better left out. */
const maxBetween = 500

/** Takes from the end of `left`, as far as it is worth reading on. */
function readOn(events: Iterable<StoredEvent>, left: number[], found: FoundEvents): void {
  for (const event of events) {
    while (left.length > 0 && left.at(-1)! <= event.seq) found.set(left.pop()!, event)
    if (left.length === 0 || left.at(-1)! - event.seq > maxBetween) return
  }
}
