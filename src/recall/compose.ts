// The answer to "what do we know about this?" within a number of tokens: whole sentences of the best sources, the later word
// before the earlier, each with its date and where it is from.

import { contentWords } from '../text/content-words.ts'
import { sentencesIn } from '../text/sentences.ts'
import { estimateTokens } from '../text/tokens.ts'
import { unexplainedAfter } from './commit-pieces.ts'
import { renderCommit, renderMemory, renderTalk, talkHeading } from './render.ts'
import { pick } from './select-sentences.ts'
import { rarityAmong } from './similarity.ts'
import type { Finder } from './source.ts'
import { type Placed, placeLater } from './supersession.ts'
import { type MemorySubject, type Subject, subjectsFor } from './topics.ts'

export interface Item {
  kind: Subject['kind']
  /** The session, the hash of the commit, the id of the memory. */
  id: string
  at: string
  text: string
  tokens: number
}

export interface Answer {
  items: Item[]
  tokens: number
}

/** What is that much weaker than the best is about something else. */
const leastOfBest = 0.6
/** As good as this, the second may be what was meant, and gets its room. */
const nearlyAsGood = 0.8
const firstShare = 0.6
/** Less than this holds no argument. */
const leastTokens = 60

export function recall(finder: Finder, query: string, budget: number): Answer {
  const hits = finder.candidates(query)
  const rarity = rarityAmong(hits)
  const placed = placeLater(subjectsFor(finder, query, hits, rarity), rarity, query)
  return fill(finder, memoriesFirst(worthShowing(placed)), query, budget)
}

/** What is nearly as good as the best, and what belongs to it: the talk that a memory is from, its earlier and later word. */
function worthShowing(placed: Placed[]): Placed[] {
  const best = Math.max(0, ...placed.map(({ subject }) => subject.score))
  const strong = placed.filter(({ subject }) => subject.score > 0 && subject.score >= best * leastOfBest)
  const sources = new Set(
    strong.flatMap(({ subject }) => (subject.kind === 'memory' ? sessionsOf(subject.memory) : [])),
  )
  const found = placed.filter((one) => strong.includes(one) || sources.has(one.subject.id))
  const shown = new Set(found.flatMap(({ subject, later }) => [subject, ...(later ? [later.subject] : [])]))
  return placed.filter(({ subject, later }) => shown.has(subject) || (later !== null && shown.has(later.subject)))
}

/** A memory stands before the talk that it is from, and where that holds the same words, the talk is enough. */
function memoriesFirst(kept: Placed[]): Placed[] {
  const quoted = new Set(kept.flatMap(({ subject }) => (subject.kind === 'exchange' ? [subject.id] : [])))
  const memories = kept.flatMap(({ subject }) =>
    subject.kind === 'memory' && !isReplaced(subject, kept) ? [subject] : [],
  )
  const isFrom = (id: string) => (subject: MemorySubject) => sessionsOf(subject.memory).includes(id)
  return kept.flatMap((one): Placed[] => {
    const { subject } = one
    if (subject.kind === 'commit') return [one]
    if (subject.kind === 'memory')
      return memories.includes(subject) && !sessionsOf(subject.memory).some((id) => quoted.has(id)) ? [one] : []
    const own = memories.filter(isFrom(subject.id)).filter(({ memory }) => !isVerbatim(memory.text, subject.texts))
    return [...own.map((memory) => ({ subject: memory, later: one.later })), one]
  })
}

function isReplaced({ memory }: MemorySubject, kept: Placed[]): boolean {
  return memory.supersededBy !== null && kept.some(({ subject }) => subject.id === memory.supersededBy)
}

/** Most of it stands there word for word. */
function isVerbatim(text: string, texts: string[]): boolean {
  const whole = texts.join('\n').replace(/\s+/g, ' ')
  const sentences = sentencesIn(text)
  return sentences.filter((sentence) => whole.includes(sentence)).length * 2 >= sentences.length
}

function sessionsOf(memory: MemorySubject['memory']): string[] {
  return memory.evidence.flatMap(({ session }) => session ?? [])
}

function fill(finder: Finder, kept: Placed[], query: string, budget: number): Answer {
  const items: Item[] = []
  const said = new Map<string, Set<string>>()
  const mentioned = new Set<string>()
  let left = budget
  for (const [index, one] of kept.entries()) {
    const { kind, id, at } = one.subject
    if (left < leastTokens) break
    if (mentioned.has(id)) continue
    const text = textOf(finder, one, {
      query,
      budget: Math.floor(left * shareOf(one, kept[index + 1])),
      said,
      mentioned,
    })
    const tokens = estimateTokens(text) + 1
    if (text === '' || tokens > left) continue
    items.push({ kind, id, at, text, tokens })
    left -= tokens
  }
  return { items, tokens: budget - left }
}

/** The first gets what it needs; what it amends, or what is nearly as good, is left some room. */
function shareOf({ subject }: Placed, next: Placed | undefined): number {
  if (next === undefined || subject.kind === 'memory') return 1
  return next.later?.subject === subject || next.subject.score >= subject.score * nearlyAsGood ? firstShare : 1
}

interface Room {
  query: string
  budget: number
  /** By session, the words that were quoted. */
  said: Map<string, Set<string>>
  /** Commits that stand in the text of another. */
  mentioned: Set<string>
}

function textOf(finder: Finder, { subject, later }: Placed, { query, budget, said, mentioned }: Room): string {
  switch (subject.kind) {
    case 'memory': {
      for (const session of sessionsOf(subject.memory)) addTo(said, session, contentWords(subject.memory.text))
      return renderMemory(subject.memory, later)
    }
    case 'commit': {
      const unexplained = unexplainedAfter(subject.commit, finder.after(subject.commit))
      if (unexplained) mentioned.add(unexplained.hash)
      return renderCommit(subject.commit, unexplained, later, query, budget)
    }
    case 'exchange': {
      const heading = talkHeading(subject.id, subject.at, later)
      const known = new Set([...(said.get(subject.id) ?? []), ...(later ? (said.get(later.subject.id) ?? []) : [])])
      const pieces = pick(subject.pieces, budget - estimateTokens(heading) - 2, known)
      for (const { words } of pieces) addTo(said, subject.id, words.keys())
      return pieces.length === 0 ? '' : renderTalk(heading, pieces)
    }
    default:
      return subject satisfies never
  }
}

function addTo(said: Map<string, Set<string>>, session: string, words: Iterable<string>): void {
  said.set(session, new Set([...(said.get(session) ?? []), ...words]))
}
