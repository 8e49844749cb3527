// Links that are returned stand in the section `related`, behind those that are there, and say why they do: so a build that writes
// the section anew can keep them, and one that is not true any more can go.

import { escapeMarkdown } from '../../text/markdown.ts'
import { type LinkTargets, resolveLink, wikilink, wikilinksIn } from '../links.ts'

export interface Backlink {
  path: string
  title: string
}

/** `text` is the section as it is, if there is one. */
export function addBacklinks(text: string | undefined, backlinks: readonly Backlink[]): string {
  const lines = backlinks.map(
    ({ path, title }) => `- ${wikilink(path, escapeMarkdown(title.replace(/[[\]|]/g, ' '), 120))}${backlinkNote}`,
  )
  return [text?.trim() || '## Related\n', ...lines].join('\n')
}

const backlinkNote = ', which links here'

/** Without those that do not link here any more. */
export function removeStaleBacklinks(text: string, owes: ReadonlySet<string>, targets: LinkTargets): string {
  const holds = (line: string) => owes.has(resolveLink(targetOf(line) ?? '', targets) ?? '')
  return text
    .split('\n')
    .filter((line) => !isBacklink(line) || holds(line))
    .join('\n')
}

/** The section as it is compiled, with what was returned in the one that stands in the file. */
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
