// Reads and writes files of the vault. Links below it are never followed, so that no project name
// and no link can direct a write elsewhere.

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
import { UserError } from '../errors.ts'

/** The vault itself may be a link: its owner decides where it is stored. */
export function openVault(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(folder))
    throw new UserError(`${folder} is a dangling link`, 'Create the folder that it points to, or remove the link.', 3)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return realpathSync(folder)
}

export type VaultEntry =
  | { kind: 'file'; stamp: string; isEmpty: boolean }
  | { kind: 'missing' }
  /** A link or folder in place of a file: left alone. */
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

/** Creates or replaces the file. Returns its stamp; undefined when a link is in the way. */
export function writeVaultFile(vault: string, path: string, content: string | Buffer): string | undefined {
  const target = vaultPath(vault, path)
  if (!makeFolder(vault, dirname(path))) return undefined
  // Only one process writes here, so a leftover of a killed one can be removed.
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

/** Keeps the stamps of the files in it. */
export function renameVaultFolder(vault: string, from: string, to: string): void {
  renameSync(vaultPath(vault, from), vaultPath(vault, to))
}

export function folderStamp(vault: string, folder: string): string {
  const stats = lstatSync(join(vault, folder), { throwIfNoEntry: false })
  return stats ? `${stats.mtimeMs}:${stats.ino}` : ''
}

/** State of a folder below the vault; `link` when any part of its path is one. */
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
    throw new Error(`"${path}" is not a path in the vault`)
  return join(vault, ...parts)
}

/** Folder of memories of no project. No project has this name, because all others end in a hash. */
const globalFolder = 'global'

export function projectFolder(project: string | null): string {
  return project === null ? globalFolder : `${readableName(project) || 'project'}-${hashOfProject(project)}`
}

/** Whether the folder is of this project, also if its readable part was made by other rules. */
export function isProjectFolder(name: string, project: string | null): boolean {
  return project === null ? name === globalFolder : name.endsWith(`-${hashOfProject(project)}`)
}

function hashOfProject(project: string): string {
  return createHash('sha1').update(project).digest('hex').slice(0, 8)
}

const maxReadable = 60

/** The first part of the identity and as many of the last as fit, with `--` between them. */
function readableName(project: string): string {
  const whole = plainName(project)
  if (whole.length <= maxReadable) return whole
  const [first = '', ...all] = project.split(/[\\/]/).map(plainName).filter(Boolean)
  // Each part takes at least two characters, so more of them cannot fit.
  const rest = all.slice(-maxReadable / 2)
  for (const index of rest.keys()) {
    const name = `${first}--${rest.slice(index).join('-')}`
    if (name.length <= maxReadable) return name
  }
  const last = rest.at(-1) ?? first
  return last
    .slice(0, maxReadable + 1)
    .replace(/[-.][^-.]*$/, '')
    .slice(0, maxReadable)
}

function plainName(text: string): string {
  return text.replace(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+/, '')
}
