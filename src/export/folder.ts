// Writes the files of an export. A manifest in the folder lists our files with their hashes: only
// those are overwritten or removed, and files that a person added or changed are kept.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'
import { openVault, readVaultBytes, removeVaultFile, statVaultFile, writeVaultFile } from '../core/vault/files.ts'
import type { ExportedFile, ExportFormat } from './export-data.ts'

export interface FolderReport {
  folder: string
  files: number
  written: number
  removed: number
  /** Files that were not written because a person added or changed them. */
  left: string[]
}

const manifestName = '.recollect-export.json'

interface Manifest {
  format: ExportFormat
  /** Hash of each file as we wrote it. */
  files: Record<string, string>
}

export function writeFolder(
  layout: Layout,
  { folder, format, files }: { folder: string; format: ExportFormat; files: readonly ExportedFile[] },
): FolderReport {
  const root = openFolder(layout, folder)
  const before = readManifest(root)?.files ?? {}
  const wanted = new Map(files.map(({ path, content }) => [path, { content, hash: hashOf(content) }]))
  const report: FolderReport = { folder: root, files: wanted.size, written: 0, removed: 0, left: [] }
  const after = Object.fromEntries([...wanted].map(([path, { hash }]) => [path, hash]))
  // The manifest has the old and the new files until the end, so that files of a killed run count
  // as ours.
  const saveManifest = (known: Record<string, string>) =>
    writeVaultFile(root, manifestName, `${JSON.stringify({ format, files: known } satisfies Manifest, null, 1)}\n`)
  saveManifest({ ...before, ...after })
  for (const [path, { content, hash }] of wanted) {
    const is = fileState(root, path, [before[path], hash])
    if (is === 'theirs' || (is !== hash && writeVaultFile(root, path, content) === undefined)) {
      report.left.push(path)
      delete after[path]
    } else if (is !== hash) report.written++
  }
  for (const [path, hash] of Object.entries(before)) {
    if (wanted.has(path)) continue
    const is = fileState(root, path, [hash])
    if (is === 'theirs') report.left.push(path)
    if (is !== hash) continue
    removeVaultFile(root, path)
    removeEmpty(root, dirname(path))
    report.removed++
  }
  saveManifest(after)
  return report
}

/** Refuses a non-empty folder without our manifest, and Recollect's own folder. */
function openFolder(layout: Layout, folder: string): string {
  const path = resolve(folder)
  if (isInside(path, layout.root))
    throw new UserError(`${path} is where Recollect keeps its own files`, 'Choose a folder elsewhere.')
  if (existsSync(path) && entriesOf(path).length > 0 && !readManifest(path))
    throw new UserError(
      `${path} is not empty and was not created by an export`,
      'Choose a new folder: its files would be mixed with the export.',
    )
  const root = openVault(path)
  if (!isInside(root, openVault(layout.root))) return root
  throw new UserError(`${path} leads to the folder where Recollect keeps its own files`, 'Choose a folder elsewhere.')
}

function entriesOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
    throw new UserError(`${path} is a file`, 'Give a folder.')
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && resolve(folder, way) === path)
}

/** Ignores a manifest with a path outside of the folder. */
function readManifest(root: string): Manifest | undefined {
  if (statVaultFile(root, manifestName).kind !== 'file') return undefined
  try {
    const { format, files } = JSON.parse(readVaultBytes(root, manifestName).toString('utf8')) as Partial<Manifest>
    const isOurs = typeof files === 'object' && files !== null && Object.keys(files).every(isSafePath)
    return isOurs && format ? { format, files } : undefined
  } catch {
    return undefined
  }
}

function isSafePath(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
}

/** Returns the hash of a file of ours; otherwise `missing` or `theirs`. */
function fileState(root: string, path: string, ours: readonly (string | undefined)[]): string {
  const found = statVaultFile(root, path)
  if (found.kind === 'missing') return 'missing'
  if (found.kind === 'other') return 'theirs'
  const hash = hashOf(readVaultBytes(root, path))
  return ours.includes(hash) ? hash : 'theirs'
}

function removeEmpty(root: string, folder: string): void {
  if (folder === '.') return
  try {
    rmdirSync(join(root, folder))
  } catch {
    return // not empty
  }
  removeEmpty(root, dirname(folder))
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
