// Searches everything that is stored: sessions, digests, memories, commits, the journal and the
// wiki. Each result names its source, so that it can be opened.
import { isoTime } from '../core/clock.ts'
import type { EventRole } from '../core/session.ts'
import type { Memory, MemoryTrust } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { type MemoryRankingFields, memoriesByNumber, memoryRankingFields } from '../store/memories/memories.ts'
import { searchTextOf } from '../store/search/index-session.ts'
import type { PassageFilter } from '../store/search/passage-filter.ts'
import { goalOfSession, type HitSession, sessionOfHit } from '../store/search/passage-search.ts'
import { passageSource } from '../store/search/passages.ts'
import { personWords } from '../store/search/person-words.ts'
import type { StoredEvent } from '../store/sessions/bodies.ts'
import { commitsByNumber } from '../store/sessions/commits.ts'
import { promptSeqBefore, summariseEvent } from '../store/sessions/events.ts'
import { articlesByNumber, daysByNumber } from '../store/wiki/articles.ts'
import { isAnswered, maxJudged } from './answerable.ts'
import { type CandidateOptions, findCandidates } from './candidates.ts'
import { type EventsBySeq, readEvents } from './event-texts.ts'
import { matchReasons } from './match-reasons.ts'
import { isEmptyQuery, type Query } from './query.ts'
import type { RankedPassage } from './rank.ts'
import { snippetOf, termCoverage } from './snippet.ts'

export interface SearchResult {
  /** `digest` where only the digest of a session matches, or its text was deleted. */
  kind: 'memory' | 'exchange' | 'digest' | 'commit' | 'article' | 'journal'
  /**
   * The id of a memory, `<session>#<seq of its prompt>` of an exchange, the session of a digest,
   * the hash of a commit, the path of an article or of a journal day in the vault.
   */
  id: string
  session: string | null
  /** The agent's own id of the matching event. */
  event: string | null
  /** Position of the event in its session. */
  seq: number | null
  commit: string | null
  /** The speaker; null for the output of a tool. */
  role: EventRole | null
  project: string | null
  title: string | null
  score: number
  ts: string | null
  snippet: string
  /** Words of the query that it has and where, or `date`. */
  why: string[]
  /** Of a memory: `candidate` if rules propose it and nobody has confirmed it. */
  tier?: 'memory' | 'candidate'
  /** Of a memory: its trust and its successor. */
  trust?: MemoryTrust
  supersededBy?: string | null
  /** Why a memory may be out of date. */
  doubt?: string
  /** Of a memory in a shared space: the space and its author. */
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
  vector?: CandidateOptions['vector']
  /** At most one result per exchange. */
  isDistinct?: boolean
}

export interface SearchAnswer {
  results: SearchResult[]
  /** False if even the best results share too little with the query to answer it. */
  answered: boolean
}

export function search(ledger: Ledger, query: Query, options: SearchOptions): SearchAnswer {
  if (isEmptyQuery(query)) return { results: [], answered: false }
  const { nowMs, vector } = options
  const { plan, ranked } = findCandidates(ledger, query, { ...filterOf(options), nowMs, vector })
  const sources: HitSources = { sessions: new Map(), events: new Map(), memories: new Map(), nowMs }
  const results = new Map<string, SearchResult>()
  const order = reweigh(ledger, ranked)
  const best = nextOf(order, Math.max(Math.min(options.limit, maxTogether), maxJudged))
  const together = best.slice(0, Math.min(options.limit, maxTogether))
  // Reading a text costs more than all of the scoring, so only the texts of shown results are read.
  for (let at = 0; results.size < options.limit; at++) {
    const one = best[at] ?? order.next().value
    if (!one) break
    const result = resultOf(ledger, query, sources, one, together)
    const key = options.isDistinct ? result?.id : `${one.passage.id}`
    if (result && key !== undefined && !results.has(key)) results.set(key, result)
  }
  // Words do not show whether a passage answers that was found by its meaning.
  const answered = results.size > 0 && (vector !== undefined || isAnswered(ledger, { plan, ranked: best }))
  return { results: [...results.values()], answered }
}

/** Limit of event texts in memory at a time: each may hold a whole frame of its body. */
const maxTogether = 20

