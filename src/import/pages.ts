// Writes imported days and articles into the vault. A file that is there is never overwritten: text
// of another journal becomes a section of its own at the end of the day.
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { writeAtomically } from '../core/files.ts'
import { withLock } from '../core/lock.ts'
import { openVault, readVaultBytes, removeVaultFile, statVaultFile, writeVaultFile } from '../core/vault/files.ts'
import { dayWithEntries, isEmptyDay, putImportedSection, removeImportedSection } from '../journal/day-file.ts'
import { journalPath, readIfExists, withJournalLock } from '../journal/write-day.ts'
import { type ImportedRow, importedHash } from '../store/imported.ts'
import type { Ledger } from '../store/ledger.ts'
import { articleFolders } from '../wiki/article.ts'
import type { ImportChange } from './change.ts'
import type { ImportedArticle, ImportedDay } from './source.ts'

export interface PageCounts {
  /** Paths in the vault. */
  days: string[]
  articles: string[]
  /** Imported before, and the same or changed by a person since. */
  known: number
  /** Paths in the vault where another file is. */
  left: string[]
}

export interface PageContext {
  ledger: Ledger
  clock: Clock
}

export interface PageOptions {
  source: string
  name: string
  change: ImportChange
  isDryRun: boolean
  redact(text: string): string
}

export async function importPages(
  { ledger, clock }: PageContext,
  pages: readonly (ImportedDay | ImportedArticle)[],
  options: PageOptions,
): Promise<PageCounts> {
  const counts: PageCounts = { days: [], articles: [], known: 0, left: [] }
  const days = pages.filter((page) => page.kind === 'day')
  const articles = pages.filter((page) => page.kind === 'article')
  if (days.length > 0)
    await withJournalLock(ledger.layout, clock, () => {
      for (const day of days) importDay(ledger, day, options, counts)
    })
  if (articles.length > 0)
    await withLock(ledger.layout, 'wiki', { clock, command: 'import' }, () => {
      for (const article of articles) importArticle(ledger, article, options, counts)
    })
  return counts
}

function importDay(
  ledger: Ledger,
  { day, text, entries }: ImportedDay,
  options: PageOptions,
  counts: PageCounts,
): void {
  const clean = options.redact(text.trim())
  // A day of ours is a whole file with its entries.
  if (entries) {
    const content = dayWithEntries(
      clean,
      entries.map((entry) => ({ ...entry, text: options.redact(entry.text) })),
    )
    return importFile(ledger, { path: `journal/${day}.md`, content, pages: counts.days }, options, counts)
  }
  const path = journalPath(ledger.layout, day)
  const before = readIfExists(path)
  const section = { source: options.source, text: `## From ${options.name}\n\n${clean}` }
  const put = putImportedSection(before, day, section)
  // A section that a person has deleted stays deleted.
  const wasImported = importedHash(ledger, 'section', day) !== undefined
  if (put.kind !== 'written' || (wasImported && !before?.includes(`recollect:imported ${options.source} `))) {
    counts.known++
    return
  }
  counts.days.push(`journal/${day}`)
  if (options.isDryRun) return
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeAtomically(path, put.content)
  ledger.transaction(() => options.change.record({ kind: 'section', name: day, hash: put.hash }))
}

function importArticle(
  ledger: Ledger,
  { articleKind, name, content }: ImportedArticle,
  options: PageOptions,
  counts: PageCounts,
): void {
  const path = `${articleFolders[articleKind]}/${name}.md`
  const file = { path, content: Buffer.from(options.redact(content)), pages: counts.articles }
  importFile(ledger, file, options, counts)
}

interface VaultPage {
  path: string
  content: Buffer
  /** Where to count it. */
  pages: string[]
}

function importFile(
  ledger: Ledger,
  { path, content, pages }: VaultPage,
  { change, isDryRun }: PageOptions,
  counts: PageCounts,
): void {
  const vault = openVault(ledger.layout.vault)
  const found = statVaultFile(vault, path)
  // A file that a person has changed or deleted since stays so.
  if (importedHash(ledger, 'file', path) !== undefined) counts.known++
  else if (found.kind === 'file' && readVaultBytes(vault, path).equals(content)) counts.known++
  else if (found.kind !== 'missing') counts.left.push(path.replace(/\.md$/, ''))
  else if (isDryRun) pages.push(path.replace(/\.md$/, ''))
  // A link in the place of a folder could lead anywhere.
  else if (writeVaultFile(vault, path, content) === undefined) counts.left.push(path.replace(/\.md$/, ''))
  else {
    pages.push(path.replace(/\.md$/, ''))
    ledger.transaction(() => change.record({ kind: 'file', name: path, hash: hashOf(content) }))
  }
}

/** Removes pages that nobody has changed since. Returns the paths of those that stay. */
export async function removePages({ ledger, clock }: PageContext, rows: readonly ImportedRow[]): Promise<string[]> {
  const left: string[] = []
  const vault = openVault(ledger.layout.vault)
  await withJournalLock(ledger.layout, clock, () => {
    for (const { name: day, hash } of rows.filter(({ kind }) => kind === 'section')) {
      const path = journalPath(ledger.layout, day)
      const before = readIfExists(path)
      const content = before && removeImportedSection(before, hash)
      if (content && isEmptyDay(content)) removeVaultFile(vault, `journal/${day}.md`)
      else if (content) writeAtomically(path, content)
      else if (before) left.push(`journal/${day}`)
    }
  })
  await withLock(ledger.layout, 'wiki', { clock, command: 'undo' }, () => {
    for (const { name: path, hash } of rows.filter(({ kind }) => kind === 'file')) {
      if (statVaultFile(vault, path).kind !== 'file') continue
      if (hashOf(readVaultBytes(vault, path)) === hash) removeVaultFile(vault, path)
      else left.push(path.replace(/\.md$/, ''))
    }
  })
  return left
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
