// Finds later sources on the same topic: they are placed before the earlier ones, which are marked.

import { contentWords } from '../text/content-words.ts'
import { quotableSentences } from '../text/sentences.ts'
import { asksForCause, intentOf, type QuestionIntent } from './question.ts'
import { likeness, type Profile, profileOf, type Rarity, topicWords } from './similarity.ts'
import type { RecallTopic } from './topics.ts'

export interface PlacedTopic {
  topic: RecallTopic
  later: LaterTopic | null
}

/** The latest source on the same topic; `amends` where it says that it changes a decision. */
export interface LaterTopic {
  topic: RecallTopic
  amends: boolean
}

/**
 * Similarity of talks on the same topic; less is enough where the later one says that it amends.
 */
const minSimilarity = 0.3
const minSimilarityAmended = 0.15

/** Share of the query words in the earlier talk that the later one may lack. */
const maxMissingShare = 0.5

/** Share of the answer of the earlier talk that the later one must have. A cause does not change with time. */
const minShareOfAnswer = 0.5

export function placeLaterFirst(ranked: RecallTopic[], rarity: Rarity, query: string): PlacedTopic[] {
  const profiles = new Map(ranked.map((topic) => [topic, profileOf(topic.texts, rarity)]))
  const asked = profileOf([query], rarity)
  const intent = intentOf(query)
  const placed: PlacedTopic[] = []
  const place = (one: PlacedTopic) => {
    if (!placed.some(({ topic }) => topic === one.topic)) placed.push(one)
  }
  for (const topic of ranked) {
    const later = ranked
      .flatMap((other) => laterTopics(topic, other, { profiles, asked, intent }))
      .sort((a, b) => (a.topic.at < b.topic.at ? 1 : -1))
    const latest = later[0] ?? null
    for (const one of later) place({ topic: one.topic, later: one === latest ? null : latest })
    place({ topic, later: latest })
  }
  return placed
}

function laterTopics(
  topic: RecallTopic,
  other: RecallTopic,
  { profiles, asked, intent }: { profiles: Map<RecallTopic, Profile>; asked: Profile; intent: QuestionIntent },
): LaterTopic[] {
  if (other.at <= topic.at || !isComparable(topic, other)) return []
  const [earlier, later] = [profiles.get(topic)!, profiles.get(other)!]
  const like = likeness(earlier, later)
  const amends = other.texts.some((text) => speaksOfChange(text, earlier))
  const isLater = amends
    ? like >= minSimilarityAmended
    : other.kind === 'exchange' &&
      topic.kind === 'exchange' &&
      !asksForCause(intent) &&
      other.answer >= topic.answer * minShareOfAnswer &&
      like >= minSimilarity &&
      missingShare(asked, earlier, later) <= maxMissingShare
  return isLater ? [{ topic: other, amends }] : []
}

function missingShare(asked: Profile, earlier: Profile, later: Profile): number {
  let [has, lacks] = [0, 0]
  for (const [word, weight] of asked) {
    if (!earlier.has(word)) continue
    has += weight
    if (!later.has(word)) lacks += weight
  }
  return has === 0 ? 0 : lacks / has
}

/** One sentence has a word of change and two of the words that tell what the earlier topic is about. */
function speaksOfChange(text: string, earlier: Profile): boolean {
  if (!changeWords.test(text)) return false
  const subject = new Set(topicWords(earlier, maxSubjectWords))
  return quotableSentences(text).some(
    (sentence) =>
      changeWords.test(sentence) && new Set(contentWords(sentence).filter((word) => subject.has(word))).size >= 2,
  )
}

const maxSubjectWords = 40

/**
 * Admission has ordered memories already. The words of another project change no decision of this one.
 * Commits are comparable only where they share a file.
 */
function isComparable(a: RecallTopic, b: RecallTopic): boolean {
  if (a.kind === 'memory' || b.kind === 'memory') return false
  if (a.project === null || a.project !== b.project) return false
  if (a.kind === 'commit' && b.kind === 'commit') return a.commit.files.some((file) => b.commit.files.includes(file))
  return true
}

/** Does not match `git commit --amend`. */
const changeWords =
  /\b(?:amendments?|amend(?:s|ed|ing)? (?:the|our|that) (?:\w+ ){0,2}(?:rule|policy|decision|agreement|convention)|amended (?:rule|policy|decision|agreement)|supersed\w+|overrul\w+|overturn(?:s|ed|ing)?|(?:previous|earlier|old|original|former) (?:\w+ ){0,2}(?:rule|policy|decision|agreement|convention)|chang(?:e|es|ed|ing) (?:the|our) (?:\w+ )?(?:rule|policy|decision|mind|convention)|update to (?:the|our) (?:\w+ ){0,2}(?:rule|policy|decision|convention)|revis(?:e|es|ed|ing|ion of) (?:the|our) (?:\w+ )?(?:rule|policy|decision)|replaces the (?:\w+ )?(?:rule|policy|decision)|what we (?:decided|agreed))\b/i