function nextOf<T>(order: Iterator<T, void>, count: number): T[] {
  const taken: T[] = []
  while (taken.length < count) {
    const next = order.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}

/**
 * Adjusts the scores of memories and pages; drops forgotten memories. Best first. The fields of a
 * memory are only read while those that follow could still rank higher.
 */
function* reweigh(ledger: Ledger, ranked: readonly RankedPassage[]): Generator<RankedPassage, void> {
  let waiting: RankedPassage[] = []
  for (let from = 0; from < ranked.length; from += reweighedAtOnce) {
    waiting.push(...reweighed(ledger, ranked.slice(from, from + reweighedAtOnce)))
    waiting.sort((a, b) => b.score - a.score)
    const highest = highestScore(ranked, from + reweighedAtOnce)
    const sure = waiting.findIndex(({ score }) => score <= highest)
    yield* sure < 0 ? waiting : waiting.slice(0, sure)
    waiting = sure < 0 ? [] : waiting.slice(sure)
  }
  yield* waiting
}

const reweighedAtOnce = 25

function reweighed(ledger: Ledger, ranked: readonly RankedPassage[]): RankedPassage[] {
  const memories = memoryRankingFields(ledger, memoryNumbers(ranked))
  return ranked.flatMap((one) => {
    const source = passageSource(one.passage.id)
    if (source.kind === 'article' || source.kind === 'journal') return [{ ...one, score: one.score * pageFactor }]
    if (source.kind !== 'memory') return [one]
    const memory = memories.get(source.number)
    return memory && memory.state !== 'forgotten' ? [{ ...one, score: one.score * memoryFactor(memory) }] : []
  })
}

function memoryNumbers(ranked: readonly RankedPassage[]): number[] {
  return ranked.flatMap(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === 'memory' ? [source.number] : []
  })
}

/** The highest score that one from this place on can get. */
function highestScore(ranked: readonly RankedPassage[], from: number): number {
  let highest = 0
  for (let at = from; at < ranked.length && ranked[at]!.score > highest; at++) {
    const { passage, score } = ranked[at]!
    highest = Math.max(highest, passageSource(passage.id).kind === 'memory' ? score * maxMemoryFactor : score)
  }
  return highest
}

/** A page repeats its sources, so at an equal score the source ranks first. */
const pageFactor = 0.8

function filterOf({ agent, project, sinceMs, kinds }: SearchOptions): PassageFilter {
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(project === undefined ? {} : { project }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(kinds === undefined ? {} : { kinds: kinds.map((kind) => (kind === 'exchange' ? 'event' : kind)) }),
  }
}

/** What was read for the hits: several of them may share a session, and memories are read together. */
interface HitSources {
  sessions: Map<number, HitSession>
  events: Map<number, EventsBySeq>
  memories: Map<number, Memory>
  nowMs: number
}

function resultOf(
  ledger: Ledger,
  query: Query,
  sources: HitSources,
  { passage, score }: RankedPassage,
  together: readonly RankedPassage[],
): SearchResult | undefined {
  const source = passageSource(passage.id)
  switch (source.kind) {
    case 'memory':
      return memoryResult(query, sources, memoryAt(ledger, sources, source.number, together), score)
    case 'commit':
      return commitResult(ledger, query, sources, source.number, score)
    case 'article':
    case 'journal':
      return pageResult(ledger, query, sources, source, score)
    case 'event':
      return eventResult(ledger, query, sources, source, { passage, score }, together)
    case 'digest':
      return digestResult(ledger, query, sources, source.session, score)
    default:
      return source satisfies never
  }
}

const emptyResult = { session: null, event: null, seq: null, commit: null, role: null, project: null, title: null }

/** Undefined where it was deleted by another process since it was ranked. */
function memoryAt(
  ledger: Ledger,
  { memories }: HitSources,
  number: number,
  together: readonly RankedPassage[],
): Memory | undefined {
  if (!memories.has(number)) {
    const numbers = memories.size === 0 ? memoryNumbers(together) : []
    for (const [each, memory] of memoriesByNumber(ledger, [number, ...numbers])) memories.set(each, memory)
  }
  return memories.get(number)
}

function memoryResult(
  query: Query,
  { nowMs }: HitSources,
  memory: Memory | undefined,
  score: number,
): SearchResult | undefined {
  if (!memory) return undefined
  const { id, project, trust, supersededBy, confirmedAt, text, evidence } = memory
  return {
    ...emptyResult,
    kind: 'memory',
    id,
    session: evidence[0]?.session ?? null,
    event: evidence[0]?.event ?? null,
    project,
    score,
    ts: confirmedAt,
    snippet: snippetOf(text, query),
    why: matchReasons(query, { said: text, ts: confirmedAt }, nowMs),
    tier: memory.state === 'candidate' ? 'candidate' : 'memory',
    trust,
    supersededBy,
    ...(memory.doubt === null ? {} : { doubt: memory.doubt }),
    ...(memory.space === null ? {} : { space: memory.space, ...(memory.author ? { author: memory.author } : {}) }),
  }
}

function commitResult(
  ledger: Ledger,
  query: Query,
  { nowMs }: HitSources,
  number: number,
  score: number,
): SearchResult | undefined {
  const commit = commitsByNumber(ledger, [number]).get(number)
  if (!commit) return undefined
  const { hash, at, message, project } = commit
  const [title = '', ...body] = message.split('\n')
  const snippet = snippetOf(body.join('\n').trim() || title, query)
  const why = matchReasons(query, { said: message, ts: at }, nowMs)
  return { ...emptyResult, kind: 'commit', id: hash, commit: hash, project, title, score, ts: at, snippet, why }
}

