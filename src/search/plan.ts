// Which terms a question is asked with, what each weighs, and which of them the index is asked for. A word that is known
// hardly or not at all brings its relatives: other endings, compounds, and the spelling that was meant.
import type { SqliteDatabase } from '../core/sqlite.ts'
import { documentFrequency, indexSize, termsWithPrefix } from '../store/search/passage-search.ts'
import { hashTerm } from '../text/term-hash.ts'
import { backwards, termsOf } from '../text/terms.ts'
import { type DateRange, datesIn } from './dates.ts'
import type { Query } from './query.ts'
import { spellings } from './spelling.ts'

export interface Plan {
  wanted: Wanted[]
  /** The expression for the index; empty when there is nothing to look for. */
  match: string
  dates: DateRange[]
  /** "When did ...": what names a time may answer it. */
  asksWhen: boolean
  /** Terms per passage, on average. */
  averageLength: number
}

export interface Wanted {
  term: string
  /** How much it tells apart. */
  weight: number
  hash: number
  /** Relatives, which count less. */
  relatives: number[]
}

interface Found {
  term: string
  count: number
  relatives: { term: string; count: number }[]
}

/** A pasted log makes no better question by its hundredth term. */
const maxTerms = 48

export function planSearch(ledger: SqliteDatabase, query: Query, nowMs: number): Plan {
  const { passages, terms: averageLength } = indexSize(ledger)
  const dates = datesIn(query.text, nowMs)
  const text = dates.length > 0 ? query.text.replace(dateNumbers, ' ') : query.text
  const terms = [...new Set([...query.phrases.flatMap(termsOf), ...termsOf(text)])].filter(isForward).slice(0, maxTerms)
  const found = terms.map((term) => findTerm(ledger, term, passages))
  return {
    wanted: found.map((each) => ({
      term: each.term,
      weight: weightOf(each, passages) * (asking.has(each.term) ? askingWeight : 1),
      hash: hashTerm(each.term),
      relatives: each.relatives.map(({ term }) => hashTerm(term)),
    })),
    match: expressionOf(query, asked(found, passages)),
    dates,
    asksWhen:
      /\b(?:when|what (?:date|day|month|year|time)|which (?:day|month|year)|how long|wann|quand|cuándo)\b/i.test(
        query.text,
      ),
    averageLength: averageLength || 1,
  }
}

/** A long word counts once. */
function isForward(term: string): boolean {
  return !term.startsWith('~')
}

/** "What kind of", "how many", "is likely to": words of the question, hardly of the answer. */
const asking = new Set(termsOf('kind type sort many much likely name describe mention consider'))
const askingWeight = 0.3

/** Days and years are met by the time of a passage; as words they meet anything. */
const dateNumbers = /\b(?:\d{4}-\d\d(?:-\d\d)?|\d{1,2}(?:st|nd|rd|th)?|20\d\d)\b/g

function findTerm(ledger: SqliteDatabase, term: string, passages: number): Found {
  const count = documentFrequency(ledger, term)
  const relatives = count < Math.max(3, passages / 50) ? relativesOf(ledger, term, passages) : []
  if (count > 0 || relatives.length > 0) return { term, count, relatives }
  return { term, count, relatives: [...compoundsWith(ledger, term), ...spellings(ledger, term)] }
}

const maxRelatives = 12

/** Other endings of the same beginning: "program", "programmer"; a compound by its first part. */
function relativesOf(ledger: SqliteDatabase, term: string, passages: number): Found['relatives'] {
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

/** A single character of a script without spaces is the beginning of pairs. */
function isDense(term: string): boolean {
  return /^[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(term)
}

/** "Verbindung" in "Datenbankverbindung". */
function compoundsWith(ledger: SqliteDatabase, term: string): Found['relatives'] {
  return term.length < 5 ? [] : termsWithPrefix(ledger, backwards(term), maxRelatives)
}

/** Inverse document frequency; a word with relatives is as frequent as all of them. */
function weightOf({ count, relatives }: Found, passages: number): number {
  const all = Math.min(passages, count > 0 ? count : relatives.reduce((sum, each) => sum + each.count, 0))
  return Math.max(0.05, Math.log((passages - all + 0.5) / (all + 0.5)))
}

/** The index walks every passage that has an asked term: the rarest terms that stay below this many are enough to find candidates. */
function asked(found: readonly Found[], passages: number): Found[] {
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

function expressionOf(query: Query, found: readonly Found[]): string {
  const required = [...query.phrases, query.filters.file ?? '']
  const phrases = required.map(termsOf).filter((terms) => terms.length > 0)
  const any = found.flatMap(({ term, count, relatives }) => [
    ...(count > 0 ? [term] : []),
    ...relatives.map((each) => each.term),
  ])
  const either = [...phrases.map(quoted), ...any.map((term) => quoted([term]))].join(' OR ')
  if (either === '') return ''
  const wanted = [...phrases.map(quoted), `(${either})`].join(' AND ')
  const without = query.without.map(termsOf).filter((terms) => terms.length > 0)
  return without.length === 0 ? wanted : `(${wanted}) NOT (${without.map(quoted).join(' OR ')})`
}

function quoted(terms: readonly string[]): string {
  return `"${terms.join(' ')}"`
}
