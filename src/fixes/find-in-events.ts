// Reads the events of a session in order and returns its fixes. Everything that is kept between events
// is bounded.
import { trackFailures } from '../learn/causes/resolved.ts'
import type { Fix } from '../store/fixes/fixes.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { trackLocatedErrors } from './located-errors.ts'
import { remedyFix } from './remedies.ts'

/** How far back an error may lie that an event resolves. */
export const maxLookBack = 150

/** Returns a function that takes the events in order. Paths in texts are relative to `cwd`. */
export function findInEvents(cwd: string | null): (event: StoredEvent) => Fix[] {
  const failures = trackFailures()
  const located = trackLocatedErrors(cwd)
  return (event) => {
    const resolved = failures.add(event)
    const remedy = resolved && remedyFix(resolved, cwd)
    return [...(remedy ? [remedy] : []), ...located.add(event)]
  }
}
