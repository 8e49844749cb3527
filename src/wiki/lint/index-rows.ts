// The rows of index.md: `| [[wiki/concepts/x\|Title]] | summary | [[journal/2026-09-01\|2026-09-01]] … | 2026-09-01 |`.

import { unescapeMarkdown } from '../../text/markdown.ts'
import { wikilinksIn } from '../links.ts'

export interface IndexRow {
  target: string
  line: number
  summary: string
  /** How many entries its cell of sources has. */
  sources: number
}

export function indexRows(text: string): IndexRow[] {
  return text.split(/\r?\n/).flatMap((content, at) => {
    if (!content.startsWith('|')) return []
    // A bar within a cell has a backslash before it.
    const [, article = '', summary = '', sources = ''] = content.split(/(?<!\\)\|/)
    const target = wikilinksIn(article)[0]?.target
    if (target === undefined) return []
    const entries = wikilinksIn(sources).length || sources.split(',').filter((one) => one.trim() !== '').length
    return { target, line: at + 1, summary: unescapeMarkdown(summary.trim()), sources: entries }
  })
}
