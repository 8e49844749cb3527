// Whether a text already contains a fact: compares a summary with what it replaced.
import { contentWords } from '../text/content-words.ts'

/** Whether a text names it; a path also by its last two parts. */
export function mentionsName(text: string, name: string, kind: string): boolean {
  if (hasName(text, name)) return true
  if (kind !== 'path') return false
  const parts = name.split('/')
  return parts.length > 2 && hasName(text, parts.slice(-2).join('/'))
}

/** As a word of its own. */
export function hasName(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordSign(text[at - 1]) && !isWordSign(text[at + word.length])) return true
  }
  return false
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign)
}

/** Returns a function that tells whether one line of the text has nearly all words of a sentence. */
export function statementFinder(text: string): (sentence: string) => boolean {
  const lines = text.split('\n').map((line) => new Set(contentWords(line)))
  return (sentence) => {
    if (text.includes(sentence)) return true
    const words = new Set(contentWords(sentence))
    return words.size === 0 || lines.some((line) => sharedShare(words, line) >= minShared)
  }
}

/** Summaries reword, but keep the words that matter. */
const minShared = 0.8

function sharedShare(words: ReadonlySet<string>, line: ReadonlySet<string>): number {
  let shared = 0
  for (const word of words) if (line.has(word)) shared++
  return shared / words.size
}
