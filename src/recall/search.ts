// What sessions said, found by words: the best hit of each exchange, and the digests of sessions whose text was let go.
import type { Role } from '../core/session.ts'
import { readBody, type StoredEvent } from '../store/bodies.ts'
import type { Ledger } from '../store/ledger.ts'
import { lighten } from '../store/light.ts'
import {
  evictedSessions,
  findTexts,
  promptBefore,
  type SearchedSession,
  type SearchFilter,
  searchedSession,
  type TextHit,
  timeOfEvent,
} from '../store/search.ts'
import { searchTexts } from '../store/search-texts.ts'
import { coverage, isEmptyQuery, matchExpression, type Query } from './query.ts'
import { snippetOf } from './snippet.ts'

export interface SearchResult {
  /** `digest` where the text is gone: the snippet is the session's title and goal. */
  kind: 'exchange' | 'digest'
  /** `<session>#<place of its prompt>` of an exchange, the session of a digest. */
  id: string
  session: string
  /** The agent's own id of the event that was found. */
  event: string | null
  /** Its place in the session. */
  seq: number | null
  /** Who said it: output of a tool is nobody's word. */
  role: Role | null
  project: string | null
  title: string | null
  score: number
  ts: string | null
  snippet: string
}

export interface SearchOptions extends SearchFilter {
  limit: number
}

export function search(ledger: Ledger, query: Query, { limit, ...filter }: SearchOptions): SearchResult[] {
  if (isEmptyQuery(query)) return []
  const exchanges = findExchanges(ledger, query, filter, limit)
  const digests = findDigests(ledger, query, filter, exchanges[0])
  return [...exchanges.map(({ result }) => result), ...digests].sort((a, b) => b.score - a.score).slice(0, limit)
}

interface Exchange {
  result: SearchResult
  /** What was said where it was found. */
  text: string
}

function findExchanges(ledger: Ledger, query: Query, filter: SearchFilter, limit: number): Exchange[] {
  const sessions = new Map<number, SearchedSession>()
  const found = new Map<string, Exchange>()
  for (const hit of findTexts(ledger, matchExpression(query), filter)) {
    const session = sessions.get(hit.session) ?? searchedSession(ledger, hit.session)
    sessions.set(hit.session, session)
    const id = `${session.uid}#${promptBefore(ledger, hit.session, hit.seq)}`
    if (!found.has(id)) found.set(id, exchangeOf(ledger, query, hit, session, id))
    if (found.size === limit) break
  }
  return [...found.values()]
}

function exchangeOf(ledger: Ledger, query: Query, hit: TextHit, session: SearchedSession, id: string): Exchange {
  const event = eventAt(ledger, session, hit.seq)
  const text = event ? foundText(event, query) : digestText(session)
  const result: SearchResult = {
    kind: 'exchange',
    id,
    session: session.uid,
    event: event?.id || null,
    seq: hit.seq,
    role: event?.role ?? null,
    project: session.project,
    title: session.title,
    score: hit.score,
    ts: timeOfEvent(ledger, hit.session, hit.seq) ?? session.ended,
    snippet: snippetOf(text, query),
  }
  return { result, text }
}

/** Undefined where the body is gone or damaged: what the ledger knows of the session still answers. */
function eventAt(ledger: Ledger, { body }: SearchedSession, seq: number): StoredEvent | undefined {
  if (!body) return undefined
  try {
    for (const event of readBody(ledger.layout.bodies, body.file, body.bytes, seq)) return event
  } catch {
    return undefined
  }
  return undefined
}

/** Of what the index has of an event, the text with most of what was looked for. */
function foundText(event: StoredEvent, query: Query): string {
  const texts = searchTexts(lighten(event)).map(({ text }) => text)
  return texts.reduce((best, text) => (coverage(text, query) > coverage(best, query) ? text : best), texts[0] ?? '')
}

/**
 * Digests are few and short: they are read, not indexed. Their score is the share of the words that they have, against what
 * the best exchange got for its share.
 */
function findDigests(ledger: Ledger, query: Query, filter: SearchFilter, best: Exchange | undefined): SearchResult[] {
  const bestShare = best ? coverage(best.text, query) : 0
  const whole = best && bestShare > 0 ? best.result.score / bestShare : 1
  const found: SearchResult[] = []
  for (const session of evictedSessions(ledger, filter)) {
    const text = digestText(session)
    const share = coverage(text, query)
    if (share === 0) continue
    found.push({
      kind: 'digest',
      id: session.uid,
      session: session.uid,
      event: null,
      seq: null,
      role: null,
      project: session.project,
      title: session.title,
      score: whole * share,
      ts: session.ended,
      snippet: snippetOf(text, query),
    })
  }
  return found
}

/** The title is often the first line of the goal. */
function digestText({ title, goal }: SearchedSession): string {
  if (!title || goal?.startsWith(title.replace(/…$/, ''))) return goal ?? ''
  return goal ? `${title}: ${goal}` : title
}
