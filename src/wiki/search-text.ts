// What the search finds of an article and of a day of the journal: titles, summaries, what a model or a person wrote. Statements
// are found as the memories that they are, entries made from a digest as that digest: nothing is found twice. People write into these
// files: what is secret in them stays there.

import { redact } from '../core/redact.ts'
import { splitFrontmatter } from '../core/vault/frontmatter.ts'
import type { DayEntry } from '../journal/day-file.ts'
import type { ArticleHead } from './article.ts'
import { isSectionMarkerLine, sectionsIn } from './sections.ts'

/** Sections made of memories and of the journal. */
const copiedSections: ReadonlySet<string> = new Set([
  'rules',
  'decisions',
  'traps',
  'knowledge',
  'doubtful',
  'history',
  'related',
  'sources',
])

export function articleSearchText(head: Pick<ArticleHead, 'title' | 'aliases' | 'question'>, content: Buffer): string {
  const sections = sectionsIn(content)
  const skipped = sections.filter(
    ({ name, isEdited, isByModel }) => copiedSections.has(name) && !isEdited && !isByModel,
  )
  let text = splitFrontmatter(content.toString('utf8'))?.body ?? ''
  for (const section of skipped) text = text.replace(section.text, '')
  const own = text
    .split('\n')
    .filter((line) => !isSectionMarkerLine(line))
    .join('\n')
  const names = [head.title, ...head.aliases, head.question ?? ''].filter((name) => name !== '')
  return withoutSecrets([names.join(', '), own.trim()].filter((part) => part !== '').join('\n'))
}

/** `outside` is what stands in the file besides entries, without the headings that every day has. */
export function daySearchText(entries: readonly DayEntry[], outside: string): string {
  const told = entries.filter(({ text, isEdited }) => isEdited || /^_.*written by .*_$/m.test(text))
  return withoutSecrets([...told.map(({ text }) => text), outside].filter((part) => part.trim() !== '').join('\n\n'))
}

function withoutSecrets(text: string): string {
  return redact([text]).texts[0]!
}
