// Which days of the journal were written since the last build. Told by a stat of each file; only those whose stamp is another one
// are read.
import { createHash } from 'node:crypto'
import { markdownFilesIn, openVault, readVaultBytes, statVaultFile } from '../core/vault/files.ts'
import { entriesIn, textOutside } from '../journal/day-file.ts'
import type { Ledger } from '../store/ledger.ts'
import { deleteWikiDay, saveWikiDay, type WikiDay, wikiDays } from '../store/wiki/articles.ts'
import { daySearchText } from './search-text.ts'

export interface DayChange {
  day: string
  /** Undefined where the file is gone. */
  content: Buffer | undefined
  row: WikiDay
}

export interface DayFilter {
  /** Every day, whether or not it was compiled. */
  isAll: boolean
  /** Every day from this one on. */
  since?: string | undefined
}

/** Days whose content is not what was compiled. */
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
  isAnyway: boolean,
): DayChange[] {
  const file = `journal/${day}.md`
  const found = statVaultFile(vault, file)
  if (found.kind !== 'file' || (found.stamp === known?.stamp && !isAnyway)) return []
  // The stamp is older than the content: what is written meanwhile is seen the next time.
  const content = readVaultBytes(vault, file)
  const hash = createHash('sha256').update(content).digest('hex')
  const row: WikiDay = {
    day,
    stamp: found.stamp,
    hash,
    said: daySearchText(entriesIn(content), textOutside(content)),
    askedHash: known?.askedHash ?? null,
    askedBytes: known?.askedBytes ?? 0,
  }
  if (hash !== known?.hash || isAnyway) return [{ day, content, row }]
  saveWikiDay(ledger, row)
  return []
}

/** Call it inside a transaction. */
export function saveDay(ledger: Ledger, { day, content, row }: DayChange): void {
  if (content === undefined) deleteWikiDay(ledger, day)
  else saveWikiDay(ledger, row)
}
