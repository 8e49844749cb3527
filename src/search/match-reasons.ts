// Says why a result was found: which words of the query it has and where, or its date.
import { termsOf } from '../text/terms.ts'
import { dateCloseness, datesIn } from './dates.ts'
import type { Query } from './query.ts'
import { foundTerms } from './snippet.ts'

export interface MatchedTexts {
  /** The text itself. */
  said: string
  /** Commands and paths of a tool call. */
  done?: string
  title?: string | null
  ts?: string | null
}

/** Words as they were typed; `command: npm`, `file path: app.ts` or `title: login` if only there. */
export function matchReasons(query: Query, texts: MatchedTexts, nowMs: number): string[] {
  const typed = typedQuery(query, nowMs)
  const words = [...typed.termsOfWords.keys()]
  const [said, done, title] = [texts.said, texts.done ?? '', texts.title ?? ''].map((text) => matcher(text, typed))
  const reasons = words.flatMap((word) => {
    if (said!(word)) return [word]
    if (done!(word)) return [`${isInPath(word, texts.done!) ? 'file path' : 'command'}: ${word}`]
    return title!(word) ? [`title: ${word}`] : []
  })
  const ms = texts.ts ? Date.parse(texts.ts) : null
  if (dateCloseness(ms, typed.dates) > 0) reasons.push('date')
  return reasons.length > 0 ? reasons.slice(0, maxReasons) : ['similar or neighbouring words']
}

/** A text has a word in any of its forms, or half of the parts of a path or an identifier. */
function matcher(text: string, { termsOfWords, terms: wanted }: TypedQuery): (word: string) => boolean {
  if (text === '') return () => false
  const found = foundTerms(text, wanted)
  const lower = text.toLowerCase()
  return (word) => {
    const terms = termsOfWords.get(word)!
    if (terms.length === 0) return false
    if (word.length >= minContained && lower.includes(word.toLowerCase())) return true
    return terms.filter((term) => found.has(term)).length >= terms.length / 2
  }
}

/** A shorter word may be part of any other. */
const minContained = 5

const maxReasons = 8

interface TypedQuery {
  /** The words as they were typed, with their terms. */
  termsOfWords: ReadonlyMap<string, string[]>
  terms: ReadonlySet<string>
  dates: ReturnType<typeof datesIn>
  nowMs: number
}

/** A query does not change, and every result needs its words. */
const knownQueries = new WeakMap<Query, TypedQuery>()

function typedQuery(query: Query, nowMs: number): TypedQuery {
  const known = knownQueries.get(query)
  if (known?.nowMs === nowMs) return known
  const termsOfWords = new Map(typedWords(query).map((word) => [word, termsOf(word)]))
  const terms = new Set([...termsOfWords.values()].flat())
  const typed = { termsOfWords, terms, dates: datesIn(query.text, nowMs), nowMs }
  knownQueries.set(query, typed)
  return typed
}

function typedWords({ text, phrases }: Query): string[] {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
  return [...new Set([...phrases, ...words])].filter((word) => word !== '')
}

function isInPath(word: string, done: string): boolean {
  const lower = word.toLowerCase()
  const parts = done.replaceAll('\\', '/').toLowerCase().split(/\s+/)
  return parts.some((part) => /\/|\.\w+$/.test(part) && part.includes(lower))
}
