// Finishes a deletion or its undo: the files of the vault, the briefs and the bodies. Every step can
// be repeated, so a run that was killed is finished by the next one.
import { rmSync } from 'node:fs'
import { removeStaleBriefs } from '../brief/prepare.ts'
import { removeFactFiles } from '../compaction/state-files.ts'
import { writeAtomically } from '../core/files.ts'
import { openVault, removeVaultFile, statVaultFile, writeVaultFile } from '../core/vault/files.ts'
import { isEmptyDay, removeEntries, replaceTotals, restoreEntries } from '../journal/day-file.ts'
import { journalPath, readIfExists, totalsText, withJournalLock } from '../journal/write-day.ts'
import { type Deletion, listDeletions, setDeletionState } from '../store/deletion/deletions.ts'
import { emptyWriteAheadLog } from '../store/deletion/scrub.ts'
import type { Ledger } from '../store/ledger.ts'
import { memoryFileAt, saveMemoryFile } from '../store/memories/files.ts'
import { deleteScheduledBodies } from '../store/sessions/evictions.ts'
import { articleAt, saveArticle } from '../store/wiki/articles.ts'
import { totalsOfDay } from '../store/wiki/journal.ts'
import { markIndexDue } from '../wiki/due.ts'
import { withoutSections } from '../wiki/sections.ts'
import { fileOf } from '../wiki/write.ts'
import { type ArchiveRecord, readArchive, removeArchive } from './archive.ts'
import { type DeletionContext, readIfFile } from './delete.ts'

/** Requires the sweep lock. */
export async function finishDeletions(context: DeletionContext): Promise<void> {
  const { ledger } = context
  for (const deletion of listDeletions(ledger, ['deleting', 'restoring'])) {
    if (deletion.state === 'deleting') await removeFiles(context, deletion)
    else await restoreFiles(context, deletion)
  }
}

async function removeFiles(context: DeletionContext, { change, files }: Deletion): Promise<void> {
  const { ledger, clock } = context
  const { layout } = ledger
  deleteScheduledBodies(ledger)
  await withJournalLock(layout, clock, () => {
    for (const [day, uids] of Object.entries(files.journal)) removeFromDay(ledger, day, new Set(uids))
  })
  const vault = openVault(layout.vault)
  for (const path of files.articles) removeVaultFile(vault, fileOf(path))
  for (const path of files.emptied) removeOurSections(layout.vault, path)
  removeStaleBriefs({ ledger })
  removeFactFiles(layout)
  setDeletionState(ledger, change, 'held')
  emptyWriteAheadLog(ledger)
}

function removeOurSections(folder: string, path: string): void {
  const before = readIfFile(folder, fileOf(path))
  if (before) writeVaultFile(openVault(folder), fileOf(path), withoutSections(before))
}

function removeFromDay(ledger: Ledger, day: string, sessions: ReadonlySet<string>): void {
  const path = journalPath(ledger.layout, day)
  const before = readIfExists(path)
  if (!before) return
  const totals = totalsOfDay(ledger, day)
  const content = replaceTotals(removeEntries(before, sessions).content, totalsText(totals))
  if (isEmptyDay(content) && totals.starts === 0) rmSync(path, { force: true })
  else if (!content.equals(before)) writeAtomically(path, content)
}

async function restoreFiles(context: DeletionContext, { change }: Deletion): Promise<void> {
  const { ledger, clock } = context
  const { layout } = ledger
  await withJournalLock(layout, clock, () => {
    for (const record of readArchive(layout, change)) {
      if (record.kind === 'journal') restoreDay(ledger, record)
      if (record.kind === 'memory file') restoreMemoryFile(context, record)
      if (record.kind === 'article') restoreArticle(context, record)
    }
  })
  setDeletionState(ledger, change, 'undone')
  removeArchive(layout, change)
}

type ArchivedDay = Extract<ArchiveRecord, { kind: 'journal' }>

/** The file gets its old bytes, unless it was changed since: then only the entries are added. */
function restoreDay(ledger: Ledger, { day, content, entries }: ArchivedDay): void {
  const path = journalPath(ledger.layout, day)
  const totals = totalsText(totalsOfDay(ledger, day))
  const before = Buffer.from(content, 'base64')
  const now = readIfExists(path)
  const { content: without } = removeEntries(before, new Set(entries.map(({ session }) => session)))
  const isUnchanged = now ? replaceTotals(now, totals).equals(replaceTotals(without, totals)) : isEmptyDay(without)
  const wanted = isUnchanged ? before : replaceTotals(restoreEntries(now, day, entries), totals)
  if (!now?.equals(wanted)) writeAtomically(path, wanted)
}

type ArchivedMemoryFile = Extract<ArchiveRecord, { kind: 'memory file' }>

/** A place that is taken stays so: the memory gets a new file then. */
function restoreMemoryFile({ ledger }: DeletionContext, { file, content }: ArchivedMemoryFile): void {
  const vault = openVault(ledger.layout.vault)
  if (memoryFileAt(ledger, file.path) || statVaultFile(vault, file.path).kind !== 'missing') return
  const stamp = writeVaultFile(vault, file.path, Buffer.from(content, 'base64'))
  if (stamp !== undefined) saveMemoryFile(ledger, { ...file, stamp })
}

type ArchivedArticle = Extract<ArchiveRecord, { kind: 'article' }>

/** A path that was used again since keeps its new article. */
function restoreArticle({ ledger }: DeletionContext, { article, content }: ArchivedArticle): void {
  const { vault } = ledger.layout
  const file = fileOf(article.path)
  const before = Buffer.from(content, 'base64')
  const now = readIfFile(vault, file)
  const isFree = statVaultFile(openVault(vault), file).kind === 'missing' && !articleAt(ledger, article.path)
  if (!isFree && !now?.equals(withoutSections(before))) return
  const stamp = writeVaultFile(openVault(vault), file, before) ?? ''
  ledger.transaction(() => {
    saveArticle(ledger, { ...article, stamp })
    markIndexDue(ledger)
  })
}
