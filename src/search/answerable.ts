// Decides whether the best candidates answer a question at all. Some passage shares a word with any
// question, so a rank says nothing. What counts is how much of the question one place covers and how
// unlikely that is by chance; both are comparable between small and large stores.

import type { SqliteDatabase } from '../core/sqlite.ts'
import { type Passage, passagesById } from '../store/search/passage-search.ts'
import { askingWords, ordinaryWords } from '../text/asking-words.ts'
import { bytesPerTerm, termAt } from '../text/term-hash.ts'
import { termsOf } from '../text/terms.ts'
import type { Candidates } from './candidates.ts'
import type { QueryTerm, SearchPlan } from './plan.ts'

/** Fitted by `npm run bench -- unanswerable`; docs/benchmarks.md has the rates of error. */
export const answerModel: AnswerModel = {
  bias: -3,
  coverage: 5.76,
  unknown: -4.3,
  surprise: 0.227,
  namesSpeaker: 3.8,
}

export interface AnswerModel extends Record<keyof AnswerEvidence, number> {
  bias: number
}

export interface AnswerEvidence {
  /** Share of the question's weight that the passage and its neighbours have. */
  coverage: number
  /** Share of the question's weight in words that occur nowhere; means less in a small store. */
  unknown: number
  /** Natural logarithm of how improbable it is to share these terms by chance, with a limit. */
  surprise: number
  /** 1 if the question names a person who speaks here, else 0. */
  namesSpeaker: number
}

/** The candidates may be limited to one source, to decide whether that source answers. */
export function isAnswered(ledger: SqliteDatabase, candidates: Candidates): boolean {
  const min = minScore(candidates.plan)
  for (const evidence of eachEvidence(ledger, candidates)) if (answerScore(evidence, answerModel) > min) return true
  return false
}

/** From this number of terms on, a query is a report or a log rather than a question. */
const minReportTerms = 16

/**
 * A report has many words that its cause does not repeat, and missing the cause costs more than an
 * unrelated quote.
 */
export function minScore({ terms }: SearchPlan): number {
  return terms.length < minReportTerms ? 0 : -1.5
}

/** Only the best candidates can be the answer. */
export const maxJudged = 5

export function evidenceOf(ledger: SqliteDatabase, candidates: Candidates): AnswerEvidence[] {
  return [...eachEvidence(ledger, candidates)]
}

/** One at a time: the first often decides. */
function* eachEvidence(ledger: SqliteDatabase, { plan, ranked }: Candidates): Generator<AnswerEvidence> {
  const passages = ranked.slice(0, maxJudged).map(({ passage }) => passage)
  const known = new Map(passages.map((passage) => [passage.id, passage]))
  loadNeighbours(ledger, known)
  loadNeighbours(ledger, known)
  for (const passage of passages) yield answerEvidence(plan, passage, known)
}

function loadNeighbours(ledger: SqliteDatabase, known: Map<number, Passage>): void {
  const linked = [...known.values()].flatMap(({ previous, next }) => [previous, next])
  const missing = linked.filter((id) => id !== null && !known.has(id)) as number[]
  for (const [id, passage] of passagesById(ledger, missing)) known.set(id, passage)
}

export function answerScore(evidence: AnswerEvidence, model: AnswerModel): number {
  const names = Object.keys(evidence) as (keyof AnswerEvidence)[]
  return names.reduce((sum, name) => sum + model[name] * evidence[name], model.bias)
}

/** More is certain in any case; in a long report it would outweigh everything else. */
const maxSurprise = 20

function answerEvidence(plan: SearchPlan, passage: Passage, known: ReadonlyMap<number, Passage>): AnswerEvidence {
  const terms = subjectTerms(plan)
  const rings = ringsAround(passage, known)
  const matches = terms.map((term) => matchOf(term, rings, plan.passages))
  const sum = (of: (match: TermMatch) => number) => matches.reduce((all, match) => all + of(match), 0)
  const weight = sum((match) => match.weight) || 1
  const shared = matches.filter(({ credit }) => credit > 0).length
  const byChance = Math.log(plan.passages + 1) + logOfCombinations(terms.length, shared)
  return {
    coverage: sum((match) => match.weight * match.credit) / weight,
    unknown: (sum((match) => (match.isUnknown ? match.weight : 0)) / weight) * vocabularyFactor(plan.passages),
    surprise: Math.min(maxSurprise, sum(({ surprise }) => surprise) - byChance),
    namesSpeaker: terms.some(({ hash }) => speakersIn(rings).has(hash)) ? 1 : 0,
  }
}

