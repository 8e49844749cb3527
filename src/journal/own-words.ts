// The person's own words in a prompt, as they are quoted in the journal.
import { humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'

/** Without what was pasted. */
export function ownSentences(prompt: string): readonly string[] {
  if (last?.prompt !== prompt) last = { prompt, sentences: readOwnSentences(prompt) }
  return last.sentences
}

/** A cache: decisions and what was put off are read from the same prompt. */
let last: { prompt: string; sentences: string[] } | undefined

function readOwnSentences(prompt: string): string[] {
  return humanText(prompt).spans.flatMap(({ start, end }) => splitSentences(prompt.slice(start, end)))
}

export function plainApostrophes(text: string): string {
  return text.replaceAll('’', "'")
}

export function quoted(text: string): string {
  return `“${text.trim()}”`
}
