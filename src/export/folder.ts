// The folder of an export. A mark in it says which files are ours and what we wrote in them: only those are written again or
// removed. What a person has put there or changed is theirs.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { UserError } from '../core/errors.ts'
import type { Layout } from '../core/paths.ts'
import { openVault, readVaultBytes, removeVaultFile, statVaultFile, writeVaultFile } from '../core/vault.ts'
import type { ExportFile, ExportFormat } from './export.ts'

export interface FolderReport {
  folder: string
  files: number
  written: number
  removed: number
  /** Files in the way that are a person's, or were changed by one: they stay as they are. */
  left: string[]
}

const markName = '.recollect-export.json'

interface Mark {
  format: ExportFormat
  /** The hash of each file as we wrote it. */
  files: Record<string, string>
}

export function writeFolder(
  layout: Layout,
  { folder, format, files }: { folder: string; format: ExportFormat; files: readonly ExportFile[] },
): FolderReport {
  const root = openFolder(layout, folder)
  const before = readMark(root)?.files ?? {}
  const wanted = new Map(files.map(({ path, content }) => [path, { content, hash: hashOf(content) }]))
  const report: FolderReport = { folder: root, files: wanted.size, written: 0, removed: 0, left: [] }
  const after = Object.fromEntries([...wanted].map(([path, { hash }]) => [path, hash]))
  // Both, until all is done: what a killed run has written must be known as ours.
  const saveMark = (known: Record<string, string>) =>
    writeVaultFile(root, markName, `${JSON.stringify({ format, files: known } satisfies Mark, null, 1)}\n`)
  saveMark({ ...before, ...after })
  for (const [path, { content, hash }] of wanted) {
    const is = stateOf(root, path, [before[path], hash])
    if (is === 'theirs' || (is !== hash && writeVaultFile(root, path, content) === undefined)) {
      report.left.push(path)
      delete after[path]
    } else if (is !== hash) report.written++
  }
  for (const [path, hash] of Object.entries(before)) {
    if (wanted.has(path)) continue
    const is = stateOf(root, path, [hash])
    if (is === 'theirs') report.left.push(path)
    if (is !== hash) continue
    removeVaultFile(root, path)
    removeEmpty(root, dirname(path))
    report.removed++
  }
  saveMark(after)
  return report
}

/** A folder that holds something and no mark of ours is not touched; nor is the memory itself. */
function openFolder(layout: Layout, folder: string): string {
  const path = resolve(folder)
  if (isInside(path, layout.root))
    throw new UserError(`${path} is where Recollect keeps its own files`, 'Choose a folder elsewhere.')
  if (existsSync(path) && readdirOf(path).length > 0 && !readMark(path))
    throw new UserError(
      `${path} is not empty, and was not made by an export`,
      'Choose a new folder: what is in this one would be mixed with the export.',
    )
  const root = openVault(path)
  if (!isInside(root, openVault(layout.root))) return root
  throw new UserError(`${path} leads to where Recollect keeps its own files`, 'Choose a folder elsewhere.')
}

function readdirOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error
    throw new UserError(`${path} is a file`, 'Name a folder.')
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (!way.startsWith('..') && resolve(folder, way) === path)
}

/** A mark that names a path outside of the folder is no mark of ours. */
function readMark(root: string): Mark | undefined {
  if (statVaultFile(root, markName).kind !== 'file') return undefined
  try {
    const { format, files } = JSON.parse(readVaultBytes(root, markName).toString('utf8')) as Partial<Mark>
    const isOurs = typeof files === 'object' && files !== null && Object.keys(files).every(isBelow)
    return isOurs && format ? { format, files } : undefined
  } catch {
    return undefined
  }
}

function isBelow(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
}

/** The hash of a file that is ours; a person's otherwise. */
function stateOf(root: string, path: string, ours: readonly (string | undefined)[]): string {
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
    return // something is in it
  }
  removeEmpty(root, dirname(folder))
}

function hashOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
