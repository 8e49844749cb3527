// What a text is found by: one function for what is stored and for what is asked, so that both always agree. Its terms are
// written into the index as they are, separated by blanks; the index splits at blanks and does nothing else to them.
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'

/**
 * Its terms in order, without stop words: they are half of a text and tell nothing apart. An identifier gives its parts and
 * then itself, a long word also itself from behind.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  const words = isAscii.test(text) ? text.match(asciiWords) : folded(text).match(allWords)
  for (const word of words ?? []) for (const term of termsOfWord(word)) terms.push(term)
  return terms
}

const isAscii = /^[\u0000-\u007f]*$/

/** Letters and digits, joined by underscores; `'s`, `n't` and the like are cut off later. */
const asciiWords = /[A-Za-z0-9_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/g
const allWords = /[\p{L}\p{N}\p{Mn}\p{Mc}_]+(?:'(?:s|t|re|ve|ll|d|m)\b)?/gu

/** Compatible forms as one (full width, ligatures), accents of Latin, Greek and Cyrillic off; case is kept for identifiers. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200d\ufeff]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/[‘’ʼ]/g, "'")
}

/** Text repeats its words: nine of ten are here. */
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

/** Scripts that are written without spaces, or whose words carry their endings without a mark. */
const dense =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
const hasDense = new RegExp(`[${dense}]`, 'u')
const denseRuns = new RegExp(`[${dense}][${dense}\\p{Mn}\\p{Mc}]*|[^${dense}]+`, 'gu')

function runsOf(word: string): string[] {
  return word.match(denseRuns) ?? []
}

/** Every two neighbours, and the last one alone: so a single character is found as a beginning. */
function pairsOf(run: string): string[] {
  const characters = [...run]
  return characters.map((character, index) => character + (characters[index + 1] ?? ''))
}

/** Nobody looks for more of a word; what is longer is a hash or an encoded file. */
const longestTerm = 40

function spaced(word: string): string[] {
  if (word.length > longestTerm) return []
  const parts = word.match(identifierParts) ?? []
  if (parts.length === 1) return plainTerms(parts[0]!.toLowerCase())
  const telling = parts.map((part) => part.toLowerCase()).filter((part) => !stopWords.has(part))
  if (telling.length === 0) return []
  return [...telling.map(stem), word.toLowerCase().replace(/^_+|_+$/g, '')]
}

/** `parseQuery`, `HTTPServer`, `snake_case`: where case changes, and at underscores. */
const identifierParts = /\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?[^\p{Lu}_]+|\p{Lu}+/gu

/** A compound is found by its beginning as it is, and by its end through its letters from behind. */
const longWord = 12

function plainTerms(word: string): string[] {
  if (stopWords.has(word)) return []
  const term = stem(word)
  return word.length >= longWord && /^\p{L}+$/u.test(word) ? [term, backwards(word)] : [term]
}

/** The mark in front keeps it apart from words. */
export function backwards(word: string): string {
  return `~${[...word].reverse().join('')}`
}
