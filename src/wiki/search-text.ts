// Extracts the searchable text of articles and journal days: titles, summaries, and what a model or
// a person wrote. Leaves out copies of memories and digests, which are indexed themselves. Redacts
// secrets that people wrote.

import { redact } from '../core/redact/redact.ts'
import { splitFrontmatter } from '../core/vault/frontmatter.ts'
import type { DayEntry } from '../journal/day-file.ts'
import type { ArticleHead } from './article.ts'
import { isSectionMarkerLine, sectionsIn } from './sections.ts'

/** Sections that copy memories and the journal. */
const copiedSections: ReadonlySet<string> = new Set([
  'rules',
  'decisions',
  'traps',
  'running',
  'knowledge',
  'doubtful',
  'open',
  'topics',
  'related',
  'sources',
])

export function articleSearchText(head: Pick<ArticleHead, 'title' | 'aliases' | 'question'>, content: Buffer): string {
  const sections = sectionsIn(content)
  const skipped = sections.filter(({ name, isEdited }) => copiedSections.has(name) && !isEdited)
  let text = splitFrontmatter(content.toString('utf8'))?.body ?? ''
  for (const section of skipped) text = text.replace(section.text, '')
  const own = text
    .split('\n')
    .filter((line) => !isSectionMarkerLine(line))
    .join('\n')
  const names = [head.title, ...head.aliases, head.question ?? ''].filter((name) => name !== '')
  return withoutSecrets([names.join(', '), own.trim()].filter((part) => part !== '').join('\n'))
}

/** `outside`: text of the file outside of entries, without the standard headings. */
export function daySearchText(entries: readonly DayEntry[], outside: string): string {
  const original = entries.filter(({ text, isEdited }) => isEdited || /^_.*written by .*_$/m.test(text))
  return withoutSecrets(
    [...original.map(({ text }) => text), outside].filter((part) => part.trim() !== '').join('\n\n'),
  )
}

function withoutSecrets(text: string): string {
  return redact([text]).texts[0]!
}
