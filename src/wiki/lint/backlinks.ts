// Backlinks in the section `related`. They are marked by a note, so that a build can keep them when
// it rewrites the section, and outdated ones can be removed.

import { escapeMarkdown } from '../../text/markdown.ts'
import { type LinkTargets, resolveLink, wikilink, wikilinksIn } from '../links.ts'

export interface Backlink {
  path: string
  title: string
}

/** `text`: the existing section, if any. */
export function addBacklinks(text: string | undefined, backlinks: readonly Backlink[]): string {
  const lines = backlinks.map(
    ({ path, title }) => `- ${wikilink(path, escapeMarkdown(title.replace(/[[\]|]/g, ' '), 120))}${backlinkNote}`,
  )
  return [text?.trim() || '## Related\n', ...lines].join('\n')
}

const backlinkNote = ', which links here'

/** Removes backlinks of articles that no longer link here. */
export function removeStaleBacklinks(text: string, owes: ReadonlySet<string>, targets: LinkTargets): string {
  const holds = (line: string) => owes.has(resolveLink(targetOf(line) ?? '', targets) ?? '')
  return text
    .split('\n')
    .filter((line) => !isBacklink(line) || holds(line))
    .join('\n')
}

/** Adds the backlinks of the existing section to the newly compiled one. */
export function carryOverBacklinks(text: string, before: string, isThere: (path: string) => boolean): string {
  const known = new Set(wikilinksIn(text).map(({ target }) => target))
  const kept = before.split('\n').filter((line) => {
    const target = isBacklink(line) ? targetOf(line) : undefined
    return target !== undefined && !known.has(target) && isThere(target)
  })
  return [text.trim(), ...kept].join('\n')
}

export function isBacklink(line: string): boolean {
  return line.startsWith('- [[') && line.trimEnd().endsWith(`]]${backlinkNote}`)
}

function targetOf(line: string): string | undefined {
  return wikilinksIn(line)[0]?.target
}
