// Instructions stand in every session and are paid for in every request: where they grow too long, somebody says what could go.
import { estimateTokens } from '../../text/tokens.ts'
import type { Practice } from '../practice.ts'

export interface Sizes {
  /** Of our text in one file. */
  maxTokens: number
  /** Of the whole file: longer ones are followed less. */
  maxLines: number
}

const defaultSizes: Sizes = { maxTokens: 2000, maxLines: 200 }

/** `render` makes our text of practices; `whole` is the file as it will be. */
export function sizeWarnings(
  practices: readonly Practice[],
  render: (practices: readonly Practice[]) => string,
  whole: string,
  { maxTokens, maxLines }: Sizes = defaultSizes,
): string[] {
  const tokens = estimateTokens(render(practices))
  const lines = whole.split('\n').length - 1
  return [
    ...(tokens > maxTokens
      ? [`the practices are about ${tokens} tokens; ${maxTokens} are enough. ${toRetire(practices, render, maxTokens)}`]
      : []),
    ...(lines > maxLines ? [`the file has ${lines} lines; agents follow less of one with more than ${maxLines}`] : []),
  ]
}

/** Those that were seen least, until the others fit. */
function toRetire(
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
