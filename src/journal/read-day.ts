// The journal as it lies in the vault, for whoever shows it.
import type { Layout } from '../core/paths.ts'
import { entriesIn, isFrameLine } from './day-file.ts'
import { titleIn } from './entry.ts'
import { journalFolder, journalPath, namesIn, readIfThere } from './write-day.ts'

export interface JournalDay {
  day: string
  path: string
  /** The file as people read it: without the lines that frame entries. */
  text: string
  entries: { session: string; title: string; start: string; text: string; isEdited: boolean }[]
}

/** Days that have a file, the latest last. */
export function journalDays(layout: Layout): string[] {
  return namesIn(journalFolder(layout))
    .flatMap((name) => /^(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? [])
    .sort()
}

export function readDay(layout: Layout, day: string): JournalDay | undefined {
  const path = journalPath(layout, day)
  const content = readIfThere(path)
  if (!content) return undefined
  const lines = content.toString('utf8').split(/\r?\n/)
  return {
    day,
    path,
    text: lines
      .filter((line) => !isFrameLine(line))
      .join('\n')
      .trim(),
    entries: entriesIn(content).map((entry) => ({ ...entry, title: titleIn(entry.text) })),
  }
}
