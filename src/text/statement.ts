// A statement as the terms that carry its meaning. Two statements are compared by these.
import { isNegationWord, isNegative } from './negation.ts'
import { jaccard } from './similarity.ts'
import { stem } from './stem.ts'
import { statementStopWords } from './stop-words.ts'

export interface StatementTerms {
  /** Stems of the words that carry meaning. */
  words: Set<string>
  /** Names, numbers, versions and paths: statements that differ in these are not the same. */
  values: Set<string>
  /** Whether it forbids or denies. */
  isNegative: boolean
}

export function statementTerms(text: string): StatementTerms {
  const plain = normalise(text)
  const { words, values } = tokensOf(plain)
  return { words: new Set(words.map(stem)), values: new Set(values), isNegative: isNegative(plain) }
}

/** Words and values of a statement as one set. */
export function statementTermSet(text: string): Set<string> {
  const { words, values } = statementTerms(text)
  return new Set([...words, ...values])
}

/** Whether a statement has at least so many terms; reads no further than needed. */
export function hasTerms(text: string, min: number): boolean {
  const terms = new Set<string>()
  for (const [token] of normalise(text).matchAll(tokens)) {
    const { words, values } = tokensOf(token)
    for (const term of [...words.map(stem), ...values]) terms.add(term)
    if (terms.size >= min) return true
  }
  return false
}

/**
 * What the statement can be found by, unstemmed: names and values first, because people search for
 * those.
 */
export function keywordsOf(text: string, max = 12): string[] {
  const { words, values } = tokensOf(normalise(text))
  const found = new Set([...values, ...words.filter((word) => word.length > 2)])
  return [...found].filter((word) => word.length <= maxKeywordLength).slice(0, max)
}

const maxKeywordLength = 200

function normalise(text: string): string {
  return text.normalize('NFKC').replaceAll('’', "'").toLowerCase()
}

function tokensOf(plain: string): { words: string[]; values: string[] } {
  const words: string[] = []
  const values: string[] = []
  for (const [token] of plain.matchAll(tokens)) {
    if (isValue.test(token)) values.push(token.replace(/^[`"']+|[`"'.,;:]+$/g, ''))
    else if (cjk.test(token)) words.push(...characterPairs(token))
    else if (!statementStopWords.has(token) && !isNegationWord(token)) words.push(token)
  }
  return { words, values }
}

const tokens =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[[\p{L}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]+(?:[.\/:@#+$~'\-]+[[\p{L}\p{N}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]]+)*/gv
const cjk = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
/** Digits, paths, dotted, snake and camel names. */
const isValue = /\d|[/._:@$~](?=\w)/

/** Pairs of neighbouring characters, for scripts without spaces; a single character stays alone. */
export function characterPairs(run: string): string[] {
  const characters = [...run]
  return characters.length < 2 ? characters : characters.slice(1).map((next, index) => characters[index]! + next)
}

/** Similarity of all terms of two statements, 0 to 1. */
export function statementSimilarity(a: StatementTerms, b: StatementTerms): number {
  return jaccard(new Set([...a.words, ...a.values]), new Set([...b.words, ...b.values]))
}

/** Similarity of the topics of two statements, whatever values they name, 0 to 1. */
export function topicSimilarity(a: StatementTerms, b: StatementTerms): number {
  return jaccard(a.words, b.words)
}
