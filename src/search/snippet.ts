// The part of a text that shows why it was found, and its matches.
import { termsOf } from '../text/terms.ts'
import type { Query } from './query.ts'
import { matchingSpans } from './spans.ts'

/** What stands before the first match, so that it is read in its sentence. */
const lead = 60

export function snippetOf(text: string, query: Query, max = 240): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const from = wordStart(line, Math.max(0, Math.min(densest(line, query, max - lead) - lead, line.length - max)))
  const to = from + max >= line.length ? line.length : wordEnd(line, from + max)
  return `${from > 0 ? '…' : ''}${line.slice(from, to)}${to < line.length ? '…' : ''}`
}

/** What is looked for, as terms. */
export function wantedTerms({ text, phrases }: Query): Set<string> {
  return new Set([text, ...phrases].flatMap(termsOf))
}

/** A word that is everywhere says the same everywhere. */
const maxMatches = 300

/** Where a window begins that has most of what is looked for; the first of several. */
function densest(line: string, query: Query, width: number): number {
  const wanted = wantedTerms(query)
  const matches = matchingSpans(line, wanted).slice(0, maxMatches)
  let best = { at: 0, distinct: 0 }
  for (const { at } of matches) {
    const inside = matches.filter((match) => match.at >= at && match.at + match.length <= at + width)
    const distinct = new Set(inside.flatMap(({ terms }) => terms.filter((term) => wanted.has(term)))).size
    if (distinct > best.distinct) best = { at, distinct }
  }
  return best.at
}

/** The share of what is looked for that a text has. */
export function coverage(text: string, query: Query): number {
  const wanted = wantedTerms(query)
  const own = new Set(termsOf(text))
  return wanted.size === 0 ? 0 : [...wanted].filter((term) => own.has(term)).length / wanted.size
}

/** No word is cut, unless it is longer than anybody reads. */
function wordStart(line: string, at: number): number {
  if (at === 0 || line[at - 1] === ' ') return at
  const space = line.indexOf(' ', at)
  return space >= 0 && space - at < 30 ? space + 1 : at
}

function wordEnd(line: string, at: number): number {
  const space = line.lastIndexOf(' ', at)
  return at - space < 30 ? space : at
}

/** The text with every match painted. */
export function markMatches(text: string, query: Query, paint: (match: string) => string): string {
  let marked = ''
  let done = 0
  for (const { at, length } of matchingSpans(text, wantedTerms(query))) {
    if (at < done) continue
    marked += text.slice(done, at) + paint(text.slice(at, at + length))
    done = at + length
  }
  return marked + text.slice(done)
}
