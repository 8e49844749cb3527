// Weighing candidates again, with what the index does not know: what was said before and after, the session around, who speaks,
// who asks, and when. Everything is told from the passage, so one setting serves talk between people and work with an agent.
import type { Passage } from '../store/search/passage-search.ts'
import { passageGroup } from '../store/search/passages.ts'
import { type Known, type Matcher, matcherFor } from './bm25.ts'
import { closeness } from './dates.ts'
import type { Plan } from './plan.ts'
import type { NearestPassages } from './vectors/nearest.ts'
import { weights } from './weights.ts'

export interface Ranked {
  passage: Passage
  score: number
}

/** The best first; the newer of two that are equal. */
export function rank(plan: Plan, passages: readonly Passage[], known: Known, near?: NearestPassages): Ranked[] {
  const matcher = matcherFor(plan, known)
  const scores = passages.map((passage) => matcher.scoreOf(passage))
  const best = scores.reduce((max, score) => Math.max(max, score), 0)
  const sessions = sessionScores(passages, matcher)
  const named = namedSpeakers(plan, passages)
  return passages
    .map((passage, index) => {
      const when = closeness(passage.ts, plan.dates)
      const around = scores[index]! > 0 ? weights.session * sessions.get(passageGroup(passage.id))! : 0
      const byMeaning = near ? weights.similarity * (best || 1) * near.similarityOf(passage) : 0
      const score = scores[index]! + around + weights.dateAlone * when * best + byMeaning
      return { passage, score: score * (1 + weights.date * when) * prior(plan, passage, known, named, matcher) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

/** Of all candidates of a session together: a session that has all the words says what its passages are about. */
function sessionScores(passages: readonly Passage[], matcher: Matcher): Map<number, number> {
  const bySession = Map.groupBy(passages, ({ id }) => passageGroup(id))
  return new Map([...bySession].map(([group, own]) => [group, matcher.scoreOfAll(own)]))
}

/** The speakers among the candidates whom the question names. */
function namedSpeakers({ wanted }: Plan, passages: readonly Passage[]): Set<number> {
  const speakers = new Set(passages.map(({ speaker }) => speaker))
  return new Set(wanted.map(({ hash }) => hash).filter((hash) => speakers.has(hash)))
}

function prior(plan: Plan, passage: Passage, known: Known, named: ReadonlySet<number>, matcher: Matcher): number {
  const terms = Math.max(3, Math.min(40, passage.said))
  const byLength = 1 + weights.length * Math.log(terms / 12)
  const byTime = plan.asksWhen && passage.hasTime ? 1 + weights.time : 1
  return byLength * byTime * byVoice(passage, known, named, matcher)
}

/** Who only stands beside the words has not said them. */
function byVoice(passage: Passage, known: Known, named: ReadonlySet<number>, matcher: Matcher): number {
  const { speaker, role, asks } = passage
  if (!isAmongPeople(passage, known))
    return (role === 'human' || role === 'note') && matcher.hasOwn(passage) ? weights.human : 1
  const byName = named.has(speaker) ? weights.namedSpeaker : 1
  return byName * (1 - ((1 - weights.asking) * asks) / 100)
}

/** A name stands before it, and one before what comes before or after it. */
function isAmongPeople({ speaker, previous, next }: Passage, known: Known): boolean {
  const isNamed = (id: number | null) => id !== null && (known.get(id)?.speaker ?? 0) !== 0
  return speaker !== 0 && (isNamed(previous) || isNamed(next))
}
