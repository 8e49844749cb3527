// Splits text into search terms. Stored texts and queries use the same function, so they agree. The
// index stores the terms as they are.
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'

/**
 * The terms in order, without stop words. An identifier yields its parts and itself; a long word
 * also yields its letters in reverse, for compounds.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  const words = isAscii.test(text) ? text.match(asciiWords) : folded(text).match(allWords)
  for (const word of words ?? []) for (const term of termsOfWord(word)) terms.push(term)
  return terms
}

const isAscii = /^[\u0000-\u007f]*$/

/** Letters and digits, joined by underscores. Endings such as `'s` and `n't` are removed later. */
const asciiWords = /[A-Za-z0-9_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/g
const allWords = /[\p{L}\p{N}\p{Mn}\p{Mc}_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/gu

/** Unicode-normalised, without accents. Case is kept, because identifiers are split by it. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/[‘’ʼ]/g, "'")
}

/** A cache: nine of ten words of a text were seen before. */
const knownWords = new Map<string, readonly string[]>()
const maxKnown = 50_000

function termsOfWord(word: string): readonly string[] {
  const known = knownWords.get(word)
  if (known) return known
  const plain = word.includes("'") ? word.slice(0, word.indexOf("'")) : word
  const terms = hasDense.test(plain)
    ? runsOf(plain).flatMap((run) => (hasDense.test(run) ? pairsOf(run) : spaced(run)))
    : spaced(plain)
  if (knownWords.size >= maxKnown) knownWords.clear()
  knownWords.set(word, terms)
  return terms
}

/** Scripts without spaces between words, or with endings that are not separated. */
const dense =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const hasDense = new RegExp(`[${dense}]`, 'u')
const denseRuns = new RegExp(`[${dense}][${dense}\\p{Mn}\\p{Mc}]*|[^${dense}]+`, 'gu')

function runsOf(word: string): string[] {
  return word.match(denseRuns) ?? []
}

/**
 * Pairs of neighbours and the last character alone, so that a prefix query finds single
 * characters.
 */
function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

/** Longer words are hashes or encoded files. */
const longestTerm = 40

function spaced(word: string): string[] {
  if (word.length > longestTerm) return []
  const parts = word.match(identifierParts) ?? []
  if (parts.length === 1) return plainTerms(parts[0]!.toLowerCase())
  const telling = parts.map((part) => part.toLowerCase()).filter((part) => !stopWords.has(part))
  if (telling.length === 0) return []
  return [...telling.map(stem), word.toLowerCase().replace(/^_+|_+$/g, '')]
}

/** Splits `parseQuery`, `HTTPServer` and `snake_case` where case changes and at underscores. */
const identifierParts = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[^\p{Lu}_]+|\p{Lu}+/gu

/** Compounds are found by their beginning, and by their end through the reversed letters. */
const longWord = 12

function plainTerms(word: string): string[] {
  if (stopWords.has(word)) return []
  const term = stem(word)
  return word.length >= longWord && /^\p{L}+$/u.test(word) ? [term, backwards(word)] : [term]
}

/** The leading `~` distinguishes it from words. */
export function backwards(word: string): string {
  return `~${[...word].reverse().join('')}`
}
