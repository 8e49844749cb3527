// What an answer is composed from, out of the ledger: hits of the search, whole talks, commits and what came after them.

import { type FindOptions, findPassages } from '../search/candidates.ts'
import type { Ranked } from '../search/rank.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoriesByNumber } from '../store/memories/memories.ts'
import { sessionOfHit } from '../store/search/passage-search.ts'
import { type PassageSource, passageSource } from '../store/search/passages.ts'
import { readBody } from '../store/sessions/bodies.ts'
import { commitsAfter, commitsByNumber, type StoredCommit } from '../store/sessions/commits.ts'
import { bodyOfSession } from '../store/sessions/sessions.ts'
import type { CommitHit, Finder, Hit, MemoryHit, Said } from './source.ts'

export interface FinderOptions {
  project: string | null
  nowMs: number
  /** Of what is asked for, where there are vectors. */
  vector?: FindOptions['vector']
}

/** A talk is read once, however many of its messages were found. */
export function finderOf(ledger: Ledger, options: FinderOptions): Finder {
  const talks = new Map<string, Said[]>()
  const found = new Map<string, Ranked[]>()
  const talk = (session: string) => {
    if (!talks.has(session)) talks.set(session, talkOf(ledger, session))
    return talks.get(session)!
  }
  const ranked = (query: string) => {
    if (!found.has(query)) found.set(query, rankedFor(ledger, query, options))
    return found.get(query)!
  }
  return {
    candidates: (query) => hitsIn(ledger, ranked(query), talk),
    commits: (query) => commitHits(ledger, ranked(query)),
    memories: (query) => memoryHits(ledger, ranked(query)),
    talk,
    after: (commit) =>
      options.project === null
        ? []
        : commitsAfter(ledger, options.project, withoutTests(commit), maxAfter).filter(
            ({ hash }) => hash !== commit.hash,
          ),
  }
}

const maxRanked = 120
/** An answer is composed from what was said, not from pages that tell of it. */
const sources: readonly PassageSource['kind'][] = ['event', 'digest', 'memory', 'commit']
const maxAfter = 200

function rankedFor(ledger: Ledger, query: string, { project, nowMs, vector }: FinderOptions): Ranked[] {
  // A report is a text, not a query: quotes in it are quotes, and a dash is a dash.
  const text = { text: query.slice(0, 4000), phrases: [], without: [], filters: {} }
  const where = project === null ? {} : { project }
  const own = vector?.text === query ? vector : undefined
  return findPassages(ledger, text, { ...where, kinds: sources, nowMs, vector: own }).slice(0, maxRanked)
}

function hitsIn(ledger: Ledger, ranked: readonly Ranked[], talk: (session: string) => Said[]): Hit[] {
  return ranked.flatMap(({ passage, score }) => {
    const source = passageSource(passage.id)
    if (source.kind !== 'event') return []
    const session = sessionOfHit(ledger, source.session).uid
    const said = talk(session).find(({ seq }) => seq === source.seq)
    return said ? [{ ...said, session, score }] : []
  })
}

function commitHits(ledger: Ledger, ranked: readonly Ranked[]): CommitHit[] {
  const scores = scoresOf(ranked, 'commit')
  const commits = commitsByNumber(ledger, [...scores.keys()])
  return [...scores].flatMap(([number, score]) => {
    const commit = commits.get(number)
    return commit ? [{ ...commit, score }] : []
  })
}

function memoryHits(ledger: Ledger, ranked: readonly Ranked[]): MemoryHit[] {
  const scores = scoresOf(ranked, 'memory')
  const memories = memoriesByNumber(ledger, [...scores.keys()])
  return [...scores].flatMap(([number, score]) => {
    const memory = memories.get(number)
    return memory && memory.state === 'kept' ? [{ memory, score }] : []
  })
}

function scoresOf(ranked: readonly Ranked[], kind: 'commit' | 'memory'): Map<number, number> {
  const scores = new Map<number, number>()
  for (const { passage, score } of ranked) {
    const source: PassageSource = passageSource(passage.id)
    if (source.kind === kind && !scores.has(source.number)) scores.set(source.number, score)
  }
  return scores
}

/** Prompts and replies in order; nothing that a tool printed. Empty where the text was let go or cannot be read. */
function talkOf(ledger: Ledger, session: string): Said[] {
  const body = bodyOfSession(ledger, session)
  if (!body) return []
  const said: Said[] = []
  try {
    for (const { seq, kind, text, ts } of readBody(ledger.layout.bodies, body.file, body.bytes)) {
      if (kind !== 'prompt' && kind !== 'reply') continue
      said.push({ seq, role: kind === 'prompt' ? 'user' : 'assistant', text: text.slice(0, longestMessage), at: ts })
    }
  } catch {
    return said
  }
  return said
}

const longestMessage = 20_000

/** What follows in a test file says nothing about the rule. */
function withoutTests(commit: StoredCommit): StoredCommit {
  return { ...commit, files: commit.files.filter((file) => !/(?:^|[/_.-])tests?[/_.-]/.test(file)) }
}
