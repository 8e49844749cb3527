import type { ArticleTopic } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import { wikilink } from '../links.ts'

export interface Neighbours {
  own: readonly { path: string; title: string; note?: string }[]
  elsewhere: readonly ArticleTopic[]
  /** The page of the project's memories. */
  memoryIndex: string | null
}

/** At least two links, so that nobody ends up on a page that leads nowhere. */
export function relatedSection({ own, elsewhere, memoryIndex }: Neighbours): string {
  const lines = [
    ...own.map(({ path, title, note }) => `- ${wikilink(path, title)}${note ? `: ${note}` : ''}`),
    ...elsewhere.map(
      ({ path, title, project, projectName }) =>
        `- ${wikilink(path, title)} ${project === null ? 'everywhere' : `in ${escapeMarkdown(projectName, 80)}`}`,
    ),
    ...(memoryIndex === null ? [] : [`- ${wikilink(memoryIndex, 'All memories')}`]),
  ]
  if (lines.length < 2) lines.push(`- ${wikilink('wiki/index', 'Index')}`)
  return ['## Related', '', ...lines].join('\n')
}
