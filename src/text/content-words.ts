// The words that say what a sentence is about, stemmed, and which of them are names or values.
import { characterPairs } from './statement.ts'
import { stem } from './stem.ts'
import { stopWords } from './stop-words.ts'

export function contentWords(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*/gu) ?? []
  return words.flatMap((word) =>
    withoutSpaces.test(word) ? characterPairs(word) : isContentWord(word) ? [stem(word)] : [],
  )
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
