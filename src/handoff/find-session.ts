import { parseQuery } from '../search/query.ts'
import { search } from '../search/search.ts'
import type { Ledger } from '../store/ledger.ts'
import { findSessions, type SessionView } from '../store/sessions/sessions.ts'

/** Sessions with this id or a part of it; for other words the one session that search finds first. */
export function sessionsFor(ledger: Ledger, words: string, nowMs: number): SessionView[] {
  const named = findSessions(ledger, words)
  if (named.length > 0 || /^[\w-]+:\S+$/.test(words)) return named
  const { results } = search(ledger, parseQuery(words), { kinds: ['exchange', 'digest'], nowMs, limit: 1 })
  const found = results[0]?.session
  return found ? findSessions(ledger, found) : []
}
