// One search over everything that is known: what was said and done in sessions, digests, memories, commits, the journal and the
// wiki. Each hit leads to its source: the session and the event, the memory, the commit, the file.

import { isoTime } from '../core/clock.ts'
import type { EventRole } from '../core/session.ts'
import type { MemoryTrust } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesByNumber, memoryRankingFields } from '../store/memories/memories.ts'
import { searchTextOf } from '../store/search/index-session.ts'
import type { PassageFilter } from '../store/search/passage-search.ts'
import { type HitSession, sessionOfHit, timeOfEvent } from '../store/search/passage-search.ts'
import { type PassageSource, passageSource } from '../store/search/passages.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { commitsByNumber } from '../store/sessions/commits.ts'
import { promptSeqBefore, summariseEvent } from '../store/sessions/events.ts'
import { articlesByNumber, daysByNumber } from '../store/wiki/articles.ts'
import { type FindOptions, findPassages } from './candidates.ts'
import { type FoundEvents, readEvents } from './event-texts.ts'
import { isEmptyQuery, type Query } from './query.ts'
import type { Ranked } from './rank.ts'
import { coverage, snippetOf } from './snippet.ts'
import { memoryFactor } from './trust.ts'

export interface SearchResult {
  /** `digest` where only what a session was about fits, or its text is gone. */
  kind: 'memory' | 'exchange' | 'digest' | 'commit' | 'article' | 'journal'
  /**
   * A memory's id, `<session>#<place of its prompt>` of an exchange, the session of a digest, the hash of a commit, the path of an
   * article or of a day of the journal in the vault.
   */
  id: string
  session: string | null
  /** The agent's own id of the event that was found. */
  event: string | null
  /** Its place in the session. */
  seq: number | null
  commit: string | null
  /** Who said it: output of a tool is nobody's word. */
  role: EventRole | null
  project: string | null
  title: string | null
  score: number
  ts: string | null
  snippet: string
  /** Of a memory: whose word it is, and what took its place. */
  trust?: MemoryTrust
  supersededBy?: string | null
  /** Where it is not one's own: the space that it lies in, and who wrote it there. */
  space?: string
  author?: string
}

export type SearchKind = SearchResult['kind']

export interface SearchOptions {
  agent?: string | undefined
  project?: string | undefined
  sinceMs?: number | undefined
  kinds?: readonly SearchKind[] | undefined
  nowMs: number
  limit: number
  /** The question as a vector, where there are vectors. */
  vector?: FindOptions['vector']
  /** One result for each exchange. */
  isDistinct?: boolean
}

export function search(ledger: Ledger, query: Query, options: SearchOptions): SearchResult[] {
  if (isEmptyQuery(query)) return []
  const ranked = findPassages(ledger, query, { ...filterOf(options), nowMs: options.nowMs, vector: options.vector })
  const sources = sourcesOf(ledger, ranked)
  const results = new Map<string, SearchResult>()
  const best = weighed(ranked, sources)
  const together = best.slice(0, Math.min(options.limit, maxTogether))
  // Reading a text costs more than all the weighing: only those that are shown are read.
  for (const one of best) {
    if (results.size === options.limit) break
    const result = resultOf(ledger, query, sources, one, together)
    const key = options.isDistinct ? result?.id : `${one.passage.id}`
    if (result && key !== undefined && !results.has(key)) results.set(key, result)
  }
  return [...results.values()]
}

/** Texts of so many hits are held at a time: each may hold a whole frame of its body. */
const maxTogether = 20

/** Memories by more than their words; what was forgotten is not found. */
function weighed(ranked: readonly Ranked[], { memories }: Sources): Ranked[] {
  return ranked
    .flatMap((one) => {
      const source = passageSource(one.passage.id)
      if (source.kind === 'article' || source.kind === 'journal') return [{ ...one, score: one.score * pageFactor }]
      if (source.kind !== 'memory') return [one]
      const memory = memories.get(source.number)
      return memory && memory.state !== 'forgotten' ? [{ ...one, score: one.score * memoryFactor(memory) }] : []
    })
    .sort((a, b) => b.score - a.score)
}

/** A page tells what its sources say better: they come first where both fit alike. */
const pageFactor = 0.8

function filterOf({ agent, project, sinceMs, kinds }: SearchOptions): PassageFilter {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(kinds === undefined ? {} : { kinds: kinds.map((kind) => (kind === 'exchange' ? 'event' : kind)) }),
  }
}

/** What stands alone and was found, read at once; sessions as they come up. */
interface Sources {
  memories: ReturnType<typeof memoryRankingFields>
  commits: ReturnType<typeof commitsByNumber>
  articles: ReturnType<typeof articlesByNumber>
  days: ReturnType<typeof daysByNumber>
  sessions: Map<number, HitSession>
  events: Map<number, FoundEvents>
}

function sourcesOf(ledger: Ledger, ranked: readonly Ranked[]): Sources {
  const numbers = (kind: PassageSource['kind']) =>
    ranked.flatMap(({ passage }) => {
      const source = passageSource(passage.id)
      return source.kind === kind && 'number' in source ? [source.number] : []
    })
  return {
    memories: memoryRankingFields(ledger, numbers('memory')),
    commits: commitsByNumber(ledger, numbers('commit')),
    articles: articlesByNumber(ledger, numbers('article')),
    days: daysByNumber(ledger, numbers('journal')),
    sessions: new Map(),
    events: new Map(),
  }
}

