// Reads the sources of an answer from the ledger: search hits, whole talks, commits and later
// commits.

import { commandOf } from '../core/commands.ts'
import { publicationIn } from '../digest/published-work.ts'
import { isAnswered, subjectWeight } from '../search/answerable.ts'
import { type CandidateOptions, type Candidates, findCandidates } from '../search/candidates.ts'
import { readEvents } from '../search/event-texts.ts'
import type { QueryTerm } from '../search/plan.ts'
import type { RankedPassage } from '../search/rank.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesByNumber } from '../store/memories/memories.ts'
import { type PassageSource, passageSource } from '../store/search/passages.ts'
import { personWords } from '../store/search/person-words.ts'
import { readIndexed, type StoredEvent } from '../store/sessions/bodies.ts'
import { commitsAfter, commitsByNumber, type StoredCommit } from '../store/sessions/commits.ts'
import { eventKindsAt } from '../store/sessions/events.ts'
import { bodyOfSession } from '../store/sessions/session-bodies.ts'
import { findSessions, sessionUid } from '../store/sessions/sessions.ts'
import { once } from './once.ts'
import type { CommitHit, MemoryHit, RecallSources, TalkHit, TalkMessage, TalkPlace, TalkSignal } from './sources.ts'
import { bestSessions, maxTalks } from './topics.ts'

export interface SourceOptions {
  project: string | null
  nowMs: number
  /** Vector of the question, where there are vectors. */
  vector?: CandidateOptions['vector']
}

export interface LedgerSources extends RecallSources {
  /** Whether the best sources answer the query at all, or whether one session does. */
  isAnswered(query: string, session?: string): boolean
}

/** Reads each talk and ranks each query once. */
export function ledgerSources(ledger: Ledger, options: SourceOptions): LedgerSources {
  const talk = once((session: string) => readTalk(ledger, session))
  const candidates = once((query: string) => rankFor(ledger, query, options))
  const uid = once((session: number) => sessionUid(ledger, session))
  const places = once((query: string) => talkPlaces(ledger, candidates(query).ranked, uid, talk))
  const about = once((session: string) => aboutSession(ledger, session))
  const ranked = (query: string) => candidates(query).ranked
  return {
    nowMs: options.nowMs,
    candidates: once((query) => talkHits(ledger, places(query), talk)),
    places,
    wordWeights: (query) => wordWeights(candidates(query)),
    commits: (query) => commitHits(ledger, ranked(query)),
    memories: (query) => memoryHits(ledger, ranked(query)),
    // Words do not show whether a passage answers that was found by its meaning.
    isAnswered: (query, session) =>
      options.vector !== undefined || isAnswered(ledger, limitTo(candidates(query), session, uid)),
    talk,
    about: (session) => about(session).text,
    projectOf: (session) => about(session).project,
    commitsAfter: (commit) =>
      options.project === null
        ? []
        : commitsAfter(ledger, options.project, withoutTests(commit), maxCommitsAfter).filter(
            ({ hash }) => hash !== commit.hash,
          ),
  }
}

const maxRanked = 120
/** Articles and journal days are left out, because they repeat their sources. */
const sources: readonly PassageSource['kind'][] = ['event', 'digest', 'memory', 'commit']
const maxCommitsAfter = 200

function rankFor(ledger: Ledger, query: string, { project, nowMs, vector }: SourceOptions): Candidates {
  // The question is plain text: quotes and dashes in it are not query syntax.
  const text = { text: query.slice(0, 4000), phrases: [], without: [], filters: {} }
  const where = project === null ? {} : { project }
  const own = vector?.text === query ? vector : undefined
  const { plan, ranked } = findCandidates(ledger, text, { ...where, kinds: sources, nowMs, vector: own })
  return { plan, ranked: ranked.slice(0, maxRanked) }
}

function wordWeights({ plan }: Candidates): Map<string, number> {
  const knownShare = ({ count, relatives }: QueryTerm) =>
    count > 0 ? 1 : relatives.length > 0 ? relativeShare : unknownShare
  return new Map(plan.terms.map((term) => [term.term, subjectWeight(term) * knownShare(term)]))
}

/** No passage can have a word that is not in the store, so it must not decide between them. */
const unknownShare = 0.1
const relativeShare = 0.4

function limitTo(
  { plan, ranked }: Candidates,
  session: string | undefined,
  uid: (session: number) => string,
): Candidates {
  if (session === undefined) return { plan, ranked }
  const isOwn = ({ passage }: RankedPassage) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' && uid(source.session) === session
  }
  return { plan, ranked: ranked.filter(isOwn) }
}

/** The hits that are messages, which the kind of the event says: no text is read. */
function talkPlaces(
  ledger: Ledger,
  ranked: readonly RankedPassage[],
  uid: (session: number) => string,
  talk: (session: string) => TalkMessage[],
): TalkPlace[] {
  const hits = ranked.flatMap(({ passage, score }) => {
    const source = passageSource(passage.id)
    return source.kind === 'event' ? [{ ...source, role: passage.role, score }] : []
  })
  const kinds = eventKindsAt(ledger, hits)
  return hits.flatMap(({ session: number, seq, role, score }, index) => {
    const kind = kinds[index]
    const session = uid(number)
    const isMessage =
      kind === undefined
        ? talk(session).some((said) => said.seq === seq)
        : kind === 'prompt' || kind === 'reply' || (kind === 'tool_result' && role === 'human')
    return isMessage ? [{ session, seq, score }] : []
  })
}

