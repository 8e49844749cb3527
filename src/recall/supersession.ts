// The later word on the same thing stands before the earlier one, and the earlier one says so.

import { contentWords } from '../text/content-words.ts'
import { sentencesIn } from '../text/sentences.ts'
import { likeness, type Profile, profileOf, type Rarity } from './similarity.ts'
import type { Subject } from './topics.ts'

export interface Placed {
  subject: Subject
  later: Later | null
}

/** The latest word on the same thing, and whether it says that it changes what held, speaking of that thing. */
export interface Later {
  subject: Subject
  amends: boolean
}

/** As alike as this, two talks are about the same thing; where the later one says that it amends, less is enough. */
const sameThing = 0.3
const sameThingAmended = 0.15

/** What it lacks of the words asked for, of those that the earlier one has: with more, it is about something else. */
const maxLacking = 0.5

export function placeLater(ranked: Subject[], rarity: Rarity, query: string): Placed[] {
  const profiles = new Map(ranked.map((subject) => [subject, profileOf(subject.texts, rarity)]))
  const asked = profileOf([query], rarity)
  const placed: Placed[] = []
  const place = (one: Placed) => {
    if (!placed.some(({ subject }) => subject === one.subject)) placed.push(one)
  }
  for (const subject of ranked) {
    const later = ranked
      .flatMap((other) => laterWord(subject, other, profiles, asked))
      .sort((a, b) => (a.subject.at < b.subject.at ? 1 : -1))
    const latest = later[0] ?? null
    for (const one of later) place({ subject: one.subject, later: one === latest ? null : latest })
    place({ subject, later: latest })
  }
  return placed
}

function laterWord(subject: Subject, other: Subject, profiles: Map<Subject, Profile>, asked: Profile): Later[] {
  if (other.at <= subject.at || !isComparable(subject, other)) return []
  const [earlier, later] = [profiles.get(subject)!, profiles.get(other)!]
  const like = likeness(earlier, later)
  const amends = other.texts.some((text) => speaksOfChange(text, earlier))
  const isLater = amends
    ? like >= sameThingAmended
    : other.kind === 'exchange' &&
      subject.kind === 'exchange' &&
      like >= sameThing &&
      lacking(asked, earlier, later) <= maxLacking
  return isLater ? [{ subject: other, amends }] : []
}

function lacking(asked: Profile, earlier: Profile, later: Profile): number {
  let [has, lacks] = [0, 0]
  for (const [word, weight] of asked) {
    if (!earlier.has(word)) continue
    has += weight
    if (!later.has(word)) lacks += weight
  }
  return has === 0 ? 0 : lacks / has
}

/** In one sentence, a word of change and two of what the earlier one is about. */
function speaksOfChange(text: string, profile: Profile): boolean {
  if (!changes.test(text)) return false
  return sentencesIn(text).some(
    (sentence) =>
      changes.test(sentence) && new Set(contentWords(sentence).filter((word) => profile.has(word))).size >= 2,
  )
}

/** Memories have an order of their own, by admission. Commits are about the same thing only where they share a file. */
function isComparable(a: Subject, b: Subject): boolean {
  if (a.kind === 'memory' || b.kind === 'memory') return false
  if (a.kind === 'commit' && b.kind === 'commit') return a.commit.files.some((file) => b.commit.files.includes(file))
  return true
}

/** Not git's own `amend`. */
const changes =
  /\b(?:amendments?|amend(?:s|ed|ing)? (?:the|our|that) (?:\w+ ){0,2}(?:rule|policy|decision|agreement|convention)|amended (?:rule|policy|decision|agreement)|supersed\w+|overrul\w+|overturn(?:s|ed|ing)?|(?:previous|earlier|old|original|former) (?:\w+ ){0,2}(?:rule|policy|decision|agreement|convention)|chang(?:e|es|ed|ing) (?:the|our) (?:\w+ )?(?:rule|policy|decision|mind|convention)|update to (?:the|our) (?:\w+ ){0,2}(?:rule|policy|decision|convention)|revis(?:e|es|ed|ing|ion of) (?:the|our) (?:\w+ )?(?:rule|policy|decision)|replaces the (?:\w+ )?(?:rule|policy|decision)|what we (?:decided|agreed))\b/i