/** A small store lacks many words of a question that it answers. */
function vocabularyFactor(passages: number): number {
  return Math.min(1, Math.log10(passages + 1) / 4.3)
}

/** Without words for the kind of answer and without dates, unless nothing else is left. */
function subjectTerms({ terms, dates }: SearchPlan): QueryTerm[] {
  const timeless = dates.length === 0 ? terms : terms.filter(({ term }) => !isDatePart(term))
  const subject = timeless.filter(({ term }) => !askingTerms.has(term))
  return subject.length > 0 ? subject : timeless
}

const askingTerms = new Set(termsOf(askingWords))

/** The time of a passage answers a date; its text need not repeat the month. */
function isDatePart(term: string): boolean {
  return /^\d+$/.test(term) || monthTerms.has(term)
}

const monthTerms = new Set(
  termsOf('january february march april may june july august september october november december'),
)

/** Passages at the same distance from a candidate. */
interface Ring {
  passages: Passage[]
  hashes: Set<number>
  /** How much a term of the question counts here. */
  credit: number
  /** How many passages a term could have been in, as a natural logarithm. */
  chances: number
}

function ringsAround(passage: Passage, known: ReadonlyMap<number, Passage>): Ring[] {
  const at = (id: number | null | undefined) => known.get(id ?? 0)
  const [previous, next] = [at(passage.previous), at(passage.next)]
  return [
    ringOf([passage], 1, 1),
    ringOf([previous, next], 0.9, 3),
    ringOf([at(previous?.previous), at(next?.next)], 0.5, 5),
  ]
}

function ringOf(passages: (Passage | undefined)[], credit: number, width: number): Ring {
  const there = passages.filter((passage) => passage !== undefined)
  const hashes = new Set<number>()
  for (const { terms } of there)
    for (let byte = 0; byte < terms.length; byte += bytesPerTerm) hashes.add(termAt(terms, byte))
  return { passages: there, hashes, credit, chances: Math.log(width) }
}

interface TermMatch {
  weight: number
  isUnknown: boolean
  credit: number
  surprise: number
}

/** Weight of a word that is in every passage. */
const minWeight = 0.05
/** Another ending or spelling of a word may be a different word. */
const relativeCredit = 0.5

function matchOf(term: QueryTerm, rings: readonly Ring[], passages: number): TermMatch {
  const rarity = Math.log((passages + 1) / Math.max(1, term.count))
  const emphasis = ordinaryTerms.has(term.term) ? Math.min(ordinaryWeight, term.emphasis) : term.emphasis
  const weight = Math.max(minWeight, rarity / Math.log(passages + 1)) * emphasis
  const isUnknown = term.count === 0
  const match = { weight, isUnknown, credit: 0, surprise: 0 }
  for (const { hashes, credit, chances } of rings) {
    if (hashes.has(term.hash)) return { ...match, credit, surprise: Math.max(0, rarity - chances) }
    if (!term.relatives.some((hash) => hashes.has(hash))) continue
    const share = isUnknown ? relativeCredit / 2 : relativeCredit
    return { ...match, credit: credit * share, surprise: Math.max(0, rarity * share - chances) }
  }
  return match
}

/** In a large store their frequency shows it; a small store lacks many of them, which must not count as evidence. */
const ordinaryTerms = new Set(termsOf(ordinaryWords))
const ordinaryWeight = 0.3

/** Weight of a term in the subject of a question: its rarity, unless it is an ordinary word. */
export function subjectWeight({ term, weight }: QueryTerm): number {
  return ordinaryTerms.has(term) ? weight * ordinaryWeight : weight
}

/** Any of the combinations of so many terms of the question could have been found. */
function logOfCombinations(all: number, chosen: number): number {
  let sum = 0
  for (let index = 0; index < chosen; index++) sum += Math.log((all - index) / (index + 1))
  return sum
}

/** Speakers of a conversation between people: the passage and a neighbour begin with a name. */
function speakersIn([own, beside]: readonly Ring[]): Set<number> {
  const [first, ...others] = [own!, beside!].flatMap(({ passages }) => passages.map(({ speaker }) => speaker))
  return first && others.some(Boolean) ? new Set([first, ...others].filter(Boolean) as number[]) : new Set()
}
