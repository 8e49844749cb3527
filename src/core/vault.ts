// The files of the vault, and nothing besides: a link in the way is never followed, so that no name, no project and no link
// leads a write to another place.

import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from './errors.ts'

/** The vault itself may be a link: where it lies is for its owner to say. */
export function openVault(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(folder))
    throw new UserError(
      `${folder} is a link that leads nowhere`,
      'Make the folder that it leads to, or remove the link.',
      3,
    )
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return realpathSync(folder)
}

export type VaultEntry =
  | { kind: 'file'; stamp: string; isEmpty: boolean }
  | { kind: 'missing' }
  /** A link or a folder where a file should be: it is left alone. */
  | { kind: 'other' }

export function statVaultFile(vault: string, path: string): VaultEntry {
  const stats = lstatSync(vaultPath(vault, path), { throwIfNoEntry: false })
  if (!stats) return { kind: 'missing' }
  if (!stats.isFile()) return { kind: 'other' }
  return { kind: 'file', stamp: `${stats.size}:${stats.mtimeMs}:${stats.ino}`, isEmpty: stats.size === 0 }
}

export function readVaultFile(vault: string, path: string): string {
  return readFileSync(vaultPath(vault, path), 'utf8')
}

export function readVaultBytes(vault: string, path: string): Buffer {
  return readFileSync(vaultPath(vault, path))
}

/** Replaces the file as a whole, or makes it. Gives back its stamp; undefined where a link is in the way. */
export function writeVaultFile(vault: string, path: string, content: string | Buffer): string | undefined {
  const target = vaultPath(vault, path)
  if (!makeFolder(vault, dirname(path))) return undefined
  // Only one process has the files: what an earlier one left behind when it was killed is taken away here.
  const temporary = join(dirname(target), '.recollect.tmp')
  rmSync(temporary, { force: true })
  writeFileSync(temporary, content, { flag: 'wx', mode: 0o600 })
  renameSync(temporary, target)
  const found = statVaultFile(vault, path)
  return found.kind === 'file' ? found.stamp : undefined
}

export function removeVaultFile(vault: string, path: string): void {
  if (vaultFolderState(vault, dirname(path)) === 'folder') rmSync(vaultPath(vault, path), { force: true })
}

/** The Markdown files in a folder of the vault. */
export function markdownFilesIn(vault: string, folder: string): string[] {
  if (vaultFolderState(vault, folder) !== 'folder') return []
  return readdirSync(join(vault, folder))
    .filter((name) => name.endsWith('.md') && isPlainName(name))
    .sort()
}

export function vaultFoldersIn(vault: string, folder: string): string[] {
  if (vaultFolderState(vault, folder) !== 'folder') return []
  return readdirSync(join(vault, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isPlainName(entry.name))
    .map(({ name }) => name)
    .sort()
}

export function folderStamp(vault: string, folder: string): string {
  const stats = lstatSync(join(vault, folder), { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs}:${stats.ino}` : ''
}

/** What is at the end of a path below the vault, when none of its parts is a link. */
export function vaultFolderState(vault: string, folder: string): 'folder' | 'missing' | 'link' {
  let path = vault
  for (const part of folder.split('/')) {
    path = join(path, part)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return 'missing'
    if (!stats.isDirectory()) return 'link'
  }
  return 'folder'
}

function makeFolder(vault: string, folder: string): boolean {
  if (vaultFolderState(vault, folder) === 'link') return false
  mkdirSync(join(vault, folder), { recursive: true, mode: 0o700 })
  return true
}

function isPlainName(name: string): boolean {
  return !name.startsWith('.') && !name.includes('\\')
}

function vaultPath(vault: string, path: string): string {
  const parts = path.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part)))
    throw new Error(`"${path}" is no path in the vault`)
  return join(vault, ...parts)
}

// Names in the vault: what a person can read in a folder, and never the same for two projects.

/** The folder of what holds everywhere. No project has this name: every other one ends in a hash. */
const globalFolder = 'global'

export function projectFolder(project: string | null): string {
  if (project === null) return globalFolder
  const readable = project
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .slice(-60)
    .replace(/^[-.]+/, '')
  return `${readable || 'project'}-${createHash('sha1').update(project).digest('hex').slice(0, 8)}`
}