function pageResult(
  ledger: Ledger,
  query: Query,
  { nowMs }: HitSources,
  { kind, number }: { kind: 'article' | 'journal'; number: number },
  score: number,
): SearchResult | undefined {
  const page = (kind === 'article' ? articlesByNumber : daysByNumber)(ledger, [number]).get(number)
  if (!page) return undefined
  const { path, title, project, said, updated } = page
  const ts = isoDay(updated)
  const why = matchReasons(query, { said, title, ts }, nowMs)
  return { ...emptyResult, kind, id: path, project, title, score, ts, snippet: snippetOf(said, query), why }
}

function isoDay(day: string): string | null {
  const ms = Date.parse(day)
  return Number.isNaN(ms) ? null : isoTime(ms)
}

function sessionIn(ledger: Ledger, { sessions }: HitSources, id: number): HitSession {
  const session = sessions.get(id) ?? sessionOfHit(ledger, id)
  sessions.set(id, session)
  return session
}

function eventResult(
  ledger: Ledger,
  query: Query,
  sources: HitSources,
  place: EventPlace,
  { passage, score }: RankedPassage,
  together: readonly RankedPassage[],
): SearchResult {
  const session = sessionIn(ledger, sources, place.session)
  const event = eventAt(ledger, sources, session, place, together)
  const ts = passage.ts === null ? session.ended : isoTime(passage.ts)
  const { said = '', done = '' } = event
    ? (searchTextOf(summariseEvent(event)) ?? {})
    : { said: digestText(ledger, place.session, session) }
  return {
    kind: 'exchange',
    id: `${session.uid}#${promptSeqBefore(ledger, place.session, place.seq + 1)}`,
    session: session.uid,
    event: event?.id || null,
    seq: place.seq,
    commit: null,
    role: event && personWords(event) !== '' ? 'user' : (event?.role ?? null),
    project: session.project,
    title: session.title,
    score,
    ts,
    snippet: snippetOf(matchingText(said, done, query), query),
    why: matchReasons(query, { said, done, title: session.title, ts }, sources.nowMs),
  }
}

interface EventPlace {
  session: number
  seq: number
}

/** Undefined where the body was deleted or is damaged: the digest is shown instead. */
function eventAt(
  { layout }: Ledger,
  { events }: HitSources,
  session: HitSession,
  place: EventPlace,
  together: readonly RankedPassage[],
): StoredEvent | undefined {
  if (!events.has(place.session))
    events.set(place.session, readEvents(layout.bodies, session, placesIn(place.session, together)))
  return events.get(place.session)!.get(place.seq) ?? readEvents(layout.bodies, session, [place.seq]).get(place.seq)
}

function placesIn(session: number, ranked: readonly RankedPassage[]): number[] {
  return ranked.flatMap(({ passage }) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' && source.session === session ? [source.seq] : []
  })
}

/** The spoken text or the tool input, whichever has more of the query. */
function matchingText(said: string, done: string, query: Query): string {
  if (said === '' || done === '') return said || done
  return termCoverage(done, query) > termCoverage(said, query) ? done : said
}

function digestResult(ledger: Ledger, query: Query, sources: HitSources, id: number, score: number): SearchResult {
  const session = sessionIn(ledger, sources, id)
  const said = digestText(ledger, id, session)
  return {
    ...emptyResult,
    kind: 'digest',
    id: session.uid,
    session: session.uid,
    project: session.project,
    title: session.title,
    score,
    ts: session.ended,
    snippet: snippetOf(said, query),
    why: matchReasons(query, { said, title: session.title, ts: session.ended }, sources.nowMs),
  }
}

/** The title is often the first line of the goal. */
function digestText(ledger: Ledger, id: number, { title }: HitSession): string {
  const goal = goalOfSession(ledger, id)
  if (!title || goal?.startsWith(title.replace(/…$/, ''))) return goal ?? ''
  return goal ? `${title}: ${goal}` : title
}

/**
 * Validity, trust and importance of a memory. The range is small: the words of the query decide.
 */
function memoryFactor({ importance, trust, state, status, supersededBy, doubt, counts }: MemoryRankingFields): number {
  const holds = supersededBy === null ? 1 : 0.5
  const isSure = state === 'candidate' ? 0.5 : state === 'inbox' || status === 'hypothetical' ? 0.7 : doubt ? 0.85 : 1
  const word = trust === 'user said' ? 1.1 : trust === 'tool printed' ? 0.7 : 0.9
  const often = 1 + Math.min(0.15, 0.05 * (counts.said - 1))
  return holds * isSure * word * often * (0.8 + 0.4 * importance) * memoryLengthFactor
}

/** A memory is shorter than the talk it comes from, which alone would rank it higher. */
const memoryLengthFactor = 0.6

/** No memory gets a higher factor. */
const maxMemoryFactor = 1.1 * 1.15 * 1.2 * memoryLengthFactor
