// Disk usage of the store, by class of file.
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Json } from '../core/session.ts'
import { isObject, readChecked, readValue, writeValue } from './key-values.ts'
import type { Ledger } from './ledger.ts'

export interface StoreSizes {
  bodies: number
  /** Of bodies: the lines from which transcripts can be restored. */
  copies: number
  ledger: number
  vault: number
  briefs: number
  spool: number
  logs: number
  backups: number
  deleted: number
}

/**
 * Uses the ledger's own sums for bodies and the vault, so a sweep that changed nothing does not
 * walk those folders.
 */
export function storeSizes(ledger: Ledger): StoreSizes {
  const { layout } = ledger
  const { bytes, copies } = ledger
    .sql(
      'SELECT coalesce(sum(body_bytes), 0) AS bytes, coalesce(sum(copy_bytes), 0) AS copies FROM sessions WHERE body_bytes > 0',
    )
    .get()!
  return {
    bodies: Number(bytes) - Number(copies),
    copies: Number(copies),
    ledger: fileSize(layout.ledger) + fileSize(`${layout.ledger}-wal`),
    vault: Number(readValue(ledger, vaultBytesKey) ?? folderSize(layout.vault)),
    briefs: savedBriefSizes(ledger)?.bytes ?? folderSize(layout.briefs),
    spool: folderSize(layout.spool),
    logs: folderSize(layout.logs),
    backups: folderSize(layout.backups),
    deleted: folderSize(layout.deleted),
  }
}

/**
 * The sizes that count against the limits of retention: those that remain once the write-ahead log
 * is written back and free pages are returned to the file system. What was deleted is gone in a day.
 */
export function retainedSizes(ledger: Ledger, sizes = storeSizes(ledger)): StoreSizes {
  return { ...sizes, ledger: bytesOfUsedPages(ledger), deleted: 0 }
}

function bytesOfUsedPages(ledger: Ledger): number {
  const pragma = (name: string) => Number(ledger.sql(`PRAGMA ${name}`).get()![name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}

const vaultBytesKey = 'vault bytes'

/** Call after files of the vault were written. */
export function saveVaultSize(ledger: Ledger): void {
  writeValue(ledger, vaultBytesKey, folderSize(ledger.layout.vault))
}

const briefBytesKey = 'brief bytes'

interface BriefSizes extends Record<string, Json> {
  bytes: number
  /** Each folder with the time of its last change. */
  folders: [path: string, changedMs: number][]
}

/** Call at the end of a sweep. Measures only if a brief was written. */
export function saveBriefsSize(ledger: Ledger): void {
  if (savedBriefSizes(ledger)) return
  const { briefs } = ledger.layout
  const entries = existsSync(briefs) ? readdirSync(briefs, { recursive: true, withFileTypes: true }) : []
  const paths = ['', ...entries.filter((entry) => entry.isDirectory()).map(pathBelow(briefs))]
  // The times first: a brief that is written meanwhile is measured by the next sweep.
  const folders = paths.map((path): [string, number] => [path, changedMs(join(briefs, path))])
  writeValue(ledger, briefBytesKey, { bytes: folderSize(briefs), folders } satisfies BriefSizes)
}

/**
 * Undefined if a brief was written since. Briefs are replaced and never changed in place, which
 * changes the time of their folder.
 */
function savedBriefSizes(ledger: Ledger): BriefSizes | undefined {
  const isValid = (value: Json) => isObject(value) && typeof value.bytes === 'number' && Array.isArray(value.folders)
  const saved = readChecked<BriefSizes>(ledger, briefBytesKey, isValid)
  const isCurrent = saved?.folders.every(([path, ms]) => changedMs(join(ledger.layout.briefs, path)) === ms)
  return isCurrent ? saved : undefined
}

function pathBelow(folder: string): (entry: Dirent) => string {
  return ({ parentPath, name }) => relative(folder, join(parentPath, name))
}

function changedMs(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export function totalBytes(sizes: StoreSizes): number {
  return Object.values(sizes).reduce((sum, size) => sum + size, 0)
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function folderSize(folder: string): number {
  if (!statSync(folder, { throwIfNoEntry: false })) return 0
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fileSize(join(entry.parentPath, entry.name)), 0)
}
