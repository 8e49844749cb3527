// From hits to what may be quoted: sessions by their best hits and by whether anything was settled there, commits by how much
// they explain, memories by their weight; the best first.

import type { Memory } from '../memory/memory.ts'
import { argumentOf, type Piece } from './argument.ts'
import { prescribes } from './assertiveness.ts'
import { explained } from './commit-pieces.ts'
import { profileOf, type Rarity, topicWords } from './similarity.ts'
import type { Commit, CommitHit, Finder, Hit, MemoryHit, Said } from './source.ts'

interface Ranked {
  /** The session, the hash of the commit, the id of the memory. */
  id: string
  /** When it was said last. */
  at: string
  score: number
  texts: string[]
}

export interface TalkSubject extends Ranked {
  kind: 'exchange'
  pieces: Piece[]
}

export interface CommitSubject extends Ranked {
  kind: 'commit'
  commit: Commit
}

export interface MemorySubject extends Ranked {
  kind: 'memory'
  memory: Memory
}

export type Subject = TalkSubject | CommitSubject | MemorySubject

/** Sessions whose whole talk is read. */
const maxTalks = 6
/** A talk of so many messages is about one thing and read as a whole; of a longer one, so many around each of its best hits. */
const wholeTalk = 24
const nearby = 2
const maxPlaces = 5
/** Sessions that are looked at for a later word. */
const maxOnTopic = 3
const maxCommits = 12
const maxMemories = 12

export function subjectsFor(finder: Finder, query: string, hits: Hit[], rarity: Rarity): Subject[] {
  const memories = finder.memories(query).slice(0, maxMemories).map(memorySubject)
  const read = (session: string, score: number) => talkSubject(finder, { session, score, query, memories, hits })
  const talks = bestSessions(hits)
    .slice(0, maxTalks)
    .flatMap(({ session, score }) => read(session, score))
    .sort(byScore)
  const more = talks[0] === undefined ? [] : onTopic(finder, talks[0], rarity).flatMap((session) => read(session, 0))
  const commits = finder.commits(query).slice(0, maxCommits).map(commitSubject)
  return [...talks, ...more.filter(({ id }) => !talks.some((talk) => talk.id === id)), ...commits, ...memories].sort(
    byScore,
  )
}

function byScore(a: { score: number }, b: { score: number }): number {
  return b.score - a.score
}

/** What the best hits of a session count: one may be chance, three are a subject. */
const places = [1, 0.5, 0.25]

function bestSessions(hits: Hit[]): { session: string; score: number }[] {
  const scores = Map.groupBy(hits, ({ session }) => session)
  return [...scores]
    .map(([session, best]) => ({
      session,
      score: places.reduce((sum, weight, place) => sum + weight * (best[place]?.score ?? 0), 0) / sumOf(places),
    }))
    .sort(byScore)
}

/** A session of one message has no second place to be found at. */
function fairly(score: number, messages: number): number {
  return (score * sumOf(places)) / sumOf(places.slice(0, messages))
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

interface Reading {
  session: string
  score: number
  query: string
  memories: MemorySubject[]
  hits: Hit[]
}

/** What was learned from a talk is firmer than what a judge left. */
function talkSubject(finder: Finder, { session, score, query, memories, hits }: Reading): TalkSubject[] {
  const found = hits.filter((hit) => hit.session === session).map(({ seq }) => seq)
  const talk = around(finder.talk(session), found)
  if (talk.length === 0) return []
  const learned = memories
    .filter(({ memory }) => memory.evidence.some((evidence) => evidence.session === session))
    .map(({ memory }) => memory.text)
  const isLearned = (piece: Piece) => learned.some((text) => text.includes(piece.text))
  const pieces = argumentOf(talk, query).map((piece) =>
    isLearned(piece) ? { ...piece, firmness: piece.firmness + 1 } : piece,
  )
  const at = talk.findLast((said) => said.at !== null)?.at ?? ''
  return [
    {
      kind: 'exchange',
      id: session,
      at,
      score: fairly(score, talk.length) * (0.7 + 0.3 * settled(pieces)),
      texts: talk.map(({ text }) => text),
      pieces,
    },
  ]
}

/** Where the search found nothing in a long talk, its end is read. */
function around(talk: Said[], found: number[]): Said[] {
  if (talk.length <= wholeTalk) return talk
  const places = found.slice(0, maxPlaces).map((seq) => talk.findIndex((said) => said.seq === seq))
  const isNear = (place: number) => places.some((hit) => hit >= 0 && Math.abs(hit - place) <= nearby)
  return places.length === 0 ? talk.slice(-wholeTalk) : talk.filter((_, place) => isNear(place))
}

/** From 0, talk, to 1, decisions: how firm the person's answers are as a rule, and how many of them bind. */
function settled(pieces: Piece[]): number {
  const first = pieces.find(({ role }) => role === 'user')?.seq
  const firm = pieces.filter(({ role, seq }) => role === 'user' && seq !== first).map(({ firmness }) => firmness)
  const middle = firm.sort((a, b) => a - b)[Math.floor(firm.length / 2)] ?? 0
  const binding = pieces.filter(({ firmness, text }) => firmness >= 1.5 && prescribes(text)).length
  return (Math.min(1, Math.max(0, middle / 1.5)) + Math.min(1, binding / 3)) / 2
}

/**
 * Sessions about what the best one is about. The later word on a thing may use none of the words that were asked for; it is
 * shown only where it turns out to be one.
 */
function onTopic(finder: Finder, best: TalkSubject, rarity: Rarity): string[] {
  const words = topicWords(profileOf(best.texts, rarity), 12)
  return bestSessions(finder.candidates(words.join(' ')))
    .slice(0, maxOnTopic)
    .map(({ session }) => session)
    .filter((session) => session !== best.id)
}

function commitSubject(commit: CommitHit): CommitSubject {
  return {
    kind: 'commit',
    id: commit.hash,
    at: commit.at,
    score: commit.score * explained(commit),
    texts: [commit.message],
    commit,
  }
}

function memorySubject({ memory, score }: MemoryHit): MemorySubject {
  const texts = [memory.text, memory.why ?? '', memory.apply ?? '']
  return {
    kind: 'memory',
    id: memory.id,
    at: memory.confirmedAt,
    score: score * (0.8 + 0.4 * memory.importance),
    texts,
    memory,
  }
}
