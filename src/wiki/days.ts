// Finds the days of the journal that changed since the last build. Reads only files with a changed
// stamp.
import { createHash } from 'node:crypto'
import { markdownFilesIn, openVault, readVaultBytes, statVaultFile } from '../core/vault/files.ts'
import { entriesIn, textOutside, withoutTotals } from '../journal/day-file.ts'
import type { Ledger } from '../store/ledger.ts'
import { deleteWikiDay, saveWikiDay, type WikiDay, wikiDays } from '../store/wiki/articles.ts'
import { daySearchText } from './search-text.ts'

export interface DayChange {
  day: string
  /** Undefined if the file was deleted. */
  content: Buffer | undefined
  row: WikiDay
}

interface DayFilter {
  /** Include unchanged days. */
  isAll: boolean
  /** Include unchanged days from this one on. */
  since?: string | undefined
}

/** Returns the days whose content differs from what was compiled. */
export function changedDays(ledger: Ledger, { isAll, since }: DayFilter): DayChange[] {
  const vault = openVault(ledger.layout.vault)
  const known = wikiDays(ledger)
  const days = markdownFilesIn(vault, 'journal').flatMap((name) => /^(\d{4}-\d\d-\d\d)\.md$/.exec(name)?.[1] ?? [])
  const there = new Set(days)
  const gone = [...known.values()].filter(({ day }) => !there.has(day))
  return [
    ...days.flatMap((day) =>
      dayChange(ledger, vault, day, known.get(day), isAll || (since !== undefined && day >= since)),
    ),
    ...gone.map((row) => ({ day: row.day, content: undefined, row })),
  ]
}

function dayChange(
  ledger: Ledger,
  vault: string,
  day: string,
  known: WikiDay | undefined,
  isForced: boolean,
): DayChange[] {
  const file = `journal/${day}.md`
  const found = statVaultFile(vault, file)
  if (found.kind !== 'file' || (found.stamp === known?.stamp && !isForced)) return []
  // The stamp is read before the content, so that a concurrent write is detected the next time.
  const content = withoutTotals(readVaultBytes(vault, file))
  const hash = createHash('sha256').update(content).digest('hex')
  const row: WikiDay = {
    day,
    stamp: found.stamp,
    hash,
    said: daySearchText(entriesIn(content), textOutside(content)),
    askedHash: known?.askedHash ?? null,
    askedBytes: known?.askedBytes ?? 0,
  }
  if (hash !== known?.hash || isForced) return [{ day, content, row }]
  saveWikiDay(ledger, row)
  return []
}

/** Call it inside a transaction. */
export function saveDay(ledger: Ledger, { day, content, row }: DayChange): void {
  if (content === undefined) deleteWikiDay(ledger, day)
  else saveWikiDay(ledger, row)
}
