import { UserError } from '../core/errors.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { findMemories } from '../store/memories/memories.ts'
import { bodyState, readableEvents, type SessionBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'

/** Splits the id of a search result, `<session>#<seq>`. */
export function parseHitId(id: string): { session: string; place: number | undefined } {
  const [, session, place] = /^(.+?)(?:#(\d+))?$/s.exec(id)!
  return { session: session!, place: place === undefined ? undefined : Number(place) }
}

export function requireSession(ledger: Ledger, id: string): SessionView {
  const found = findSessions(ledger, id)
  if (found.length === 1) return found[0]!
  if (found.length === 0 && /^[\da-f]{40}$/.test(id))
    throw new UserError(`${id} is a commit`, `Read it in its repository: git show ${id}`, 1)
  if (found.length === 0) throw new UserError(`No session "${id}"`, 'To find session ids: session_search', 1)
  throw new UserError(
    `"${id}" matches ${found.length} sessions`,
    `Give more of the id: ${found.map((session) => session.id).join(', ')}`,
  )
}

/** Empty if the conversation was deleted to save space. */
export function eventsOf(ledger: Ledger, session: SessionView, first = 0): Iterable<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (!body) return []
  if (bodyState(ledger.layout.bodies, body.file, body.bytes) === 'missing')
    throw new UserError(
      `The conversation of ${session.id} is missing from the store`,
      'If the transcript still exists: recollect rebuild, then recollect sweep',
      3,
    )
  return readableWithoutKeys(ledger, body, first)
}

/** Parts that are damaged are left out. */
function* readableWithoutKeys(ledger: Ledger, { file, bytes }: SessionBody, fromSeq: number): Generator<StoredEvent> {
  for (const { key: _, ...event } of readableEvents(ledger.layout.bodies, file, bytes, { fromSeq })) yield event
}

/** Finds a memory by its id or a unique beginning. Forgotten memories are not returned. */
export function requireMemory(ledger: Ledger, id: string): Memory {
  const found = findMemories(ledger, id)
  if (found.length === 0) throw new UserError(`No memory ${id}`, 'To find memory ids: memory_search or memory_list', 1)
  if (found.length > 1)
    throw new UserError(`${id} matches ${found.length} memories`, found.map((one) => one.id).join(', '))
  const memory = found[0]!
  if (memory.state === 'forgotten')
    throw new UserError(`${memory.id} was forgotten`, 'Only the user can restore it: recollect undo', 1)
  return memory
}

/** Other ids are those of sessions and exchanges. */
export function isMemoryId(id: string): boolean {
  return /^m-/.test(id)
}
