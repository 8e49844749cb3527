// What the agent wrote, sentence by sentence, without code and without the marks of Markdown.
import { type Sentence, sentencesOf } from './sentences.ts'

export function agentSentences(text: string): Sentence[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = [...prose.matchAll(/[^\n]+/g)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
  return sentencesOf(prose, lines, '')
}

/** Without the marks of Markdown; `2**10` is none. */
export function withoutMarkdown(text: string): string {
  return text.replace(/(?<!\w)\*\*|\*\*(?!\w)|^[#>\s*-]+/g, '').trim()
}
