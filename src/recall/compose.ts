// Composes the answer to "what is known about this?" within a token budget: whole sentences of the
// best sources, each with date and origin. A later statement on the same topic comes before an
// earlier one.

import { tellLines, tellWords } from '../gate/gate.ts'
import { contentWords } from '../text/content-words.ts'
import { quotableSentences } from '../text/sentences.ts'
import { estimateTokens } from '../text/tokens.ts'
import type { QuotedPiece } from './argument.ts'
import { findUnexplained } from './commit-pieces.ts'
import { renderCommit, renderMemory, renderTalk, talkHeading } from './render.ts'
import { selectParts } from './select-parts.ts'
import { rarityAmong } from './similarity.ts'
import type { RecallSources } from './sources.ts'
import { type PlacedTopic, placeLaterFirst } from './supersession.ts'
import { findTopics, type MemoryTopic, type RecallTopic } from './topics.ts'

export interface AnswerItem {
  kind: RecallTopic['kind']
  /** Session id, commit hash or memory id. */
  id: string
  at: string
  /** The event of a session that it begins with. */
  seq: number | null
  text: string
  tokens: number
}

export interface ComposedAnswer {
  items: AnswerItem[]
  tokens: number
}

/** Topics below this share of the best score are about something else. */
const minShareOfBest = 0.6
/**
 * From this share of the score on, the next topic may be the one meant, and budget is left for it.
 */
const nearlyAsGood = 0.8
const firstShare = 0.6
/** A smaller budget has no room for a useful quote. */
const minTokens = 60

export function composeAnswer(sources: RecallSources, query: string, budget: number): ComposedAnswer {
  const hits = sources.candidates(query)
  const rarity = rarityAmong(hits)
  const weights = sources.wordWeights?.(query)
  const rarityInStore = (word: string) => weights?.get(word) ?? rarity(word)
  const topics = withAnswers(findTopics(sources, query, hits, rarityInStore))
  const placed = placeLaterFirst(topics, rarity, query)
  return fillBudget(sources, memoriesFirst(selectRelevant(placed)), query, budget)
}

/** Talks are ordered by how well they answer; where one does, those that hardly do are left out. */
function withAnswers(topics: RecallTopic[]): RecallTopic[] {
  const answers = topics.flatMap((topic) => (topic.kind === 'exchange' ? [topic.answer] : []))
  const best = Math.max(0, ...answers)
  if (best === 0) return topics
  return topics
    .map((topic) =>
      topic.kind === 'exchange'
        ? { ...topic, score: topic.score * (1 - answerShare + (answerShare * topic.answer) / best) }
        : topic,
    )
    .sort((a, b) => b.score - a.score)
}

/** Share of the score of a talk that depends on its answer. */
const answerShare = 0.3

/**
 * Topics nearly as good as the best, the talks their memories come from, and earlier and later
 * ones.
 */
function selectRelevant(placed: PlacedTopic[]): PlacedTopic[] {
  const best = Math.max(0, ...placed.map(({ topic }) => topic.score))
  const strong = placed.filter(({ topic }) => topic.score > 0 && topic.score >= best * minShareOfBest)
  const talks = new Set(strong.flatMap(({ topic }) => (topic.kind === 'memory' ? sessionsOf(topic.memory) : [])))
  const found = placed.filter((one) => strong.includes(one) || talks.has(one.topic.id))
  const shown = new Set(found.flatMap(({ topic, later }) => [topic, ...(later ? [later.topic] : [])]))
  return placed.filter(({ topic, later }) => shown.has(topic) || (later !== null && shown.has(later.topic)))
}

/** Puts a memory before the talk that it comes from; drops it where the talk has the same words. */
function memoriesFirst(kept: PlacedTopic[]): PlacedTopic[] {
  const quoted = new Set(kept.flatMap(({ topic }) => (topic.kind === 'exchange' ? [topic.id] : [])))
  const memories = kept.flatMap(({ topic }) => (topic.kind === 'memory' && !hasSuccessor(topic, kept) ? [topic] : []))
  const isFrom = (id: string) => (topic: MemoryTopic) => sessionsOf(topic.memory).includes(id)
  return kept.flatMap((one): PlacedTopic[] => {
    const { topic } = one
    if (topic.kind === 'commit') return [one]
    if (topic.kind === 'memory')
      return memories.includes(topic) && !sessionsOf(topic.memory).some((id) => quoted.has(id)) ? [one] : []
    const own = memories.filter(isFrom(topic.id)).filter(({ memory }) => !isVerbatim(memory.text, topic.texts))
    return [...own.map((memory) => ({ topic: memory, later: one.later })), one]
  })
}

function hasSuccessor({ memory }: MemoryTopic, kept: PlacedTopic[]): boolean {
  return memory.supersededBy !== null && kept.some(({ topic }) => topic.id === memory.supersededBy)
}

