// The words that say what a sentence is about, stemmed, and which of them are names or values.
import { characterPairs } from './statement.ts'
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'

export function contentWords(text: string): string[] {
  const found: string[] = []
  const words = isAscii.test(text)
    ? text.toLowerCase().match(asciiWords)
    : text.normalize('NFKC').toLowerCase().match(allWords)
  for (const word of words ?? []) {
    const known = wordsOf(word)
    if (typeof known === 'string') found.push(known)
    else for (const part of known) found.push(part)
  }
  return found
}

const isAscii = /^[\u0000-\u007f]*$/
const asciiWords = /[a-z0-9][a-z0-9_]*/g
const allWords = /[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu

/** A cache: nine of ten words of a text were seen before. */
const knownWords = new Map<string, string | readonly string[]>()
const maxKnown = 50_000

function wordsOf(word: string): string | readonly string[] {
  const known = knownWords.get(word)
  if (known !== undefined) return known
  const found = withoutSpaces.test(word) ? characterPairs(word) : isContentWord(word) ? stem(word) : []
  if (knownWords.size >= maxKnown) knownWords.clear()
  knownWords.set(word, found)
  return found
}

function isContentWord(word: string): boolean {
  return !stopWords.has(word) && (word.length > 1 || /\d/.test(word))
}

const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** A number, an identifier, an acronym: rules consist of these, and they cannot be paraphrased. */
export function valuesIn(text: string): Set<string> {
  const found =
    text.match(/\b\d[\d.,]*\b|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][A-Z0-9]{1,}\b|\b[A-Z][a-z]+[A-Z]\w*\b/g) ?? []
  return new Set(found.flatMap((value) => contentWords(value)))
}
