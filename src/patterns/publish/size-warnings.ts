// Warns of long instruction files, which every request pays for, and suggests practices to retire.
import { estimateTokens } from '../../text/tokens.ts'
import type { Practice } from '../types.ts'

export interface SizeLimits {
  /** Limit of our text in one file. */
  maxTokens: number
  /** Limit of the whole file: longer ones are followed less. */
  maxLines: number
}

const defaultSizes: SizeLimits = { maxTokens: 2000, maxLines: 200 }

/** `render` creates our text; `whole` is the resulting file. */
export function sizeWarnings(
  practices: readonly Practice[],
  render: (practices: readonly Practice[]) => string,
  whole: string,
  { maxTokens, maxLines }: SizeLimits = defaultSizes,
): string[] {
  const tokens = estimateTokens(render(practices))
  const lines = whole.split('\n').length - 1
  return [
    ...(tokens > maxTokens
      ? [
          `the practices are about ${tokens} tokens; ${maxTokens} are enough. ${retireSuggestion(practices, render, maxTokens)}`,
        ]
      : []),
    ...(lines > maxLines ? [`the file has ${lines} lines; agents follow less of one with more than ${maxLines}`] : []),
  ]
}

/** The practices with the least evidence, until the rest fits. */
function retireSuggestion(
  practices: readonly Practice[],
  render: (practices: readonly Practice[]) => string,
  maxTokens: number,
): string {
  const bySeen = practices.toSorted(
    (a, b) =>
      a.provenance.sessions - b.provenance.sessions ||
      a.provenance.frequency - b.provenance.frequency ||
      (a.path < b.path ? -1 : 1),
  )
  let count = 1
  while (count < bySeen.length && estimateTokens(render(bySeen.slice(count))) > maxTokens) count++
  return `Seen least, and so the first to retire: ${bySeen
    .slice(0, count)
    .map(({ title }) => title)
    .join(', ')}`
}
