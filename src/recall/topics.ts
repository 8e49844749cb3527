// Turns hits into topics to quote from, best first: sessions scored by their best hits and by how
// much was settled there, commits by how much they explain, memories by their importance.

import type { Memory } from '../memory/memory.ts'
import { contentWords } from '../text/content-words.ts'
import { extractArgument, type QuotedPiece, raiseFirmness } from './argument.ts'
import { prescribes } from './assertiveness.ts'
import { explanationFactor } from './commit-pieces.ts'
import { findExplanations, type TalkExplanation } from './explanations.ts'
import { asksForCause, intentOf, isAsked, type QuestionIntent, subjectWords } from './question.ts'
import { profileOf, type Rarity, topicWords } from './similarity.ts'
import type { CommitHit, MemoryHit, RecallSources, SourceCommit, TalkHit, TalkMessage, TalkPlace } from './sources.ts'
import { subjectRelevance, weightedShare } from './subject.ts'

interface TopicBase {
  /** Session id, commit hash or memory id. */
  id: string
  /** Time of the last message, of the commit, or when the memory was last confirmed. */
  at: string
  score: number
  texts: string[]
  /** Null where it is unknown, and for memories, which admission has compared. */
  project: string | null
}

export interface TalkTopic extends TopicBase {
  kind: 'exchange'
  /** What was stated: rules, decisions, answers. */
  pieces: QuotedPiece[]
  /** What the agent found out about it, best first. */
  explanations: TalkExplanation[]
  /** How well it answers a question; 0 for a report. */
  answer: number
}

export interface CommitTopic extends TopicBase {
  kind: 'commit'
  commit: SourceCommit
}

export interface MemoryTopic extends TopicBase {
  kind: 'memory'
  memory: Memory
}

export type RecallTopic = TalkTopic | CommitTopic | MemoryTopic

/** Limit of sessions that are read. */
export const maxTalks = 8
/** A talk up to this length is used whole; of a longer one, the messages around its best hits. */
const maxWholeTalk = 24
const nearbyMessages = 2
const maxPlaces = 5
/** Limit of sessions that are searched for a later statement on the best topic. */
const maxOnTopic = 3
const maxCommits = 12
const maxMemories = 12

export function findTopics(sources: RecallSources, query: string, hits: TalkHit[], rarity: Rarity): RecallTopic[] {
  const intent = intentOf(query)
  const memories = sources
    .memories(query)
    .slice(0, maxMemories)
    .map((hit) => memoryTopic(hit, intent))
  const read = (session: string, score: number) =>
    talkTopic(sources, { session, score, query, intent, rarity, memories, hits })
  const talks = bestSessions(hits)
    .slice(0, maxTalks)
    .flatMap(({ session, score }) => read(session, score))
    .sort(byScore)
  const more =
    talks[0] === undefined ? [] : relatedSessions(sources, talks[0], rarity).flatMap((session) => read(session, 0))
  const commits = sources.commits(query).slice(0, maxCommits).map(commitTopic)
  return [...talks, ...more.filter(({ id }) => !talks.some((talk) => talk.id === id)), ...commits, ...memories].sort(
    byScore,
  )
}

function byScore(a: { score: number }, b: { score: number }): number {
  return b.score - a.score
}

/** Weights of the best hits of a session: one may be chance, three make a topic. */
const hitWeights = [1, 0.3, 0.15, 0.1]

export function bestSessions(hits: readonly TalkPlace[]): { session: string; score: number }[] {
  const scores = Map.groupBy(hits, ({ session }) => session)
  return [...scores]
    .map(([session, best]) => ({
      session,
      score: hitWeights.reduce((sum, weight, place) => sum + weight * (best[place]?.score ?? 0), 0) / sumOf(hitWeights),
    }))
    .sort(byScore)
}

/** Compensates sessions with fewer messages than weighted hits. */
function scaleByLength(score: number, messages: number): number {
  return (score * sumOf(hitWeights)) / sumOf(hitWeights.slice(0, messages))
}

function sumOf(numbers: number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}

interface TalkReading {
  session: string
  score: number
  query: string
  intent: QuestionIntent
  rarity: Rarity
  memories: MemoryTopic[]
  hits: TalkHit[]
}

