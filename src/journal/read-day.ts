// Reads journal files of the vault.
import type { Layout } from '../core/paths.ts'
import { entriesIn, isDayMarker } from './day-file.ts'
import { entryTitle } from './entry.ts'
import { fileNamesIn, journalFolder, journalPath, readIfExists } from './write-day.ts'

export interface JournalDay {
  day: string
  path: string
  /** The file without the markers of entries. */
  text: string
  entries: { session: string; title: string; start: string; text: string; isEdited: boolean }[]
}

/** Days that have a file, in ascending order. */
export function journalDays(layout: Layout): string[] {
  return fileNamesIn(journalFolder(layout))
    .flatMap((name) => /^(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? [])
    .sort()
}

export function readDay(layout: Layout, day: string): JournalDay | undefined {
  const path = journalPath(layout, day)
  const content = readIfExists(path)
  if (!content) return undefined
  const lines = content.toString('utf8').split(/\r?\n/)
  return {
    day,
    path,
    text: lines
      .filter((line) => !isDayMarker(line))
      .join('\n')
      .trim(),
    entries: entriesIn(content).map((entry) => ({ ...entry, title: entryTitle(entry.text) })),
  }
}
