// Plans a search: the terms of the query with their weights, and the expression for the index. A
// rare or unknown word is expanded: other endings, compounds, similar spellings.
import type { SqliteDatabase } from '../core/sqlite.ts'
import type { PassageMatch } from '../store/search/passage-search.ts'
import { documentFrequencies, indexSize, type TermCount, termsWithPrefix } from '../store/search/postings/lookup.ts'
import { askingWords } from '../text/asking-words.ts'
import { editDistance } from '../text/nearest.ts'
import { hashTerm } from '../text/term-hash.ts'
import { backwards, termsOf } from '../text/terms.ts'
import { type DateRange, datesIn } from './dates.ts'
import type { Query } from './query.ts'

export interface SearchPlan {
  terms: QueryTerm[]
  /** Undefined where no term can match. */
  match: PassageMatch | undefined
  dates: DateRange[]
  /** "When did ...": a passage that names a time may be the answer. */
  asksForTime: boolean
  /** Average number of terms per passage. */
  averageLength: number
  /** Number of passages in the index. */
  passages: number
}

export interface QueryTerm {
  term: string
  /** Inverse document frequency, times the emphasis. */
  weight: number
  /** Less than 1 for words that questions have and answers rarely do. */
  emphasis: number
  /** Number of passages that contain the term itself. */
  count: number
  hash: number
  /** Hashes of related terms, which count less. */
  relatives: number[]
}

interface IndexedTerm {
  term: string
  count: number
  relatives: { term: string; count: number }[]
}

/** Further terms of a pasted log do not improve the query. */
const maxTerms = 48

export function planSearch(ledger: SqliteDatabase, query: Query, nowMs: number): SearchPlan {
  const { passages, terms: averageLength } = indexSize(ledger)
  const dates = datesIn(query.text, nowMs)
  const text = dates.length > 0 ? query.text.replace(dateNumbers, ' ') : query.text
  const terms = [...new Set([...query.phrases.flatMap(termsOf), ...termsOf(text)])].filter(isForward).slice(0, maxTerms)
  const counts = documentFrequencies(ledger, terms)
  const found = terms.map((term) => lookUpTerm(ledger, { term, count: counts.get(term)! }, passages))
  return {
    terms: found.map((each) => queryTerm(each, passages)),
    match: matchOf(query, rarestTerms(found, passages)),
    dates,
    asksForTime:
      /\b(?:when|what (?:date|day|month|year|time)|which (?:day|month|year)|how long|wann|quand|cuándo)\b/i.test(
        query.text,
      ),
    averageLength: averageLength || 1,
    passages,
  }
}

function queryTerm(found: IndexedTerm, passages: number): QueryTerm {
  const emphasis = questionTerms.has(found.term) ? questionTermWeight : 1
  return {
    term: found.term,
    weight: inverseFrequency(found, passages) * emphasis,
    emphasis,
    count: found.count,
    hash: hashTerm(found.term),
    relatives: found.relatives.map(({ term }) => hashTerm(term)),
  }
}

/** Excludes reversed terms: a long word counts once. */
function isForward(term: string): boolean {
  return !term.startsWith('~')
}

/** "What kind of", "how many", "why did we decide": words that questions have and answers rarely do. */
const questionTerms = new Set(termsOf(`kind type sort many much likely name describe mention consider ${askingWords}`))
const questionTermWeight = 0.3

/** Days and years are compared with the time of a passage; as terms they match anything. */
const dateNumbers = /\b(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}(?:st|nd|rd|th)?|20\d\d)\b/g

function lookUpTerm(ledger: SqliteDatabase, { term, count }: TermCount, passages: number): IndexedTerm {
  const relatives = count < Math.max(3, passages / 50) ? relatedTerms(ledger, term, passages) : []
  if (count > 0 || relatives.length > 0) return { term, count, relatives }
  return { term, count, relatives: [...compoundsWith(ledger, term), ...similarSpellings(ledger, term)] }
}

const maxRelatives = 12

/** Terms with the same prefix: "program", "programmer"; compounds by their first part. */
function relatedTerms(ledger: SqliteDatabase, term: string, passages: number): IndexedTerm['relatives'] {
  if (isDense(term))
    return term.length > 1 ? [] : termsWithPrefix(ledger, term, 40).filter((each) => each.term !== term)
  if (term.length < 5) return []
  const beginning = term.slice(0, Math.max(5, term.length - 2))
  const longest = term.length >= 7 ? 30 : term.length + 4
  const near = termsWithPrefix(ledger, beginning, 40).filter(
    (each) => each.term !== term && each.term.length <= longest && each.count < Math.max(3, passages / 50),
  )
  return near.length <= maxRelatives ? near : []
}

/** A script without spaces is indexed as pairs of characters; a single one is a prefix of them. */
function isDense(term: string): boolean {
  return /^[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(term)
}

/** "Verbindung" in "Datenbankverbindung". */
function compoundsWith(ledger: SqliteDatabase, term: string): IndexedTerm['relatives'] {
  return term.length < 5 ? [] : termsWithPrefix(ledger, backwards(term), maxRelatives)
}

/** A term that is unknown itself is as frequent as all its related terms. */
function inverseFrequency({ count, relatives }: IndexedTerm, passages: number): number {
  const all = Math.min(passages, count > 0 ? count : relatives.reduce((sum, each) => sum + each.count, 0))
  return Math.max(0.05, Math.log((passages - all + 0.5) / (all + 0.5)))
}

/**
 * The index visits every passage with one of the terms. The rarest terms, up to a number of
 * passages, are enough to find candidates.
 */
function rarestTerms(found: readonly IndexedTerm[], passages: number): IndexedTerm[] {
  const max = Math.max(8000, passages / 40)
  const known = found
    .map((each) => ({ each, rows: each.count + each.relatives.reduce((sum, { count }) => sum + count, 0) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows)
  let sum = 0
  const enough = known.findIndex(({ rows }, index) => {
    sum += rows
    return sum > max && index > 0
  })
  return known.slice(0, enough < 0 ? known.length : enough).map(({ each }) => each)
}

function matchOf(query: Query, found: readonly IndexedTerm[]): PassageMatch | undefined {
  const phrases = phraseTerms([...query.phrases, query.filters.file ?? ''])
  const any = found.flatMap(({ term, count, relatives }) => [
    ...(count > 0 ? [term] : []),
    ...relatives.map((each) => each.term),
  ])
  if (phrases.length + any.length === 0) return undefined
  return { any, phrases, without: phraseTerms(query.without) }
}

function phraseTerms(phrases: readonly string[]): string[][] {
  return phrases.map(termsOf).filter((terms) => terms.length > 0)
}

/**
 * Known terms with nearly the same first letters and few edits; the most frequent of the nearest
 * first.
 */
function similarSpellings(ledger: SqliteDatabase, term: string): TermCount[] {
  if (!/^\p{L}{4,}$/u.test(term)) return []
  const max = term.length < 8 ? 1 : 2
  const near = [...beginningsOf(term)]
    .flatMap((beginning) => termsWithPrefix(ledger, beginning, maxCompared))
    .filter((each) => Math.abs(each.term.length - term.length) <= max)
    .map((each) => ({ ...each, distance: editDistance(term, each.term) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance || b.count - a.count)
  return near.filter(({ distance }) => distance === near[0]!.distance).slice(0, 3)
}

const maxCompared = 5000

/** First two letters as typed, and with one of them left out or both swapped. */
function beginningsOf(term: string): Set<string> {
  return new Set([term.slice(0, 2), term[0]! + term[2]!, term[1]! + term[0]!])
}
