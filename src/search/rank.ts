// Ranks candidates by what the index does not know: neighbours, session, speaker, questions and
// time. All of it comes from the passage, so one set of weights serves talk between people and
// agent sessions.
import type { Passage } from '../store/search/passage-search.ts'
import { passageGroup } from '../store/search/passages.ts'
import { createScorer, type PassageMap, type PassageScorer } from './bm25.ts'
import { dateCloseness } from './dates.ts'
import type { SearchPlan } from './plan.ts'
import type { NearestPassages } from './vectors/nearest.ts'
import { weights } from './weights.ts'

export interface RankedPassage {
  passage: Passage
  score: number
}

/** Best first; of equal scores the newer first. */
export function rankPassages(
  plan: SearchPlan,
  passages: readonly Passage[],
  known: PassageMap,
  near?: NearestPassages,
): RankedPassage[] {
  const named = namedSpeakers(plan, passages, known)
  const matcher = createScorer(lowerNames(plan, named), known)
  const scores = passages.map((passage) => matcher.scoreOf(passage))
  const best = scores.reduce((max, score) => Math.max(max, score), 0)
  const sessions = sessionScores(passages, matcher)
  return passages
    .map((passage, index) => {
      const when = dateCloseness(passage.ts, plan.dates)
      const around = scores[index]! > 0 ? weights.session * sessions.get(passageGroup(passage.id))! : 0
      const byMeaning = near ? weights.similarity * (best || 1) * near.similarityOf(passage) : 0
      const score = scores[index]! + around + weights.dateAlone * when * best + byMeaning
      return { passage, score: score * (1 + weights.date * when) * priorFactor(plan, passage, known, named, matcher) }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.passage.id - a.passage.id)
}

/**
 * Scores all candidates of a session as one text: a session with all the words supports each
 * passage.
 */
function sessionScores(passages: readonly Passage[], matcher: PassageScorer): Map<number, number> {
  const bySession = Map.groupBy(passages, ({ id }) => passageGroup(id))
  return new Map([...bySession].map(([group, own]) => [group, matcher.scoreTogether(own)]))
}

/** Speakers among the candidates whom the query names. */
function namedSpeakers({ terms }: SearchPlan, passages: readonly Passage[], known: PassageMap): Set<number> {
  const asked = new Set(terms.map(({ hash }) => hash))
  const speaking = passages.filter((passage) => asked.has(passage.speaker) && isAmongPeople(passage, known))
  return new Set(speaking.map(({ speaker }) => speaker))
}

/** In a store with many conversations the names of one would outweigh its subject. */
function lowerNames(plan: SearchPlan, named: ReadonlySet<number>): SearchPlan {
  if (named.size === 0) return plan
  const terms = plan.terms.map((term) =>
    named.has(term.hash) ? { ...term, weight: term.weight * weights.speakerName } : term,
  )
  return { ...plan, terms }
}

function priorFactor(
  plan: SearchPlan,
  passage: Passage,
  known: PassageMap,
  named: ReadonlySet<number>,
  matcher: PassageScorer,
): number {
  const terms = Math.max(3, Math.min(40, passage.said))
  const byLength = 1 + weights.length * Math.log(terms / 12)
  const byTime = plan.asksForTime && passage.hasTime ? 1 + weights.time : 1
  return byLength * byTime * speakerFactor(passage, known, named, matcher)
}

/** A passage without a query term of its own gets no bonus for its speaker. */
function speakerFactor(
  passage: Passage,
  known: PassageMap,
  named: ReadonlySet<number>,
  matcher: PassageScorer,
): number {
  const { speaker, role, asks } = passage
  if (!isAmongPeople(passage, known))
    return (role === 'human' || role === 'note') && matcher.hasOwnTerm(passage) ? weights.human : 1
  const byName = named.has(speaker) ? weights.namedSpeaker : 1
  return byName * (1 - ((1 - weights.asking) * asks) / 100)
}

/** The passage and one of its neighbours begin with the name of a speaker. */
function isAmongPeople({ speaker, previous, next }: Passage, known: PassageMap): boolean {
  const isNamed = (id: number | null) => id !== null && (known.get(id)?.speaker ?? 0) !== 0
  return speaker !== 0 && (isNamed(previous) || isNamed(next))
}