/** Talks that are quoted from are read whole; of others only the messages that were found. */
function talkHits(ledger: Ledger, places: readonly TalkPlace[], talk: (session: string) => TalkMessage[]): TalkHit[] {
  const quoted = new Set(
    bestSessions(places)
      .slice(0, maxTalks)
      .map(({ session }) => session),
  )
  const messages = new Map(
    [...Map.groupBy(places, ({ session }) => session)].map(([session, own]) => [
      session,
      quoted.has(session) ? talk(session) : readMessages(ledger, session, own),
    ]),
  )
  return places.flatMap(({ session, seq, score }) => {
    const said = messages.get(session)!.find((message) => message.seq === seq)
    return said ? [{ ...said, session, score }] : []
  })
}

function readMessages(ledger: Ledger, session: string, places: readonly TalkPlace[]): TalkMessage[] {
  const events = readEvents(
    ledger.layout.bodies,
    { body: bodyOfSession(ledger, session) },
    places.map(({ seq }) => seq),
  )
  return [...events.values()].flatMap((event) => messageOf(event) ?? [])
}

function commitHits(ledger: Ledger, ranked: readonly RankedPassage[]): CommitHit[] {
  const scores = scoresOf(ranked, 'commit')
  const commits = commitsByNumber(ledger, [...scores.keys()])
  return [...scores].flatMap(([number, score]) => {
    const commit = commits.get(number)
    return commit ? [{ ...commit, score }] : []
  })
}

function memoryHits(ledger: Ledger, ranked: readonly RankedPassage[]): MemoryHit[] {
  const scores = scoresOf(ranked, 'memory')
  const memories = memoriesByNumber(ledger, [...scores.keys()])
  return [...scores].flatMap(([number, score]) => {
    const memory = memories.get(number)
    return memory && memory.state === 'kept' ? [{ memory, score }] : []
  })
}

function scoresOf(ranked: readonly RankedPassage[], kind: 'commit' | 'memory'): Map<number, number> {
  const scores = new Map<number, number>()
  for (const { passage, score } of ranked) {
    const source: PassageSource = passageSource(passage.id)
    if (source.kind === kind && !scores.has(source.number)) scores.set(source.number, score)
  }
  return scores
}

function aboutSession(ledger: Ledger, session: string): { text: string; project: string | null } {
  const found = findSessions(ledger, session).find(({ id }) => id === session)
  return { text: `${found?.title ?? ''} ${found?.projectName ?? ''}`, project: found?.project ?? null }
}

function readTalk(ledger: Ledger, session: string): TalkMessage[] {
  const body = bodyOfSession(ledger, session)
  if (!body) return []
  const said: TalkMessage[] = []
  const commits = new Set<string>()
  try {
    for (const event of readIndexed(ledger.layout.bodies, body.file, body.bytes)) {
      if (event.kind === 'tool_call' && event.call && publicationIn(commandOf(event.input))) commits.add(event.call)
      const signal = signalOf(event, commits)
      if (signal) said.at(-1)?.signals?.push(signal)
      if (signal === 'committed') said.at(-1)?.commits?.push(...subjectsIn(event))
      const message = messageOf(event)
      if (message) said.push(message)
    }
  } catch {
    return said
  }
  return said
}

/** Undefined for an event in which nobody said anything. */
function messageOf(event: StoredEvent): TalkMessage | undefined {
  const { seq, kind, text, ts } = event
  const words = kind === 'prompt' || kind === 'reply' ? text : personWords(event)
  if (words === '') return undefined
  const role = kind === 'reply' ? 'assistant' : 'user'
  return { seq, role, text: words.slice(0, maxMessageLength), at: ts, signals: [], commits: [] }
}

function signalOf(event: StoredEvent, commits: ReadonlySet<string>): TalkSignal | undefined {
  const isOk = !event.error && !event.exit
  if (event.kind === 'edit') return 'edited'
  if (event.kind === 'test_run') return isOk && (event.tests?.failed ?? 0) === 0 ? 'tests passed' : 'tests failed'
  if (event.kind === 'lifecycle') return /^Commit [0-9a-f]{7,40}\b/.test(event.text) ? 'committed' : undefined
  return event.kind === 'tool_result' && isOk && event.call && commits.has(event.call) ? 'committed' : undefined
}

/** As git prints them, `[main 0a1b2c3] Fix it`, and as a reader of an agent reports them. */
function subjectsIn({ text }: StoredEvent): string[] {
  const found = text
    .slice(0, maxMessageLength)
    .matchAll(/^(?:\[[^\]\n]* [0-9a-f]{7,40}\]|Commit [0-9a-f]{7,40}) (.+)$/gm)
  return [...found].map((match) => match[1]!.trim()).filter((subject) => subject !== 'committed')
}

const maxMessageLength = 40_000

/** A later change of a test does not change the rule. */
function withoutTests(commit: StoredCommit): StoredCommit {
  return { ...commit, files: commit.files.filter((file) => !/(?:^|[/_.-])tests?[/_.-]/.test(file)) }
}