function resultOf(
  ledger: Ledger,
  query: Query,
  sources: Sources,
  { passage, score }: Ranked,
  together: readonly Ranked[],
): SearchResult | undefined {
  const source = passageSource(passage.id)
  switch (source.kind) {
    case 'memory':
      return memoryResult(ledger, query, source.number, score)
    case 'commit':
      return commitResult(query, sources, source.number, score)
    case 'article':
    case 'journal':
      return pageResult(query, sources, source, score)
    case 'event':
      return eventResult(ledger, query, sources, source, score, together)
    case 'digest':
      return digestResult(query, sessionIn(ledger, sources, source.session), score)
    default:
      return source satisfies never
  }
}

const nothing = { session: null, event: null, seq: null, commit: null, role: null, project: null, title: null }

function memoryResult(ledger: Ledger, query: Query, number: number, score: number): SearchResult | undefined {
  const memory = memoriesByNumber(ledger, [number]).get(number)
  if (!memory) return undefined
  const { id, project, trust, supersededBy, confirmedAt, text, evidence } = memory
  return {
    ...nothing,
    kind: 'memory',
    id,
    session: evidence[0]?.session ?? null,
    event: evidence[0]?.event ?? null,
    project,
    score,
    ts: confirmedAt,
    snippet: snippetOf(text, query),
    trust,
    supersededBy,
    ...(memory.space === null ? {} : { space: memory.space, ...(memory.author ? { author: memory.author } : {}) }),
  }
}

function commitResult(query: Query, { commits }: Sources, number: number, score: number): SearchResult | undefined {
  const commit = commits.get(number)
  if (!commit) return undefined
  const { hash, at, message, project } = commit
  const [title = '', ...body] = message.split('\n')
  const snippet = snippetOf(body.join('\n').trim() || title, query)
  return { ...nothing, kind: 'commit', id: hash, commit: hash, project, title, score, ts: at, snippet }
}

function pageResult(
  query: Query,
  { articles, days }: Sources,
  { kind, number }: { kind: 'article' | 'journal'; number: number },
  score: number,
): SearchResult | undefined {
  const page = (kind === 'article' ? articles : days).get(number)
  if (!page) return undefined
  const { path, title, project, said, updated } = page
  return { ...nothing, kind, id: path, project, title, score, ts: isoDay(updated), snippet: snippetOf(said, query) }
}

function isoDay(day: string): string | null {
  const ms = Date.parse(day)
  return Number.isNaN(ms) ? null : isoTime(ms)
}

function sessionIn(ledger: Ledger, { sessions }: Sources, id: number): HitSession {
  const session = sessions.get(id) ?? sessionOfHit(ledger, id)
  sessions.set(id, session)
  return session
}

function eventResult(
  ledger: Ledger,
  query: Query,
  sources: Sources,
  place: Place,
  score: number,
  together: readonly Ranked[],
): SearchResult {
  const session = sessionIn(ledger, sources, place.session)
  const event = eventAt(ledger, sources, session, place, together)
  return {
    kind: 'exchange',
    id: `${session.uid}#${promptSeqBefore(ledger, place.session, place.seq + 1)}`,
    session: session.uid,
    event: event?.id || null,
    seq: place.seq,
    commit: null,
    role: event?.role ?? null,
    project: session.project,
    title: session.title,
    score,
    ts: timeOfEvent(ledger, place.session, place.seq) ?? session.ended,
    snippet: snippetOf(event ? foundText(event, query) : digestText(session), query),
  }
}

interface Place {
  session: number
  seq: number
}

/** Undefined where the body is gone or damaged: what the ledger knows of the session still answers. */
function eventAt(
  { layout }: Ledger,
  { events }: Sources,
  session: HitSession,
  place: Place,
  together: readonly Ranked[],
): StoredEvent | undefined {
  if (!events.has(place.session))
    events.set(place.session, readEvents(layout.bodies, session, placesIn(place.session, together)))
  return events.get(place.session)!.get(place.seq) ?? readEvents(layout.bodies, session, [place.seq]).get(place.seq)
}

function placesIn(session: number, ranked: readonly Ranked[]): number[] {
  return ranked.flatMap(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' && source.session === session ? [source.seq] : []
  })
}

/** Of what was said and done, the one that has more of what was looked for. */
function foundText(event: StoredEvent, query: Query): string {
  const { said = '', done = '' } = searchTextOf(summariseEvent(event)) ?? {}
  if (said === '' || done === '') return said || done
  return coverage(done, query) > coverage(said, query) ? done : said
}

function digestResult(query: Query, session: HitSession, score: number): SearchResult {
  return {
    ...nothing,
    kind: 'digest',
    id: session.uid,
    session: session.uid,
    project: session.project,
    title: session.title,
    score,
    ts: session.ended,
    snippet: snippetOf(digestText(session), query),
  }
}

/** The title is often the first line of the goal. */
function digestText({ title, goal }: HitSession): string {
  if (!title || goal?.startsWith(title.replace(/…$/, ''))) return goal ?? ''
  return goal ? `${title}: ${goal}` : title
}