/** Sentences that became memories are firmer. */
function talkTopic(sources: RecallSources, reading: TalkReading): TalkTopic[] {
  const { session, score, query, intent, rarity, memories, hits } = reading
  const found = hits.filter((hit) => hit.session === session).map(({ seq }) => seq)
  const whole = sources.talk(session)
  const talk = messagesNear(whole, found, query)
  if (talk.length === 0) return []
  const learned = memories
    .filter(({ memory }) => memory.evidence.some((evidence) => evidence.session === session))
    .map(({ memory }) => memory.text)
  const isLearned = (piece: QuotedPiece) => learned.some((text) => text.includes(piece.text))
  const isQuestion = isAsked(intent)
  const shareOf = weightedShare(query, rarity)
  const relevance = subjectRelevance(whole, { query, rarity, about: sources.about?.(session) ?? '' })
  const explanations = findExplanations(whole, { query, intent, rarity }, relevance)
  const relevanceOf = ({ seq, asked, text, place }: QuotedPiece) => {
    const sentence = { place, text: `${asked} ${text}` }
    return relevance
      .at(
        whole.findIndex((said) => said.seq === seq),
        [sentence],
      )
      .of(sentence)
  }
  const stated = extractArgument(talk, query).filter(({ isPasted }) => !(isQuestion && isPasted))
  const isWhole = !isQuestion && talk.length === whole.length
  // A sentence beside one on the subject may be its reason.
  const about = new Set(
    stated.filter(({ text, asked }) => shareOf(`${asked} ${text}`) > minAbout(intent)).map(({ seq }) => seq),
  )
  const isAbout = ({ seq }: QuotedPiece) =>
    isWhole || about.has(seq) || explanations.some(({ from, to }) => seq >= from && seq <= to)
  const pieces = raiseFirmness(stated.filter(isAbout)).map((piece) => ({
    ...piece,
    firmness: isLearned(piece) ? piece.firmness + 1 : piece.firmness,
    ...(isQuestion ? { relevance: relevanceOf(piece) } : {}),
  }))
  const answer = answerScore(pieces, explanations, intent)
  const at = talk.findLast((said) => said.at !== null)?.at ?? ''
  return [
    {
      kind: 'exchange',
      id: session,
      at,
      score: scaleByLength(score, talk.length) * (isQuestion ? 1 : 0.7 + 0.3 * settledness(pieces)),
      texts: talk.map(({ text }) => text),
      project: sources.projectOf?.(session) ?? null,
      pieces,
      explanations,
      answer,
    },
  ]
}

/** A statement that answers a question has more than one of its words. */
function minAbout(intent: QuestionIntent): number {
  return isAsked(intent) ? 0.25 : 0
}

/** The best explanation, or the firmest decision of the person on the subject. */
function answerScore(pieces: QuotedPiece[], explanations: TalkExplanation[], intent: QuestionIntent): number {
  if (!isAsked(intent)) return 0
  const explained = explanations[0]?.score ?? 0
  if (intent !== 'decision') return explained
  const stated = pieces.filter(({ role }) => role === 'user')
  return Math.max(explained, ...stated.map(({ firmness, relevance = 0 }) => firmness * relevance))
}

/**
 * The messages around hits and around prompts with most words of the subject, since the last word
 * on it may be far from the best hits; of a long talk without any, its end.
 */
function messagesNear(talk: TalkMessage[], found: number[], query: string): TalkMessage[] {
  if (talk.length <= maxWholeTalk) return talk
  const hits = found.slice(0, maxPlaces).map((seq) => talk.findIndex((said) => said.seq === seq))
  const places = [...hits, ...promptsAbout(talk, query)]
  const isNear = (place: number) => places.some((hit) => hit >= 0 && Math.abs(hit - place) <= nearbyMessages)
  return places.length === 0 ? talk.slice(-maxWholeTalk) : talk.filter((_, place) => isNear(place))
}

const minSubjectShare = 0.6

function promptsAbout(talk: TalkMessage[], query: string): number[] {
  const subject = subjectWords(query)
  if (subject.size < 2 || subject.size > maxSubjectWords) return []
  const isAbout = ({ role, text }: TalkMessage) => {
    if (role !== 'user' || text.length > maxPromptRead) return false
    const words = new Set(contentWords(text))
    return [...subject].filter((word) => words.has(word)).length >= subject.size * minSubjectShare
  }
  return talk.flatMap((said, place) => (isAbout(said) ? [place] : [])).slice(-maxPlaces)
}

/** A longer query is a report, whose words are everywhere. */
const maxSubjectWords = 8
/** A longer prompt is a document. */
const maxPromptRead = 4000

/**
 * From 0 (chatter) to 1 (decisions): the median firmness of the user's answers and the number of
 * binding ones.
 */
function settledness(pieces: QuotedPiece[]): number {
  const first = pieces.find(({ role }) => role === 'user')?.seq
  const firm = pieces.filter(({ role, seq }) => role === 'user' && seq !== first).map(({ firmness }) => firmness)
  const middle = firm.sort((a, b) => a - b)[Math.floor(firm.length / 2)] ?? 0
  const binding = pieces.filter(({ firmness, text }) => firmness >= 1.5 && prescribes(text)).length
  return (Math.min(1, Math.max(0, middle / 1.5)) + Math.min(1, binding / 3)) / 2
}

/**
 * Sessions on the topic of the best one. A later statement may have none of the words of the query;
 * it is shown only if it amends the best one.
 */
function relatedSessions(sources: RecallSources, best: TalkTopic, rarity: Rarity): string[] {
  const words = topicWords(profileOf(best.texts, rarity), 12)
  return bestSessions(sources.places(words.join(' ')))
    .slice(0, maxOnTopic)
    .map(({ session }) => session)
    .filter((session) => session !== best.id)
}

function commitTopic(commit: CommitHit): CommitTopic {
  return {
    kind: 'commit',
    id: commit.hash,
    at: commit.at,
    score: commit.score * explanationFactor(commit),
    texts: [commit.message],
    project: commit.project ?? null,
    commit,
  }
}

function memoryTopic({ memory, score }: MemoryHit, intent: QuestionIntent): MemoryTopic {
  const answers = asksForCause(intent) && (memory.kind === 'debugging' || memory.kind === 'workaround')
  const texts = [memory.text, memory.why ?? '', memory.apply ?? '']
  return {
    kind: 'memory',
    id: memory.id,
    at: memory.confirmedAt,
    score: score * (0.8 + 0.4 * memory.importance) * (answers ? causeFactor : 1),
    texts,
    project: null,
    memory,
  }
}

/** A memory of a cause or a workaround answers why something fails. */
const causeFactor = 1.3
