// Keys of events as bodies hold them. The hash of a key does not compress, and most keys consist of
// ids that the body has anyway, so the body holds how to make the key from the event.
import type { Event } from '../core/session.ts'
import type { PackedEvent } from '../store/sessions/body-frames.ts'
import { hashKey } from '../store/sessions/events.ts'

/** Begins a packed key that is no hash: it is not in one, because twelve bytes need no padding. */
const readable = '='
const idMark = '~'
const callMark = '^'

/**
 * What readers add to the ids of an event: the id of a turn, `#0`, `/edit`, `/tool_call/2`. Only this is
 * stored as it is, because other keys may contain what a person wrote.
 */
const additions = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?(?:[#/][a-z_]{0,11}\d{0,6})*$/

/** The key for the body; the key of the event is as the agent's reader made it. */
export function packKey(agent: string, { id, call = '', key }: Pick<Event, 'id' | 'call' | 'key'>): string {
  const isUnmarked = !key.includes(idMark) && !key.includes(callMark)
  const packed = replaced(replaced(key, id, idMark), call, callMark)
  const isReadable = isUnmarked && additions.test(packed.replace(/[~^]/g, ''))
  return isReadable ? `${readable}${packed}` : hashKey(agent, key)
}

function replaced(key: string, part: string, mark: string): string {
  return part === '' ? key : key.replaceAll(part, mark)
}

/** The key as `hashKey` made it; undefined in bodies of earlier versions. */
export function unpackKey(agent: string, { id, call = '', key }: PackedEvent): string | undefined {
  if (!key?.startsWith(readable)) return key
  const made = key.slice(readable.length).replace(/[~^]/g, (mark) => (mark === idMark ? id : call))
  return hashKey(agent, made)
}
