import { UserError } from '../core/errors.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { findMemories } from '../store/memories/memories.ts'
import { bodyState, readBody, type StoredEvent } from '../store/sessions/bodies.ts'
import { bodyOfSession, findSessions, type SessionView } from '../store/sessions/sessions.ts'

/** The id of a search result is the session with the place of the exchange. */
export function parseHitId(id: string): { session: string; place: number | undefined } {
  const [, session, place] = /^(.+?)(?:#(\d+))?$/s.exec(id)!
  return { session: session!, place: place === undefined ? undefined : Number(place) }
}

export function requireSession(ledger: Ledger, id: string): SessionView {
  const found = findSessions(ledger, id)
  if (found.length === 1) return found[0]!
  if (found.length === 0 && /^[\da-f]{40}$/.test(id))
    throw new UserError(`${id} is a commit`, `Read it in its repository: git show ${id}`, 1)
  if (found.length === 0) throw new UserError(`No session "${id}"`, 'session_search gives the ids of sessions.', 1)
  throw new UserError(
    `"${id}" fits ${found.length} sessions`,
    `Which one? ${found.map((session) => session.id).join(', ')}`,
  )
}

/** None where the text was let go. */
export function eventsOf(ledger: Ledger, session: SessionView, first = 0): Iterable<StoredEvent> {
  const body = bodyOfSession(ledger, session.id)
  if (!body) return []
  if (bodyState(ledger.layout.bodies, body.file, body.bytes) !== 'whole')
    throw new UserError(
      `The text of ${session.id} is missing from the store`,
      'If its transcript is still there: recollect rebuild, then recollect sweep',
      3,
    )
  return readBody(ledger.layout.bodies, body.file, body.bytes, first)
}

/** By its id or a beginning that only one has. What a person has forgotten is not handed out. */
export function requireMemory(ledger: Ledger, id: string): Memory {
  const found = findMemories(ledger, id)
  if (found.length === 0) throw new UserError(`There is no memory ${id}`, 'memory_search and memory_list give ids.', 1)
  if (found.length > 1)
    throw new UserError(`${id} is the beginning of ${found.length} memories`, found.map((one) => one.id).join(', '))
  const memory = found[0]!
  if (memory.state === 'forgotten')
    throw new UserError(`${memory.id} was forgotten`, 'Only a person brings it back: recollect undo', 1)
  return memory
}

/** Whether an id is that of a memory; any other names a session or an exchange of one. */
export function isMemoryId(id: string): boolean {
  return /^m-/.test(id)
}
