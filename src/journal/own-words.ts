// The person's own words in a prompt, as they are quoted in the journal.
import { humanText } from '../text/human-text.ts'
import { splitSentences } from '../text/sentences.ts'

/** Without what was pasted. */
export function ownSentences(prompt: string): string[] {
  return humanText(prompt).spans.flatMap(({ start, end }) => splitSentences(prompt.slice(start, end)))
}

export function plainApostrophes(text: string): string {
  return text.replaceAll('’', "'")
}

export function quoted(text: string): string {
  return `“${text.trim()}”`
}