/** At least half of the sentences occur literally. */
function isVerbatim(text: string, texts: string[]): boolean {
  const whole = texts.join('\n').replace(/\s+/g, ' ')
  const sentences = quotableSentences(text)
  return sentences.filter((sentence) => whole.includes(sentence)).length * 2 >= sentences.length
}

function sessionsOf(memory: MemoryTopic['memory']): string[] {
  return memory.evidence.flatMap(({ session }) => session ?? [])
}

function fillBudget(sources: RecallSources, kept: PlacedTopic[], query: string, budget: number): ComposedAnswer {
  const items: AnswerItem[] = []
  const said = new Map<string, Set<string>>()
  const told = new Set<string>()
  const mentioned = new Set<string>()
  let left = budget
  for (const [index, one] of kept.entries()) {
    const { kind, id, at } = one.topic
    if (left < minTokens) break
    if (mentioned.has(id)) continue
    const { text, seq } = renderItem(sources, one, {
      query,
      budget: Math.floor(left * shareOf(one, kept[index + 1])),
      said,
      told,
      mentioned,
    })
    const tokens = estimateTokens(text) + 1
    if (text === '' || tokens > left) continue
    items.push({ kind, id, at, seq, text, tokens })
    left -= tokens
  }
  return { items, tokens: budget - left }
}

/** A topic may use the whole budget unless the next one is amended by it or is nearly as good. */
function shareOf({ topic }: PlacedTopic, next: PlacedTopic | undefined): number {
  if (next === undefined || topic.kind === 'memory') return 1
  return next.later?.topic === topic || next.topic.score >= topic.score * nearlyAsGood ? firstShare : 1
}

interface ItemOptions {
  query: string
  budget: number
  /** Quoted words by session. */
  said: Map<string, Set<string>>
  /** Sentences that were quoted, as `plainWords`. */
  told: Set<string>
  /** Commits that the text of another one names. */
  mentioned: Set<string>
}

function renderItem(
  sources: RecallSources,
  { topic, later }: PlacedTopic,
  { query, budget, said, told, mentioned }: ItemOptions,
): Pick<AnswerItem, 'text' | 'seq'> {
  switch (topic.kind) {
    case 'memory': {
      told.add(plainWords(topic.memory.text))
      for (const session of sessionsOf(topic.memory)) addWords(said, session, contentWords(topic.memory.text))
      return { text: renderMemory(topic.memory, later, sources.nowMs), seq: null }
    }
    case 'commit': {
      const unexplained = findUnexplained(topic.commit, sources.commitsAfter(topic.commit))
      if (unexplained) mentioned.add(unexplained.hash)
      const message = tellLines(topic.commit.message, 'agent')
      const after = unexplained && { ...unexplained, message: tellLines(unexplained.message, 'agent') }
      return { text: renderCommit({ ...topic.commit, message }, after, later, query, budget), seq: null }
    }
    case 'exchange': {
      const heading = talkHeading(topic.id, topic.at, later, 0)
      const known = new Set([...(said.get(topic.id) ?? []), ...(later ? (said.get(later.topic.id) ?? []) : [])])
      const selected = toldParts(selectParts(topic, query, budget - estimateTokens(heading) - 2, known))
      const parts = withoutRepeated(selected, told)
      for (const { text } of parts.flat()) told.add(plainWords(text))
      for (const { words } of parts.flat()) addWords(said, topic.id, words.keys())
      const seq = parts.flat()[0]?.seq ?? null
      return { text: seq === null ? '' : renderTalk(talkHeading(topic.id, topic.at, later, seq), parts), seq }
    }
    default:
      return topic satisfies never
  }
}

/** What the person pasted may be the output of a program. */
function toldParts(parts: QuotedPiece[][]): QuotedPiece[][] {
  const isTold = ({ text, role, isPasted }: QuotedPiece) =>
    'told' in tellWords(text, role === 'user' && !isPasted ? 'person' : 'agent')
  return parts.map((part) => part.filter(isTold)).filter((part) => part.length > 0)
}

/** Without sentences that are quoted already, and without the agent's echo of what the person said. */
function withoutRepeated(parts: QuotedPiece[][], told: ReadonlySet<string>): QuotedPiece[][] {
  const known = new Set(told)
  const person = parts.flat().flatMap(({ role, text }) => (role === 'user' ? plainWords(text) : []))
  const isNew = ({ role, text, followed }: QuotedPiece) => {
    const words = plainWords(text)
    const isEcho =
      role === 'assistant' && followed.length === 0 && person.some((one) => `${one} `.startsWith(`${words} `))
    if (isEcho || known.has(words)) return false
    known.add(words)
    return true
  }
  return parts.map((part) => part.filter(isNew)).filter((part) => part.length > 0)
}

/** "Understood, always use pnpm." says the same as "always use pnpm". */
function plainWords(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words.replace(/^(?:(?:yes|no|ok|okay|understood|right|sure|noted|agreed|got it) )+/, '')
}

function addWords(said: Map<string, Set<string>>, session: string, words: Iterable<string>): void {
  said.set(session, new Set([...(said.get(session) ?? []), ...words]))
}
