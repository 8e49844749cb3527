// Cuts the part of a text that shows why it was found, and marks its matches.

import { irregularForms } from '../text/irregular.ts'
import { termsOf } from '../text/terms.ts'
import type { Query } from './query.ts'

/** Characters before the first match, for context. */
const lead = 60

export function snippetOf(text: string, query: Query, max = 240): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const from = wordStart(line, Math.max(0, Math.min(densestWindow(line, query, max - lead) - lead, line.length - max)))
  const to = from + max >= line.length ? line.length : wordEnd(line, from + max)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** The terms of a query do not change, and every result needs them. */
const knownTerms = new WeakMap<Query, Set<string>>()

export function queryTerms(query: Query): ReadonlySet<string> {
  const terms = knownTerms.get(query) ?? new Set([query.text, ...query.phrases].flatMap(termsOf))
  knownTerms.set(query, terms)
  return terms
}

/** Limit of compared matches: more of a frequent word changes nothing. */
const maxMatches = 300

/** Start of the window with the most distinct query terms; the first of equals. */
function densestWindow(line: string, query: Query, width: number): number {
  const wanted = queryTerms(query)
  const matches = matchingSpans(line, wanted).slice(0, maxMatches)
  let best = { at: 0, distinct: 0 }
  for (const { at } of matches) {
    const inside = matches.filter((match) => match.at >= at && match.at + match.length <= at + width)
    const distinct = new Set(inside.flatMap(({ terms }) => terms.filter((term) => wanted.has(term)))).size
    if (distinct > best.distinct) best = { at, distinct }
  }
  return best.at
}

/** Share of the query terms that a text has. */
export function termCoverage(text: string, query: Query): number {
  const wanted = queryTerms(query)
  return wanted.size === 0 ? 0 : foundTerms(text, wanted).size / wanted.size
}

/** Those of the terms that a text has. */
export function foundTerms(text: string, wanted: ReadonlySet<string>): Set<string> {
  // Other scripts are normalised as a whole.
  if (!isAscii.test(text)) return new Set(termsOf(text).filter((term) => wanted.has(term)))
  return new Set(matchingSpans(text, wanted).flatMap(({ terms }) => terms))
}

/** Moves the cut to a word boundary, except in very long words. */
function wordStart(line: string, at: number): number {
  if (at === 0 || line[at - 1] === ' ') return at
  const space = line.indexOf(' ', at)
  return space >= 0 && space - at < 30 ? space + 1 : at
}

function wordEnd(line: string, at: number): number {
  const space = line.lastIndexOf(' ', at)
  return at - space < 30 ? space : at
}

/** Applies `paint` to every match. */
export function markMatches(text: string, query: Query, paint: (match: string) => string): string {
  let marked = ''
  let done = 0
  for (const { at, length } of matchingSpans(text, queryTerms(query))) {
    if (at < done) continue
    marked += text.slice(done, at) + paint(text.slice(at, at + length))
    done = at + length
  }
  return marked + text.slice(done)
}

interface MatchSpan {
  at: number
  length: number
  /** The query terms at this position. */
  terms: string[]
}

/**
 * Matches in order, overlapping ones merged. Offsets refer to the original text, not the folded
 * one.
 */
export function matchingSpans(text: string, wanted: ReadonlySet<string>): MatchSpan[] {
  const spans: MatchSpan[] = []
  for (const { at, length, terms } of wordsOf(text, wanted)) {
    const found = terms.filter((term) => wanted.has(term))
    const last = spans.at(-1)
    if (found.length === 0) continue
    if (last && at < last.at + last.length) {
      last.length = at + length - last.at
      last.terms.push(...found)
    } else spans.push({ at, length, terms: found })
  }
  return spans
}

/** Words that may match, with their terms; of a script without spaces, every pair of characters. */
function* wordsOf(text: string, wanted: ReadonlySet<string>): Generator<MatchSpan> {
  const beginnings = beginningsOf(wanted)
  for (const { 0: word, index } of text.matchAll(isAscii.test(text) ? asciiWords : allWords)) {
    if (isPlain.test(word) && !mayGive(word.toLowerCase(), beginnings)) continue
    if (!dense.test(word)) yield { at: index, length: word.length, terms: termsOf(word) }
    else
      for (let at = 0; at < word.length; at++) {
        const pair = word.slice(at, at + 2)
        yield { at: index + at, length: pair.length, terms: termsOf(pair).slice(0, 1) }
      }
  }
}

const isAscii = /^[\u0000-\u007f]*$/
const asciiWords = /[A-Za-z0-9_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/g
const allWords = /[\p{L}\p{N}\p{M}_]+(?:['’](?:s|t|re|ve|ll|d|m)\b)?/gu
const dense = /[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/

/** A single word, not a compound identifier. */
const isPlain = /^[A-Za-z][a-z]{2,}$/

/**
 * Splitting a word into terms is the most expensive step, so words are filtered by their first
 * letters: a stem begins with the same two letters as its word.
 */
function mayGive(word: string, beginnings: ReadonlySet<string>): boolean {
  return beginnings.has(beginningOf(word)) || irregularForms.has(word) || mayShrink.test(word)
}

/** Words whose stem may be a single letter. */
const mayShrink = /^(?:y|ies$|[aeiouv][vy]?(?:ing|ed)s?$)/

const knownBeginnings = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>()

/** Every result is compared with the same terms. */
function beginningsOf(wanted: ReadonlySet<string>): ReadonlySet<string> {
  const beginnings = knownBeginnings.get(wanted) ?? new Set([...wanted].map(beginningOf))
  knownBeginnings.set(wanted, beginnings)
  return beginnings
}

/** A final y of a stem becomes an i. */
function beginningOf(term: string): string {
  return term[0]! + (term[1] === 'y' ? 'i' : term[1])
}
