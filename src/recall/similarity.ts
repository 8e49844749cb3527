// How much two texts are about the same thing: the words that they share, rare ones first.

import { contentWords } from '../text/content-words.ts'
import type { TalkHit } from './sources.ts'

export type Profile = Map<string, number>

/** How rare a word is. */
export type Rarity = (word: string) => number

/**
 * By the share of the sessions found that have it: in which of their messages, and in how many,
 * depends on the search.
 */
export function rarityAmong(hits: TalkHit[]): Rarity {
  const sessions = new Map<string, Set<string>>()
  for (const { session } of hits) sessions.set(session, new Set())
  for (const { session, text } of hits)
    for (const word of contentWords(beginning(text))) sessions.get(session)!.add(word)
  const seen = new Map<string, number>()
  for (const words of sessions.values()) for (const word of words) seen.set(word, (seen.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + sessions.size / ((seen.get(word) ?? 0) + 0.5))
}

export function profileOf(texts: string[], rarity: Rarity): Profile {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const word of new Set(contentWords(beginning(text)))) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Map([...counts].map(([word, count]) => [word, Math.log2(1 + count) * rarity(word)]))
}

/** Of a paste the beginning tells what it is about. */
function beginning(text: string): string {
  return text.slice(0, 3000)
}

/** 0 to 1. */
export function likeness(a: Profile, b: Profile): number {
  let shared = 0
  for (const [word, weight] of a) shared += weight * (b.get(word) ?? 0)
  const size = Math.sqrt(squares(a) * squares(b))
  return size === 0 ? 0 : shared / size
}

function squares(profile: Profile): number {
  let sum = 0
  for (const weight of profile.values()) sum += weight * weight
  return sum
}

/** What a text is about, as a question: its heaviest words. */
export function topicWords(profile: Profile, count: number): string[] {
  return [...profile]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([word]) => word)
}
