// Selects what a person reads first on a terminal: the best sources in about a dozen lines.
import { ellipsizeSentence } from '../../text/truncate.ts'
import type { AskSource } from './citations.ts'

/** Lines of a terminal, with the list of sources. */
const maxLines = 12
const columns = 76
/** Of a quote. */
const maxQuoteLines = 4
const minQuoteLength = 80

/** At least the first source, whole if it is a statement. */
export function briefSources(near: readonly AskSource[]): AskSource[] {
  const [first] = near
  // Behind a confirmed statement, only what mentions more of the subject is quoted.
  const wanted =
    first?.kind === 'memory' ? near.filter(({ kind, share }) => kind === 'memory' || share > first.share) : near
  const brief: AskSource[] = []
  let left = maxLines
  for (const source of wanted) {
    const text = source.kind === 'memory' ? source.text : shortQuote(source.text)
    const lines = text.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / columns), 0)
    left -= lines + linesOfSource
    if (left < 0 && brief.length > 0) break
    brief.push({ ...source, text })
  }
  return brief
}

/** A blank line, and the line in the list of sources. */
const linesOfSource = 2

/** The heading and the first lines, cut at a sentence. */
function shortQuote(text: string): string {
  let left = maxQuoteLines * columns
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const isHeading = line.startsWith('[')
    if (!isHeading && left < minQuoteLength) break
    const short = isHeading ? line : ellipsizeSentence(line, left)
    lines.push(short)
    left -= isHeading ? 0 : short.length
  }
  return lines.join('\n')
}
